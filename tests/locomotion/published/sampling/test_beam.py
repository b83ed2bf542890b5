"""What the body-aware beam reads: leads, fields between cells, buckets."""

from __future__ import annotations

import numpy as np

from understudy.locomotion.published.sampling import Sampler
from understudy.locomotion.published.sampling._bucket_kernels import AHEAD_X, SCORE, STATE, added
from understudy.locomotion.published.sampling._tight_kernels import field_at
from understudy.locomotion.published.sampling.beam_tables import (
    LEAD_COST,
    LEAD_M,
    LEAD_X,
    LEAD_YAW,
    TOWARDS_X,
    Fields,
    Frontier,
)


def test_leads_are_where_jumps_lead(sampler: Sampler) -> None:
    jumps, ahead = sampler.graph.jumps, 15
    for edge in np.random.default_rng(0).choice(len(jumps.out), 40, replace=False).tolist():
        into, (tx, tz, turn) = int(jumps.into[edge]), jumps.transforms[edge]
        frame = min(into + ahead, int(jumps.stops[into]))
        x, z, heading = jumps.moves[frame]
        lead, c, s = sampler.jumped[edge], np.cos(turn), np.sin(turn)
        np.testing.assert_allclose(lead[LEAD_X : LEAD_X + 2], [tx + c * x + s * z, tz - s * x + c * z])
        assert np.isclose(lead[LEAD_YAW], turn + heading)
        assert np.isclose(lead[LEAD_M], np.hypot(*(jumps.moves[frame, :2] - jumps.moves[into, :2])))
        assert np.isclose(lead[LEAD_COST] - lead[LEAD_M], jumps.efforts[frame] - jumps.efforts[into])
        assert np.isclose(np.hypot(*lead[TOWARDS_X : TOWARDS_X + 2]), 1.0) or not lead[TOWARDS_X:].any()


def test_fields_between_cells() -> None:
    z, x = np.meshgrid(np.arange(8.0), np.arange(9.0), indexing="ij")
    values = (3.0 + 0.6 * (x + 0.5) * 0.1 - 0.8 * (z + 0.5) * 0.1)[None]
    values[0, 6, 7] = np.inf
    fields = Fields(np.array([1.0, 2.0]), 0.1, values, np.zeros((1, 2)), np.zeros(1))
    rng = np.random.default_rng(0)
    for _ in range(50):
        px, pz = rng.uniform([1.06, 2.06], [1.6, 2.5])
        value, gx, gz = field_at(fields, 0, px, pz)
        assert np.allclose([value, gx, gz], [3.0 + 0.6 * (px - 1.0) - 0.8 * (pz - 2.0), 0.6, -0.8])
    assert field_at(fields, 0, 1.75, 2.65)[0] == np.inf
    beside = field_at(fields, 0, 1.67, 2.64)
    assert beside == (values[0, 6, 6], 0.0, 0.0)
    assert field_at(fields, 0, 0.9, 2.3)[0] == np.inf


def test_buckets_keep_the_best_and_none_twice() -> None:
    room = Frontier(
        items=np.zeros((1, 4), dtype=np.int64), filled=np.zeros(1, dtype=np.int64), worst=np.full(1, np.inf),
        numbers=np.zeros((500, STATE)), links=np.zeros((500, 5), dtype=np.int64), counts=np.zeros(3, dtype=np.int64),
    )  # fmt: skip
    rng = np.random.default_rng(1)
    scores = rng.uniform(0.0, 10.0, 60)
    places = np.repeat(np.arange(20.0), 3)
    for k in rng.permutation(60).tolist():
        state = np.zeros(STATE)
        state[SCORE], state[AHEAD_X] = scores[k], places[k]
        added(room, 4, state, k, -1, -1, 0, 0, 0)
    wanted = np.sort([scores[places == place].min() for place in range(20)])[:4]
    assert np.allclose(np.sort(room.numbers[room.items[0], SCORE]), wanted)
    assert room.worst[0] == wanted[-1]
