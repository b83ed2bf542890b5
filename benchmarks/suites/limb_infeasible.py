"""Planted problems for limbs that cannot be done, by construction: how soon they are refused.

A target beyond any reach, in a closed box, in a solid block, behind a wall; hardly any time; a start inside something;
a shoulder inside something. ``refused`` counts statuses that say so (not that nothing was found), each with a reason.

``python -m benchmarks.suites.limb_infeasible [VARIATIONS]`` prints the rows.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

import understudy as us
from benchmarks.case_ledger import Ledger, Record
from benchmarks.suites import Row, recorded_clips
from benchmarks.suites.limb_problems import as_point, clips, joint_at
from understudy.core import Motion
from understudy.scene import Scene
from understudy.scene.placements import Track
from understudy.scene.shapes import Box, Sphere
from understudy.typing import FloatArray

#: A problem to be asked, and how it is asked.
Planted = Callable[[], Any]
#: [s] when hands arrive.
_AT_S = 2.0


def _somewhere(motion: Motion, rng: np.random.Generator, metres: tuple[float, float]) -> FloatArray:
    """A place so far from the right shoulder, within a metre or so of its height."""
    way = rng.normal(size=3) * np.array([1.0, 0.5, 1.0])
    place = joint_at(motion, "rightUpperArm", _AT_S) + rng.uniform(*metres) * way / np.linalg.norm(way)
    return np.asarray(np.maximum(place, [-np.inf, 0.3, -np.inf]))


def _beside(motion: Motion, rng: np.random.Generator) -> FloatArray:
    """A place to the right that the hand could reach easily if nothing were there, and nobody walks through."""
    ahead = joint_at(motion, "rightUpperArm", _AT_S) - joint_at(motion, "leftUpperArm", _AT_S)
    ahead /= np.linalg.norm(ahead)
    forward = np.array([ahead[2], 0.0, -ahead[0]])
    out, down, on = rng.uniform(0.36, 0.42), rng.uniform(-0.15, 0.05), rng.uniform(0.05, 0.2)
    return np.asarray(joint_at(motion, "rightUpperArm", _AT_S) + out * ahead + on * forward + [0.0, down, 0.0])


def boards(middle: FloatArray, half_m: float) -> Scene:
    """A closed box of six boards around a place."""
    scene = Scene()
    for k in range(6):
        axis, far = divmod(k, 2)
        size, place = np.full(3, 2.0 * half_m), middle.copy()
        size[axis], place[axis] = 0.02, place[axis] + (half_m if far else -half_m)
        scene = scene.with_object(f"board {k}", Box(size_m=as_point(size)), position=as_point(place))
    return scene


def too_far(motion: Motion, rng: np.random.Generator) -> Planted:
    """A point two metres away, or more."""
    target = as_point(_somewhere(motion, rng, (2.0, 4.0)))
    return lambda: us.reach(motion, None, hand="right", target=target, at=_AT_S)


def thing_too_far(motion: Motion, rng: np.random.Generator) -> Planted:
    """A ball two metres away, to be taken at a given moment."""
    scene = Scene().with_object("ball", Sphere(radius_m=0.04), position=as_point(_somewhere(motion, rng, (2.0, 3.0))))
    return lambda: us.grab(motion, scene, "ball", hand="right", at=_AT_S)


def boxed_in(motion: Motion, rng: np.random.Generator) -> Planted:
    """A point in a closed box."""
    middle = _beside(motion, rng)
    scene = boards(middle, float(rng.uniform(0.1, 0.16)))
    return lambda: us.reach(motion, scene, hand="right", target=as_point(middle), at=_AT_S)


def _ball_in_a_box(motion: Motion, rng: np.random.Generator) -> Scene:
    middle = _beside(motion, rng)
    return boards(middle, float(rng.uniform(0.1, 0.16))).with_object(
        "ball", Sphere(radius_m=0.03), position=as_point(middle)
    )


def taken_from_a_box(motion: Motion, rng: np.random.Generator) -> Planted:
    """A ball in a closed box, at a given moment."""
    scene = _ball_in_a_box(motion, rng)
    return lambda: us.grab(motion, scene, "ball", hand="right", at=_AT_S)


def taken_soon_from_a_box(motion: Motion, rng: np.random.Generator) -> Planted:
    """A ball in a closed box, as soon as possible."""
    scene = _ball_in_a_box(motion, rng)
    return lambda: us.grab(motion, scene, "ball", hand="right")


def behind_a_wall(motion: Motion, rng: np.random.Generator) -> Planted:
    """A ball to be touched, close behind a wall that ends farther away than anybody reaches around."""
    place = _beside(motion, rng)
    away = place - joint_at(motion, "hips", _AT_S)
    axis = int(np.argmax(np.abs(away[[0, 2]]))) * 2
    size = np.full(3, 6.0)
    size[axis] = 0.04
    wall = place.copy()
    wall[axis] -= np.sign(away[axis]) * 0.08
    scene = Scene().with_object("ball", Sphere(radius_m=0.04), position=as_point(place))
    scene = scene.with_object("wall", Box(size_m=as_point(size)), position=as_point(wall))
    return lambda: us.touch(motion, scene, "ball", hand="right", at=_AT_S)


def in_a_block(motion: Motion, rng: np.random.Generator) -> Planted:
    """A point in a block."""
    middle = _beside(motion, rng)
    scene = Scene().with_object("block", Box(size_m=as_point(rng.uniform(0.3, 0.4, 3))), position=as_point(middle))
    return lambda: us.reach(motion, scene, hand="right", target=as_point(middle), at=_AT_S)


def no_time(motion: Motion, rng: np.random.Generator) -> Planted:
    """A point above the head after a few frames."""
    at = float(rng.uniform(0.1, 0.2))
    target = joint_at(motion, "rightUpperArm", at) + rng.uniform([-0.1, 0.42, -0.1], [0.1, 0.48, 0.1])
    return lambda: us.reach(motion, None, hand="right", target=as_point(target), at=at)


def begins_inside(motion: Motion, rng: np.random.Generator) -> Planted:
    """A box that travels with the hand until 50 ms before it has to be somewhere else."""
    times = np.arange(0.0, _AT_S - 0.05, 1.0 / motion.fps)
    hands = np.stack([joint_at(motion, "rightHand", t) for t in times])
    gone = hands[-1] + np.array([0.0, 5.0, 0.0])
    track = Track(times_s=np.append(times, [_AT_S - 0.04]), positions=np.vstack([hands, gone]))
    scene = Scene().with_object("box", Box(size_m=as_point(rng.uniform(0.12, 0.2, 3))), placement=track)
    target = as_point(_beside(motion, rng))
    return lambda: us.reach(motion, scene, hand="right", target=target, at=_AT_S)


def shoulder_inside(motion: Motion, rng: np.random.Generator) -> Planted:
    """A block that is around the shoulder for a moment, to be cleared by the arm alone."""
    place = joint_at(motion, "rightUpperArm", _AT_S)
    since = _AT_S - float(rng.uniform(0.02, 0.1))
    times = np.array([0.0, since - 0.01, since, _AT_S, _AT_S + 0.01, _AT_S + 9.0])
    there = (times >= since) & (times <= _AT_S)
    away = place + np.array([0.0, 4.0, 0.0])
    track = Track(times_s=times, positions=np.where(there[:, None], place, away))
    scene = Scene().with_object("block", Box(size_m=as_point(rng.uniform(0.3, 0.4, 3))), placement=track)
    return lambda: us.correct(motion, scene, limbs=["right_arm"], options=us.LimbOptions(spine=False))


PLANTED: Mapping[str, Callable[[Motion, np.random.Generator], Planted]] = {
    "a point too far": too_far,
    "a thing too far": thing_too_far,
    "a point in a closed box": boxed_in,
    "a thing in a closed box": taken_from_a_box,
    "a thing in a closed box, as soon as possible": taken_soon_from_a_box,
    "a thing behind a wall, touched": behind_a_wall,
    "a point in a block": in_a_block,
    "too little time": no_time,
    "begins inside something": begins_inside,
    "shoulder inside something": shoulder_inside,
}


def _measured(folder: Path | None, kind: str, number: int) -> Record:
    rng = np.random.default_rng([11, number])
    every = [clip for clip in clips(folder) if clip.duration_s > _AT_S + 1.0]
    ask = PLANTED[kind](every[int(rng.integers(len(every)))], rng)
    ask()  # what is compiled and remembered of a clip
    began = process_time()
    result = ask()
    spent = process_time() - began
    return {"status": result.status.value, "reason": result.reason, "cpu_s": spent}


def infeasible_rows(folder: Path | None, ledger: Ledger, *, variations: int) -> list[Row]:
    """A row for every kind, and one for all."""
    rows, every = [], list[Record]()
    for kind in PLANTED:
        records = [
            ledger.measured(f"planted {kind} {n}", lambda kind=kind, n=n: _measured(folder, kind, n))  # type: ignore[misc]
            for n in range(variations)
        ]
        every += records
        rows.append(_row(kind, records))
    return [*rows, _row("all", every)]


def _row(kind: str, records: list[Record]) -> Row:
    refused = [one for one in records if one["status"].startswith("infeasible") and one["reason"]]
    spent = [1000.0 * one["cpu_s"] for one in records]
    return {
        "case": f"cannot be done: {kind}",
        "method": "ours",
        "refused": len(refused),
        "total": len(records),
        "median_ms": float(np.median(spent)),
        "p95_ms": float(np.percentile(spent, 95)),
        "slowest_ms": max(spent),
        "within_100_ms": sum(one["cpu_s"] <= 0.1 for one in refused),
        "others": "; ".join(sorted({f"{one['status']}: {one['reason']}" for one in records if one not in refused})),
    }


if __name__ == "__main__":
    for row in infeasible_rows(recorded_clips(), Ledger(), variations=int([*sys.argv[1:], "5"][0])):
        times = f"{row['median_ms']:.0f} / {row['slowest_ms']:.0f} ms"
        print(f"{row['case']:62s} {row['refused']}/{row['total']} {times} {row['others'][:150]}", flush=True)
