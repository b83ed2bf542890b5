"""Pairs of frames of everyday recordings in which something carries the body: keys for ``between``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

import understudy as us
from benchmarks.suites import recorded_clips
from understudy.api.postures import held_key
from understudy.core import Motion, Pose
from understudy.errors import PlanningInputError
from understudy.verify import verify

#: Standing, bending, reaching, squatting, kneeling, sitting and lying on the floor, by person.
CLIPS = {
    "13": ("cmu_more/13_01", "cmu_more/13_04"),
    "18": ("cmu_bvh/18_01",),
    "19": ("cmu_bvh/19_01",),
    "22": ("cmu_bvh/22_22", "cmu_more/22_01"),
    "26": ("cmu_bvh/26_09",),
    "62": ("cmu_bvh/62_19", "cmu_more/62_18", "cmu_more/62_20"),
    "64": ("cmu_more/64_26",),
    "69": ("cmu_bvh/69_70", "cmu_more/69_16", "cmu_more/69_69", "cmu_more/69_71", "cmu_more/69_73", "cmu_more/69_74"),
    "70": ("cmu_more/70_01", "cmu_more/70_04"),
    "77": ("cmu_more/77_09", "cmu_more/77_16", "cmu_more/77_18"),
    "79": ("cmu_bvh/79_20", "cmu_more/79_25", "cmu_more/79_38", "cmu_more/79_40", "cmu_more/79_44", "cmu_more/79_55"),
    "80": ("cmu_bvh/80_27", "cmu_more/80_08", "cmu_more/80_25", "cmu_more/80_40", "cmu_more/80_61"),
    "111": ("cmu_more/111_03", "cmu_more/111_17"),
    "113": ("cmu_more/113_08",),
    "115": ("cmu_bvh/115_01", "cmu_bvh/115_06", "cmu_more/115_02", "cmu_more/115_07"),
    "137": ("cmu_bvh/137_26",),
}
#: Frames drawn of a clip before another one is taken: some stand on props that nobody recorded.
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
def _clip(name: str) -> Motion:
    folder = recorded_clips()
    if folder is None:
        raise PlanningInputError("no recorded clips are at hand")
    return us.load_motion(folder.parent / f"{name}.bvh")


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
    person = str(rng.choice(list(CLIPS)))
    first = str(rng.choice(CLIPS[person]))
    second = first if rng.random() < 0.5 else str(rng.choice(CLIPS[person]))
    return [_carried(name, rng) for name in (first, second)]


def _carried(name: str, rng: np.random.Generator) -> tuple[str, Pose, str] | None:
    """A frame of a clip that the judge would let somebody hold without falling; ``None`` after too many draws."""
    clip = _clip(name)
    for _ in range(_DRAWS):
        frame = int(rng.integers(len(clip)))
        pose = clip.pose(frame)
        found = verify(held_key(pose)).violations
        if not any(one.kind in ("support", "balance") for one in found):
            return f"{name.split('/')[1]}@{frame}", pose, "; ".join(str(one) for one in found)
    return None
