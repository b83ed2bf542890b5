"""The built-in performer's clips as sources for judges: made once for a body, whoever asks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton


@dataclass(frozen=True)
class _Who:
    """A skeleton, known by what it is made of."""

    made_of: bytes
    skeleton: Skeleton = field(compare=False)


def performer_clips(names: Iterable[str], skeleton: Skeleton, fps: float = 60.0) -> tuple[Motion, ...]:
    """Clips of the built-in performer on a skeleton, the same motions for the same bones.

    Args:
        names: Keys of ``understudy.performer.CLIPS``.
        skeleton: Any humanoid.
        fps: Frames per second.
    """
    from understudy.performer.keeping import made_of

    who = _Who(made_of(skeleton), skeleton)
    return tuple(_clip(name, who, fps) for name in names)


@lru_cache(maxsize=256)
def _clip(name: str, who: _Who, fps: float) -> Motion:
    from understudy.performer.keeping import kept_clip

    return kept_clip(name, who.skeleton, fps)
