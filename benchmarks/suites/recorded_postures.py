"""Pairs of frames of recordings in which something carries the body: keys for ``between``.

A key is feasible if somebody who holds it on the ground of the whole recording neither floats nor topples, and is no
deeper in it than recordings may be. This asks the judge and no planner. It leaves out flights, strides, stairs and
props that nobody recorded, and bodies that lie or sit higher above the ground than a recording can be wrong.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

import understudy as us
from benchmarks.suites import recorded_clips
from understudy.api.postures import held_key
from understudy.core import Motion, Pose
from understudy.core.violations import Violation
from understudy.errors import PlanningInputError
from understudy.scene.contacts import FLOOR
from understudy.verify import Bars, verify
from understudy.verify.feet import feet_of

#: Clips of one person to choose from, two libraries together.
_LIBRARIES = ("cmu_bvh", "cmu_more")
#: Frames drawn of a clip before another one is taken.
_DRAWS = 30


@dataclass(frozen=True, eq=False, kw_only=True)
class RecordedPair:
    """Two recorded postures of one person.

    Attributes:
        names: Such as ``"26_09@120"``.
        keys: The postures.
        wrong: What the judge says against each of them when it is held; empty where it says nothing.
    """

    names: tuple[str, str]
    keys: tuple[Pose, Pose]
    wrong: tuple[str, str]


@lru_cache(maxsize=4)
def _clip(path: Path) -> Motion:
    return us.load_motion(path)


@lru_cache(maxsize=1)
def clips_by_person() -> dict[str, list[Path]]:
    """All recorded clips by the person's number."""
    folder = recorded_clips()
    if folder is None:
        raise PlanningInputError("no recorded clips are at hand")
    found: dict[str, list[Path]] = {}
    for path in sorted(path for library in _LIBRARIES for path in (folder.parent / library).glob("*.bvh")):
        found.setdefault(path.stem.partition("_")[0], []).append(path)
    return found


def drawn(seed: int) -> RecordedPair:
    """Two frames of one clip, or of two clips of one person, in which something carries the body."""
    rng = np.random.default_rng([30, seed])
    while True:
        picked = _picked(rng)
        if all(one is not None for one in picked):
            names, keys, wrong = zip(*picked, strict=True)  # type: ignore[arg-type]
            return RecordedPair(names=names, keys=keys, wrong=wrong)


def _picked(rng: np.random.Generator) -> list[tuple[str, Pose, str] | None]:
    """Two frames of one person."""
    clips = clips_by_person()
    own = clips[str(rng.choice(list(clips)))]
    first = own[rng.integers(len(own))]
    second = first if rng.random() < 0.5 else own[rng.integers(len(own))]
    return [_carried(path, rng) for path in (first, second)]


def _carried(path: Path, rng: np.random.Generator) -> tuple[str, Pose, str] | None:
    """A feasible frame of a clip; ``None`` after too many draws."""
    clip = _clip(path)
    ground = np.array([0.0, feet_of(clip).sole_m, 0.0])
    for _ in range(_DRAWS):
        frame = int(rng.integers(len(clip)))
        pose = clip.pose(frame)
        level = replace(held_key(replace(pose, root_position=pose.root_position - ground)), floor=True)
        if not any(_carried_by_nothing(one) for one in verify(level).violations):
            wrong = verify(held_key(pose)).violations
            return f"{path.stem}@{frame}", pose, "; ".join(str(one) for one in wrong)
    return None


def _carried_by_nothing(one: Violation) -> bool:
    """Whether a violation says that the ground does not carry somebody, or that they are in it."""
    return one.kind in ("support", "balance") or (one.other == FLOOR and one.value > Bars().own_ground_m)
