"""The performer's clips and examples, made once for a body and kept between processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from understudy.core.motion import Motion, Origin
from understudy.core.skeleton import Skeleton
from understudy.formats.checked_arrays import Arrays
from understudy.formats.kept_arrays import kept_arrays
from understudy.performer.actions.example import Event, Example
from understudy.performer.clips import performance

#: Rooms whose files decide what the performer does.
_ROOMS = ("core", "rotations", "kinematics", "performer")
#: Parts of an event and of an example that are arrays.
_PLACES, _FLAGS = ("point", "position"), ("left_contact", "right_contact", "balanced")


def made_of(skeleton: Skeleton) -> bytes:
    """Everything a skeleton is, so that the same bones are known again."""
    found = repr((skeleton.names, sorted(skeleton.humanoid.items()))).encode()
    for part in (
        skeleton.parents,
        skeleton.offsets,
        skeleton.rest_rotations,
        skeleton.tip_joints,
        skeleton.tip_offsets,
    ):
        found += part.tobytes()
    return found


def kept_clip(name: str, skeleton: Skeleton, fps: float) -> Motion:
    """A clip of the performer on a skeleton."""

    def make() -> dict[str, Any]:
        motion = performance(name, person=skeleton, fps=fps).motion
        return {"name": motion.name, **_written(motion)}

    key = repr((name, fps)).encode() + made_of(skeleton)
    found = kept_arrays("clip", key, make, rooms=_ROOMS)
    return _read(found, "", skeleton, fps, str(found["name"]))


def kept_examples(
    asked: object, skeleton: Skeleton, fps: float, make: Callable[[], Sequence[Example]]
) -> list[Example]:
    """Examples of an action.

    Args:
        asked: Everything that decides what is made, beside body and rate; known by its ``repr``.
        skeleton: Whose.
        fps: Frames per second.
        make: Makes them.
    """

    def written() -> dict[str, Any]:
        made = make()
        out: dict[str, Any] = {"actions": [one.action for one in made], "names": [one.motion.name for one in made]}
        for n, one in enumerate(made):
            out |= {f"{n} {part}": value for part, value in _example(one).items()}
        return out

    found = kept_arrays("examples", repr((asked, fps)).encode() + made_of(skeleton), written, rooms=_ROOMS)
    names = zip(found["actions"], found["names"], strict=True)
    return [
        Example(
            action=str(action),
            motion=_read(found, f"{n} ", skeleton, fps, str(name)),
            target=found[f"{n} target"],
            events=tuple(_events(found, f"{n} ")),
            **{flag: found[f"{n} {flag}"] for flag in _FLAGS},
        )
        for n, (action, name) in enumerate(names)
    ]


def _written(motion: Motion) -> dict[str, Any]:
    return {"roots": motion.root_positions, "turns": motion.rotations}


def _read(found: Arrays, before: str, skeleton: Skeleton, fps: float, name: str) -> Motion:
    return Motion(
        skeleton=skeleton,
        fps=fps,
        root_positions=found[f"{before}roots"],
        rotations=found[f"{before}turns"],
        name=name,
        origin=Origin(format="performer"),
    )


def _example(one: Example) -> dict[str, Any]:
    events = list(one.events)
    nowhere = np.full(3, np.nan)
    return {
        **_written(one.motion),
        "target": one.target,
        **{flag: getattr(one, flag) for flag in _FLAGS},
        "event name": np.array([event.name for event in events], dtype=str),
        "event joint": np.array([event.joint for event in events], dtype=str),
        "event time": [event.time_s for event in events],
        "event thing": np.array([event.thing for event in events], dtype=np.int64),
        "event velocity": [nowhere if event.velocity is None else event.velocity for event in events],
        **{f"event {part}": [getattr(event, part) for event in events] for part in _PLACES},
    }


def _events(found: Arrays, before: str) -> list[Event]:
    part = {name: found[f"{before}event {name}"] for name in ("name", "joint", "time", "thing", "velocity", *_PLACES)}
    return [
        Event(
            name=str(part["name"][k]),
            time_s=float(part["time"][k]),
            joint=str(part["joint"][k]),
            point=part["point"][k],
            position=part["position"][k],
            velocity=None if np.isnan(part["velocity"][k]).any() else part["velocity"][k],
            thing=int(part["thing"][k]),
        )
        for k in range(len(part["name"]))
    ]
