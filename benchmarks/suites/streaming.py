"""Play while searching: how soon the first chunk is there, and how many people walk at 30 pictures a second.

    python -m benchmarks.suites.streaming [../shared/motion/cmu_bvh] [--quick] [-o streaming.json]

Chunks are timed whole, in CPU seconds, so that others on the machine hardly count: path, search, and motion. Floor and
walker are made before; first queries compile. A crowd is played by the clock, a tick every thirtieth of a second: what
a tick takes is how long a player has to wait for its picture, ``late_33_ms`` the share of pictures more than one late,
``cpu_s`` the processor time of one tick, ``first_s`` that of planning everybody's trips. ``closest_m`` is the smallest
gap between any two people's capsules over a crowd's run, every tenth of a second.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from time import perf_counter, process_time, sleep

import numpy as np
from rich.console import Console

from benchmarks.machine import machine, versions
from benchmarks.suites.library import WALK_69, _show, clips
from benchmarks.suites.walk_queries import environment, floor_of, queries
from understudy.api.streaming import stream_walk
from understudy.core.motion import Motion
from understudy.floor import Floor
from understudy.kinematics import motion_world
from understudy.library import Library, build_library
from understudy.locomotion import floor_for, walker_of
from understudy.locomotion.crowd import Crowd, CrowdFrame
from understudy.locomotion.dynamic_scene import DynamicScene
from understudy.locomotion.stream_options import StreamOptions
from understudy.locomotion.streaming import WalkStream
from understudy.locomotion.trip_search import TripSearch
from understudy.performer import builtin_clips
from understudy.verify._kernels import gaps_of_rows

Row = dict[str, object]
_AREA_M, _APART_M = 30.0, 1.2


def stream_rows(library: Library, case: str, count: int) -> list[Row]:
    """First chunks and whole streams on a floor of 20 boxes, unjudged."""
    walker, scene = walker_of(library), environment(20, seed=2)
    floor = floor_of(walker, scene)
    out = []
    for mode in ("free start", "goal heading"):
        first, rest, ratios, arrived = [], [], [], 0
        for number, (start, goal) in enumerate(queries(walker, floor, mode, count + 3)):
            stream = WalkStream(
                TripSearch(
                    walker=walker,
                    stage=DynamicScene(walker, floor, []),
                    start=start,
                    goal=goal,
                    options=StreamOptions(),
                )
            )
            spent = cpu_seconds(stream)
            if number < 3 or not spent:
                continue
            first.append(spent[0])
            rest += spent[1:]
            result = stream.result
            if result is not None and result.status and result.trace is not None:
                arrived += 1
                ratios.append(result.trace.length_m / result.trace.path_length_m)
        out.append({"case": case, "method": f"first chunk, {mode}", "total": count, **_times(first)})
        out.append(
            {
                "case": case,
                "method": f"later chunks, {mode}",
                "solved": arrived,
                "total": count,
                **_times(rest),
                "length_ratio": float(np.median(ratios)) if ratios else None,
            }
        )
    return out


def cpu_seconds(stream: WalkStream) -> list[float]:
    """What every chunk of a stream cost."""
    out = []
    while True:
        began = process_time()
        if next(stream, None) is None:
            return out
        out.append(process_time() - began)


def judged_row(library: Library, case: str, count: int) -> Row:
    """Streams whose pieces are judged before they are handed out."""
    walker, scene = walker_of(library), environment(12, seed=2)
    floor, passed, chunks, played, spent = floor_of(walker, scene), 0, [], 0.0, 0.0
    for start, goal in queries(walker, floor, "free start", count, seed=11):
        stream = stream_walk(library, scene, start=start, goal=goal, floor=floor)
        taken = cpu_seconds(stream)
        result = stream.result
        passed += bool(result and result.status)
        chunks += taken[1:]
        played, spent = played + stream.time_s, spent + sum(taken)
    row = {"case": case, "method": "judged streams", "verified": passed, "total": count, **_times(chunks)}
    return {**row, "played_s": played, "spent_s": spent}


def crowd_row(library: Library, case: str, people: int, seconds: float) -> Row:
    """People who walk between random places on a floor of 30 m by 30 m with 12 boxes."""
    walker = walker_of(library)
    scene = environment(12, seed=3)
    floor = floor_for(walker, scene, [np.zeros(2), np.full(2, _AREA_M)])
    crowd = Crowd(walker, DynamicScene(walker, floor, []))
    for k, (start, goal) in enumerate(_places(floor, people)):
        crowd.add(f"p{k}", start=start, goal=goal)
    return crowd_played(crowd, library, case, f"crowd of {people}, a tick", seconds)


def ring_row(library: Library, case: str, people: int) -> Row:
    """People on a circle who change sides, all through its middle."""
    walker = walker_of(library)
    crowd = Crowd(walker, DynamicScene(walker, None, [np.full(2, -8.0), np.full(2, 8.0)]))
    for k in range(people):
        angle = 2.0 * np.pi * k / people
        at = 5.0 * np.array([np.sin(angle), np.cos(angle)])
        crowd.add(f"p{k}", start=at, goal=-at)
    return crowd_played(crowd, library, case, f"ring of {people}, a tick", 60.0)


def crowd_played(crowd: Crowd, library: Library, case: str, method: str, seconds: float) -> Row:
    """Play a crowd at 30 pictures a second by the clock, as a viewer would."""
    began = process_time()
    frames, walls, late = [crowd.step()], [], []
    first_s = process_time() - began
    began, begin = process_time(), perf_counter()
    while not crowd.done and crowd.time_s < seconds:
        due = begin + len(walls) / 30.0
        sleep(max(due - perf_counter(), 0.0))
        clock = perf_counter()
        frames.append(crowd.step())
        walls.append(perf_counter() - clock)
        late.append(perf_counter() - due)
    cpu_s = (process_time() - began) / max(len(walls), 1)
    return {
        "case": case,
        "method": method,
        "solved": sum(bool(trip.result.status) for trip in crowd.trips.values()),
        "total": len(crowd),
        "played_s": crowd.time_s,
        **_times(walls),
        "p99_s": float(np.percentile(walls, 99)),
        "max_s": float(np.max(walls)),
        "cpu_s": cpu_s,
        "first_s": first_s,
        "over_33_ms": float(np.mean(np.array(walls) > 1.0 / 30.0)),
        "late_33_ms": float(np.mean(np.array(late) > 1.0 / 30.0)),
        "closest_m": min(closest(library, frame) for frame in frames[::3]),
    }


def _places(floor: Floor, people: int) -> list[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(0)
    starts: list[np.ndarray] = []
    goals: list[np.ndarray] = []
    while len(goals) < people:
        at, to = rng.uniform(0.0, _AREA_M, (2, 2))
        alone = all(np.hypot(*(at - one)) > _APART_M for one in starts)
        alone = alone and all(np.hypot(*(to - one)) > _APART_M for one in goals)
        if alone and np.hypot(*(at - to)) > 8.0 and floor.connected(at, to, 0.5):
            starts.append(at)
            goals.append(to)
    return list(zip(starts, goals, strict=True))


def closest(library: Library, frame: CrowdFrame) -> float:
    """Smallest gap between the capsules of any two people [m]; no more than 1 m."""
    body, roots = walker_of(library).body, frame.root_positions
    people = Motion(skeleton=library.skeleton, fps=30.0, root_positions=roots, rotations=frame.rotations)
    world = motion_world(people)
    axes = np.stack(body.capsule_segments(world.positions, world.rotations), axis=2)
    radii = body.capsule_radii
    i, j = (index.ravel() for index in np.meshgrid(np.arange(len(radii)), np.arange(len(radii))))
    gap = 1.0
    for a in range(len(roots)):
        for b in range(a):
            if np.hypot(*(roots[a] - roots[b])[[0, 2]]) < 1.4:
                apart = gaps_of_rows(axes[a, i], axes[b, j]) - radii[i] - radii[j]
                gap = min(gap, float(apart.min()))
    return gap


def _times(seconds: list[float]) -> Row:
    if not seconds:
        return {}
    return {
        "mean_s": float(np.mean(seconds)),
        "median_s": float(np.median(seconds)),
        "p95_s": float(np.percentile(seconds, 95)),
        "best_s": float(np.min(seconds)),
    }


def bench(motion: Path | None, *, quick: bool) -> list[Row]:
    """Every row."""
    found = {"built-in": build_library(builtin_clips("walk"))}
    if motion is not None:
        found["CMU 69"] = build_library(clips(motion, WALK_69))
    rows: list[Row] = []
    for name, library in found.items():
        rows += stream_rows(library, name, 10 if quick else 200)
        rows.append(judged_row(library, name, 2 if quick else 20))
    crowd_row(found["built-in"], "built-in", 2, 2.0)  # compiles
    for people in (10, 50):
        rows.append(crowd_row(found["built-in"], "built-in", people, 10.0 if quick else 40.0))
    # Rings are played by the clock until everybody has arrived, twelve people for most of a minute.
    rows += [ring_row(found["built-in"], "built-in", people) for people in ((8,) if quick else (8, 12))]
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.suites.streaming", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="folder of CMU clips as BVH; else the built-in performer")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    table = bench(arguments.folder, quick=arguments.quick)
    console = Console(width=200)
    console.print(f"{machine()}\n{versions()}", highlight=False)
    _show(console, table)
    if arguments.output:
        document = {"suite": "streaming", "machine": machine(), "versions": versions(), "rows": table}
        arguments.output.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
