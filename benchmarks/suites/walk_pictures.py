"""Pictures of walking: how well a floor is reached by the search itself, and three walks through clutter.

    python -m benchmarks.suites.walk_pictures [../shared/motion/cmu_bvh] OUT

Error maps after Reitsma and Pollard: somebody in the middle of an empty floor of 10 m by 10 m who faces +Z and is about
to begin a given clip is sent to every place; what is drawn is how much longer than the straight line the walk is.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from PIL import Image

from benchmarks.heat_map import heat_map
from benchmarks.suites.locomotion import library_of
from benchmarks.suites.walk_queries import environment, floor_of, queries
from understudy.api.walking import walk
from understudy.floor import Floor
from understudy.library import Library
from understudy.locomotion import Spot, Walker, WalkOptions, floor_for, walker_of
from understudy.locomotion.approach import paths_to
from understudy.locomotion.search import plans
from understudy.locomotion.walking import problem_of
from understudy.pictures import show

SIZE_M, CELLS, STARTS = 10.0, 25, 4


def reached(walker: Walker, floor: Floor, start: Spot, goal: Spot, options: WalkOptions) -> float:
    """Length of the walk the search finds over the straight distance; not a number where it finds none."""
    found, ways = paths_to(floor, start, goal, [], options.clearance_m, aimed_rad=options.aimed_rad)
    if found.path is None:
        return np.nan
    branch = next(plans(problem_of(walker, floor, start, goal, next(iter(ways)), options), options.watch()))
    if not branch.arrives:
        return np.nan
    return float(walker.lengths_m[branch.nodes].sum() / max(float(np.hypot(*goal.point)), 0.1))


def coverage(library: Library) -> np.ndarray:
    """``(cells, cells)`` lengths over distances, the mean of those starts that arrive; rows along +Z."""
    walker = walker_of(library)
    half = SIZE_M / 2.0
    floor = floor_for(walker, None, [np.full(2, -half), np.full(2, half)])
    middle = (np.arange(CELLS) + 0.5) / CELLS * SIZE_M - half
    options, out = WalkOptions(), np.full((STARTS, CELLS, CELLS), np.nan)
    for n, clip in enumerate(np.linspace(0, len(library) - 1, STARTS).astype(int).tolist()):
        for i, z in enumerate(middle):
            for j, x in enumerate(middle):
                start, goal = Spot(position=(0.0, 0.0), heading_rad=0.0, clip=clip), Spot(position=(x, z))
                out[n, i, j] = reached(walker, floor, start, goal, options)
    found = np.isfinite(out)
    print(f"reached {found.mean():.3f}; median length over distance {np.nanmedian(out):.2f}")
    return np.where(found.any(axis=0), np.where(found, out, 0.0).sum(axis=0) / np.maximum(found.sum(axis=0), 1), np.nan)


def winding(floor: Floor, start: Spot, goal: Spot) -> float:
    """How much longer than the straight line a path is."""
    path = floor.path(start.point, goal.point, WalkOptions().clearance_m).path
    return 0.0 if path is None else path.length_m / float(np.hypot(*(goal.point - start.point)))


def walks(library: Library, out: Path) -> None:
    """Three walks as strobes and from above, one page."""
    walker, rows = walker_of(library), []
    for k, mode in enumerate(("free start", "start heading", "goal heading")):
        scene = environment(30, seed=k)
        floor = floor_of(walker, scene)
        start, goal = max(queries(walker, floor, mode, 40, seed=3), key=lambda ends: winding(floor, *ends))
        result = walk(library, scene, floor=floor, start=start, goal=goal)
        print(mode, result.status.value, result.reason)
        if result.motion is not None:
            pictures = [out / f"walk-{k}-strobe.png", out / f"walk-{k}-top.png"]
            show(result.motion, pictures[0], style="strobe", poses=14, props=scene.props())
            show(result.motion, pictures[1], style="top", props=scene.props())
            drawn = [Image.open(path).convert("RGB") for path in pictures]
            rows.append([one.resize((round(one.width * 420 / one.height), 420)) for one in drawn])
            for path in pictures:
                path.unlink()
    page = Image.new("RGB", (max(sum(one.width for one in row) for row in rows), 420 * len(rows)), "#ffffff")
    for k, row in enumerate(rows):
        left = 0
        for one in row:
            page.paste(one, (left, 420 * k))
            left += one.width
    page.save(out / "walks.png", optimize=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    drawn, names = [], ("built-in",) if arguments.folder is None else ("CMU 69", "built-in")
    for name in names:
        library = library_of(arguments.folder, name)
        title = f"{name}, given clip, by search: length over distance"
        drawn.append(heat_map(coverage(library), size_m=SIZE_M, low=1.0, high=2.0, title=title, pixels=400))
    page = Image.new("RGB", (sum(one.width for one in drawn), drawn[0].height), "#ffffff")
    for k, one in enumerate(drawn):
        page.paste(one, (k * drawn[0].width, 0))
    page.save(arguments.out / "search-coverage.png")
    walks(library_of(arguments.folder, names[0]), arguments.out)


if __name__ == "__main__":
    main()
