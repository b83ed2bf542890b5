"""Walking in furnished rooms at random, with anybody's clips: from standing to standing, with headings, and freely.

    python -m benchmarks.suites.rooms [--first SEED] [--count N] [--generator furnished|flat] [--libraries A|B]
        [--wishes A|B] [--door WIDTH] [-o OUT]

For every trip a way exists with half the width of the person's shoulders and 5 cm. Rows are libraries by what is asked;
``synthesised`` is the share of solved walks in which steps were made. Seconds are processor time. Seeds below 1000 of
``furnished`` were tuned on; report others, and ``flat``.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

import understudy as us
from benchmarks.suites.room_scenes import GENERATORS, door, trip
from understudy.locomotion import Spot
from understudy.locomotion.footsteps.ways import half_width_m

Row = dict[str, Any]
#: Clips of CMU subjects, by file; whoever has no such clips skips the row.
LIBRARIES: dict[str, tuple[str, ...]] = {
    "built-in": (),
    "69": ("69_0*", "69_1*", "69_2*", "69_3*"),
    "143": ("143_*",),
    "91": ("91_*",),
    "35": ("35_*",),
    "104": ("104_*",),
    "16": ("16_1*", "16_2*", "16_3*"),
    "82": ("82_*",),
    "mixed": ("16_16", "69_2*", "35_01", "82_12", "137_26"),
    "one clip": ("16_16",),
}
WISHES = ("free", "headings", "standing", "doorway")
_SPARE_M = 0.05
_DOOR_M = 0.70


@lru_cache
def library(name: str, folder: Path | None) -> us.Library | None:
    """A library by name; ``None`` where its clips are not there."""
    if name == "built-in":
        from understudy.api.builtin_library import builtin_library

        return builtin_library()
    files = [] if folder is None else sorted({path for one in LIBRARIES[name] for path in folder.glob(f"{one}.bvh")})
    return us.build_library(us.load_motions(files)) if files else None


def asked(clips: us.Library, scene: us.Scene, start: Any, goal: Any, wish: str) -> us.Result:
    """One walk as it is wished for."""
    if wish == "free":
        return us.walk(clips, scene, start=start[:2], goal=goal[:2])
    if wish == "headings":
        return us.walk(clips, scene, start=start, goal=goal)
    spot = Spot(position=start[:2], heading_rad=float(np.radians(start[2])), still=True)
    return us.walk(clips, scene, start=spot, goal=goal, options=us.WalkOptions(stop=True))


def rows_of(
    name: str,
    clips: us.Library,
    generator: str,
    seeds: range,
    told: Any = print,
    *,
    wishes: Sequence[str] = WISHES,
    door_m: float = _DOOR_M,
) -> list[Row]:
    """The rows of one library: trips through rooms, and doorways of a width from standing to standing."""
    room = half_width_m(clips.skeleton) + _SPARE_M
    out = []
    for wish in wishes:
        seen: list[tuple[bool, bool, float, float]] = []
        for seed in seeds:
            if wish == "doorway":
                scene, start, goal = door(door_m, np.random.default_rng([seed, 7]))
            else:
                scene, _, start, goal = trip(generator, seed, room)
            began = time.process_time()
            result = asked(clips, scene, start, goal, "standing" if wish == "doorway" else wish)
            spent = time.process_time() - began
            judged = result.stats.stage_seconds.get("judge", 0.0)
            seen.append((bool(result.status), getattr(result.trace, "synthesised_s", 0.0) > 0.0, spent, spent - judged))
            if not result.status:
                told(f"{name}, {wish}, {generator} {seed}: {result.reason[:200]}")
        solved, made, spent_s, search_s = (np.array(column) for column in zip(*seen, strict=True))
        out.append(
            {
                "case": f"{name}, {wish}",
                "method": f"doorway {door_m:.2f} m" if wish == "doorway" else generator,
                "solved": int(solved.sum()),
                "total": len(solved),
                "synthesised": float(made[solved].mean()) if solved.any() else 0.0,
                "median_s": float(np.median(spent_s)),
                "p95_s": float(np.percentile(spent_s, 95)),
                "search_s": float(np.median(search_s)),
            }
        )
        told(json.dumps(out[-1]))
    return out


def bench(motion: Path | None, *, quick: bool) -> list[Row]:
    """Every row of both generators."""
    seeds = range(1000, 1003 if quick else 1100)
    names = ("built-in", "one clip") if quick else tuple(LIBRARIES)
    known = [(name, library(name, motion)) for name in names]
    return [
        row
        for generator in GENERATORS
        for name, clips in known
        if clips is not None
        for row in rows_of(name, clips, generator, seeds, lambda _: None)
    ]


def main() -> None:
    """Measure and tell."""
    from benchmarks.suites import recorded_clips

    parser = argparse.ArgumentParser(prog="python -m benchmarks.suites.rooms", description=__doc__)
    parser.add_argument("--first", type=int, default=1000)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--generator", choices=tuple(GENERATORS), default="furnished")
    parser.add_argument("--libraries", default="|".join(LIBRARIES))
    parser.add_argument("--wishes", default="|".join(WISHES))
    parser.add_argument("--door", type=float, default=_DOOR_M, help="width of doorways [m]")
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    table: list[Row] = []
    for name in arguments.libraries.split("|"):
        clips = library(name, recorded_clips())
        if clips is None:
            print(f"{name}: its clips are not here")
            continue
        seeds = range(arguments.first, arguments.first + arguments.count)
        table += rows_of(
            name,
            clips,
            arguments.generator,
            seeds,
            lambda text: print(text, flush=True),
            wishes=arguments.wishes.split("|"),
            door_m=arguments.door,
        )
    if arguments.output is not None:
        arguments.output.write_text(json.dumps(table, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
