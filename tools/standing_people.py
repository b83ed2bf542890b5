"""Measure how people who stand live: where the performer's idle motion comes from (docs/performer.md).

    python -m tools.standing_people [../shared/motion]

reads every everyday recording that ``everyday_pace.py`` trusts, and of these all stretches in which feet and hands
rest. Of each number of a body it takes how far it strays from its own slow drift, and how fast. The median over
recordings is what the performer does; every third recording is held out and shown beside it. The table is in
``src/understudy/performer/idling.py``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from tools.everyday_pace import HELD_OUT, everyday_clips, shared_motion
from tools.performer_fit.recorded_body import RecordedBody, recorded_body

from understudy import rotations as rot
from understudy.core import Motion
from understudy.inspection.intervals import runs
from understudy.kinematics import motion_world
from understudy.library.standing import stands_still
from understudy.performer import curves
from understudy.performer.smoothing import gaussian
from understudy.typing import FloatArray

#: [s] shortest stretch of standing, and [m/s] fastest hands of somebody who does nothing with them.
LEAST_S, HANDS_MPS = 2.0, 0.15
#: [s] what is slower than this is drift, what is quicker the noise of recordings.
DRIFT_S, NOISE_S = 0.8, 0.06


def stands(motion: Motion) -> list[tuple[int, int]]:
    """Stretches in which somebody stands and does nothing."""
    world = motion_world(motion)
    hands = [motion.skeleton.humanoid[f"{side}Hand"] for side in curves.SIDES]
    ways = np.gradient(gaussian(world.positions[:, hands], NOISE_S * motion.fps), axis=0) * motion.fps
    still = stands_still(motion) & (np.linalg.norm(ways, axis=2).max(axis=1) < HANDS_MPS)
    return [(first, stop) for first, stop in runs(still) if stop - first >= LEAST_S * motion.fps]


def rows_of(body: RecordedBody, first: int, stop: int) -> FloatArray:
    """Pelvis (in leg lengths, and its turn), trunk, head and arms over a stretch, away from their means."""
    own = slice(first, stop)
    ahead = rot.from_yaw(-float(np.median(rot.yaw(body.pelvis_turn[own]))))
    place = rot.rotate(ahead, body.pelvis[own] - body.pelvis[own].mean(axis=0)) / body.leg_m
    turns = [rot.multiply(ahead, body.pelvis_turn[own]), *np.moveaxis(body.turns[own], 1, 0)]
    vectors = [rot.log(rot.relative(rot.mean(turn), turn)) for turn in turns]
    return np.concatenate([place, *vectors], axis=1)


def strays(rows: FloatArray, fps: float) -> tuple[FloatArray, FloatArray]:
    """How far numbers stray from their drift, and how fast; without noise."""
    calm = gaussian(rows, NOISE_S * fps)
    calm = calm - gaussian(calm, DRIFT_S * fps)
    return calm.std(axis=0), np.gradient(calm, axis=0).std(axis=0) * fps


def measured(folder: Path) -> Iterator[tuple[str, FloatArray, FloatArray]]:
    """Recording, how far and how fast its numbers stray."""
    for path, motion in everyday_clips(folder):
        found = stands(motion)
        if found:
            body = recorded_body(motion)
            parts = [strays(rows_of(body, *one), motion.fps) for one in found]
            weights = np.array([stop - first for first, stop in found], dtype=np.float64)
            far, fast = (
                np.sqrt(np.average(np.square(one), axis=0, weights=weights)) for one in zip(*parts, strict=True)
            )
            yield path.stem, far, fast


def table(
    found: Sequence[tuple[str, FloatArray, FloatArray]],
) -> dict[str, tuple[tuple[float, ...], tuple[float, ...]]]:
    """Part -> how far and how fast, per axis; both sides of the body alike."""
    far, fast = (np.median([one[k] for one in found], axis=0) for k in (1, 2))
    names = ("place", "pelvis", *curves.TURNING)
    parts: dict[str, list[tuple[FloatArray, FloatArray]]] = {}
    for k, name in enumerate(names):
        own = slice(3 * k, 3 * k + 3)
        parts.setdefault(name.removeprefix("left").removeprefix("right"), []).append((far[own], fast[own]))
    return {
        name: tuple(tuple(float(f"{value:.2g}") for value in np.mean(one, axis=0)) for one in zip(*rows, strict=True))
        for name, rows in parts.items()
    }  # type: ignore[return-value]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=shared_motion())
    given = parser.parse_args()
    found = sorted(measured(given.folder), key=lambda one: one[0])
    made = [one for k, one in enumerate(found) if k % HELD_OUT != HELD_OUT - 1]
    print(f"{len(made)} recordings: {' '.join(one[0] for one in made)}")
    for title, some in (("made of", made), ("held out", found[HELD_OUT - 1 :: HELD_OUT])):
        print(title, len(some))
        for name, (far, fast) in table(some).items():
            print(f"  {name}: {far}, {fast}")


if __name__ == "__main__":
    main()
