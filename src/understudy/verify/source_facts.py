"""What the judge works out about a source clip, kept as long as the clip is.

Many motions are made of the same few clips, and most of what the judge compares them with depends on the clips alone.
Motions never change, so what was found once holds; clips are told apart by identity, not by looks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast
from weakref import WeakKeyDictionary

from understudy.core import Body, Motion
from understudy.verify.forward import Performer

T = TypeVar("T")

_KNOWN: WeakKeyDictionary[Motion, dict[tuple[str, bytes], object]] = WeakKeyDictionary()
_SIGNATURES: WeakKeyDictionary[Body, bytes] = WeakKeyDictionary()


def fact(source: Performer, name: str, find: Callable[[Performer], T], *, of_body: bool = True) -> T:
    """What ``find`` says about a source clip, found once.

    The answer must not hold the clip itself, or neither would ever be forgotten.

    Args:
        source: The clip on its body.
        name: What is asked; one name for one ``find``.
        find: Finds it.
        of_body: Whether the answer depends on the body's capsules or limits, not only on the joints.
    """
    known = _KNOWN.setdefault(source.motion, {})
    key = (name, body_signature(source.body) if of_body else b"")
    if key not in known:
        known[key] = find(source)
    return cast("T", known[key])


def body_signature(body: Body) -> bytes:
    """Bytes that two bodies share only when they are alike; bodies never change."""
    if body not in _SIGNATURES:
        _SIGNATURES[body] = _signed(body)
    return _SIGNATURES[body]


def _signed(body: Body) -> bytes:
    limits = body.limits
    arrays = (
        body.capsule_joints,
        body.capsule_starts,
        body.capsule_ends,
        body.capsule_radii,
        body.self_pairs,
        limits.kinds,
        limits.low,
        limits.high,
        limits.twist_axes,
        limits.swing_axes,
    )
    return b"|".join([*(array.tobytes() for array in arrays), *(name.encode() for name in body.capsule_names)])
