"""Links found block by block are those of the whole matrices."""

from __future__ import annotations

import numpy as np
import pytest

from understudy.core import Motion
from understudy.library import links as module
from understudy.library.distance import windows
from understudy.library.options import LibraryOptions
from understudy.library.preparation import joint_weights, prepared
from understudy.library.segmentation import feature_cuts, segments_of
from understudy.library.transitions import cut_pairs


@pytest.fixture(scope="module")
def cut(walks: list[Motion]):
    options = LibraryOptions(threshold_m=0.1)
    footage, _ = prepared(walks, options, options.watch())
    joints, weights = joint_weights(footage.skeleton, options)
    points = windows(footage.world.positions[:, joints], weights, half=8, starts=footage.starts)
    cuts = feature_cuts(footage, options.detectors, least=18, margin=8)
    return footage, points, cuts, segments_of(footage, cuts), options


@pytest.mark.parametrize("block", [1, 150, 1_000_000])
def test_blocks_give_the_links_of_whole_matrices(cut, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    footage, points, cuts, segments, options = cut
    monkeypatch.setattr(module, "_BLOCK", block)
    links = module.linked(footage, points, cuts, segments, options, threshold_m=0.1)
    turn = float(np.radians(options.foot_turn_deg))
    pairs = cut_pairs(footage, points, cuts, foot_slack_m=options.foot_slack_m, foot_turn_rad=turn)
    sources, targets = np.nonzero(pairs.rms_m[np.ix_(segments.ends, segments.starts)] <= 0.1)
    assert len(sources) > 10
    assert (links.sources == sources).all() and (links.targets == targets).all()
    outs, ins = segments.ends[sources], segments.starts[targets]
    assert links.transforms() == pytest.approx(pairs.transforms(outs, ins), abs=1e-9)
    assert links.half_ranges_rad(0.1) == pytest.approx(pairs.half_ranges_rad(outs, ins, 0.1), abs=1e-6)


def test_of_many_successors_the_nearest_are_kept(cut) -> None:
    footage, points, cuts, segments, options = cut
    every = module.linked(footage, points, cuts, segments, options, threshold_m=0.1)
    few = module.linked(footage, points, cuts, segments, LibraryOptions(successors=3), threshold_m=0.1)
    assert (np.bincount(every.sources) > 3).any()
    for clip in range(len(segments)):
        costs = np.sort(every.rms_m[every.sources == clip])[:3]
        assert np.sort(few.rms_m[few.sources == clip]) == pytest.approx(costs, abs=1e-9)


def test_only_minima_are_usable(cut) -> None:
    cuts = cut[2]
    frames = cuts.frames[[0, 2]]
    usable = module.minima_only(cuts, np.array([frames, [frames[0] + 1, frames[1]]]))
    allowed = usable(np.arange(len(cuts)), np.arange(len(cuts)))
    expected = np.eye(len(cuts), dtype=bool)
    expected[0, 2] = expected[2, 0] = True
    assert (allowed == expected).all()
