"""Why something will not do, with when it shows: what is the same until then fails for the same reason."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from understudy.core.motion import Motion

#: Frames after a fault that have a say in it.
_AFTER = 10
#: [m], and of quaternions: what differs by less is the same.
_ROUNDING = 1e-9


class Fault(str):
    """A sentence, and what is known besides.

    Attributes:
        time_s: When it shows; not a number where that is not known [s].
        anyhow: Whether nothing that begins as this does could do better.
        empty: Whether an arm is to blame that carries nothing and cannot be drawn in.
        joints: Joints that alone are to blame, from the root on; empty where that is not known.
    """

    time_s: float
    anyhow: bool
    empty: bool
    joints: tuple[int, ...]

    def __new__(
        cls,
        said: str,
        *,
        time_s: float = np.nan,
        anyhow: bool = False,
        empty: bool = False,
        joints: tuple[int, ...] = (),
    ) -> Fault:
        """A sentence with a time."""
        made = super().__new__(cls, said)
        made.time_s, made.anyhow, made.empty, made.joints = time_s, anyhow, empty, joints
        return made


def together(faults: Iterable[str]) -> Fault:
    """Several faults as one, which shows when the first of them does."""
    found = list(faults)
    known = [one for one in found if isinstance(one, Fault) and not np.isnan(one.time_s)]
    if not known:
        return Fault("; ".join(found))
    # One that some joints alone are to blame for is the most telling.
    told = min(known, key=lambda one: (not one.joints, one.time_s))
    return Fault("; ".join(found), time_s=told.time_s, joints=told.joints)


class Failed:
    """Motions that failed."""

    def __init__(self) -> None:
        self._known: list[tuple[Motion, Fault]] = []

    def add(self, motion: Motion, why: str) -> None:
        """Keep a motion and why it failed."""
        if isinstance(why, Fault) and not np.isnan(why.time_s):
            self._known.append((motion, why))

    def why(self, motion: Motion) -> str:
        """Why a motion will fail that is the same as another until that one did; empty when that is not known."""
        return next((said for other, said in self._known if _same(motion, other, said)), "")


def _same(motion: Motion, other: Motion, fault: Fault) -> bool:
    """Whether two motions are the same in all that a fault is about, until it shows."""
    stop = round(fault.time_s * motion.fps) + _AFTER
    joints = list(fault.joints) or list(range(len(motion.skeleton)))
    root = motion.root_positions[:stop], other.root_positions[:stop]
    turns = motion.rotations[:stop, joints], other.rotations[:stop, joints]
    return all(len(a) == len(b) and np.allclose(a, b, rtol=0.0, atol=_ROUNDING) for a, b in (root, turns))
