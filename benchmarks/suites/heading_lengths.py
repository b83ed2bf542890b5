"""Given starts: how much of a walk's extra length could have been avoided.

    python -m benchmarks.suites.heading_lengths [../shared/motion/cmu_bvh] [--queries N]

Somebody in the middle of a clip has to play it and then turn. Beside the shortest path stands the shortest one that
respects this: the clip as it is, an arc of a turning circle, then straight to the best point of the path and along it.
Obstacles beside the arc are not looked at, so it is a lower bound for people who turn on that circle. What these clips
can do at best is shown by a beam ten times as wide.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.suites.locomotion import library_of
from benchmarks.suites.walk_queries import CLEARANCE_M, environment, floor_of, queries
from benchmarks.suites.walk_trials import TECHNIQUES, trials
from understudy.locomotion import Spot, Walker, walker_of
from understudy.locomotion.approach import path_table, paths_to

#: [m] radii of the turning circle: on the spot, a tight one and a comfortable one.
RADII_M = (0.0, 0.25, 0.5)


def after_clip(walker: Walker, start: Spot) -> tuple[float, np.ndarray, float]:
    """Length of the given clip [m], where it ends (x, z) [m] and where that faces [rad]."""
    graph, yaw = walker.graph, float(start.heading_rad or 0.0)
    x, z, turn = graph.moves[start.clip]
    c, s = np.cos(yaw), np.sin(yaw)
    end = start.point + np.array([c * x + s * z, -s * x + c * z])
    return float(graph.lengths[start.clip]), end, yaw + float(turn)


def arc_and_straight(at: np.ndarray, yaw: float, to: np.ndarray, radius: float) -> np.ndarray:
    """``(n,)`` lengths from a pose to points ``(n, 2)``: along a turning circle, then straight; infinite inside it."""
    if radius <= 0.0:
        return np.linalg.norm(to - at, axis=1)
    best = np.full(len(to), np.inf)
    for side in (1.0, -1.0):
        # Seen from the walker: +Z ahead, +X to the left; the circle's centre lies to one side.
        gap = to - at
        across = np.cos(yaw) * gap[:, 0] - np.sin(yaw) * gap[:, 1]
        ahead = np.sin(yaw) * gap[:, 0] + np.cos(yaw) * gap[:, 1]
        x, z = side * across - radius, ahead
        far = np.hypot(x, z)
        outside = far > radius
        reach = np.sqrt(np.maximum(far**2 - radius**2, 0.0))
        # Angle from the centre to the point, less that between it and where the tangent leaves the circle.
        angle = np.mod(np.arctan2(z, -x) - np.arccos(np.clip(radius / np.maximum(far, 1e-9), -1.0, 1.0)), 2.0 * np.pi)
        best = np.where(outside, np.minimum(best, radius * angle + reach), best)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--queries", type=int, default=300)
    arguments = parser.parse_args()
    for name in ("built-in",) if arguments.folder is None else ("CMU 69", "built-in"):
        walker = walker_of(library_of(arguments.folder, name))
        floor = floor_of(walker, environment(30, seed=3))
        asked = queries(walker, floor, "mid-walk", arguments.queries)
        found = trials(walker, floor, asked, TECHNIQUES["beam"])
        least = np.full((len(RADII_M), len(asked)), np.nan)
        for k, (start, goal) in enumerate(asked):
            shortest, _ = paths_to(floor, start, goal, [], CLEARANCE_M, aimed_rad=np.pi)
            table = path_table(shortest.path, goal)
            left = table.step_m * np.arange(len(table.points))[::-1]
            played, end, yaw = after_clip(walker, start)
            for r, radius in enumerate(RADII_M):
                least[r, k] = played + np.min(arc_and_straight(end, yaw, table.points, radius) + left)
        ok = found.solved
        print(
            f"{name}: {ok.sum()} of {len(asked)} solved, median {1000 * np.median(found.seconds):.1f} ms, "
            f"p95 {1000 * np.percentile(found.seconds, 95):.0f} ms"
        )
        print(f"  length / path: median {np.median((found.length_m / found.path_m)[ok]):.3f}")
        wide = trials(walker, floor, asked, replace(TECHNIQUES["beam"], width=10 * TECHNIQUES["beam"].width))
        print(
            f"  ten times as wide: {np.nanmedian(wide.length_m / wide.path_m):.3f}, "
            f"{1000 * np.median(wide.seconds):.0f} ms"
        )
        for radius, bound in zip(RADII_M, least, strict=True):
            print(
                f"  circle of {radius:g} m: bound / path {np.median((bound / found.path_m)[ok]):.3f}, "
                f"length / bound median {np.median((found.length_m / bound)[ok]):.3f}, "
                f"p95 {np.percentile((found.length_m / bound)[ok], 95):.3f}"
            )


if __name__ == "__main__":
    main()
