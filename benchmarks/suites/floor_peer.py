"""Shortest paths with clearance beside the visibility graph of grown obstacles, one question a floor.

The visibility graph is plain NumPy and Shapely: discs of 32 corners around obstacles, every turning point joined with
every one it sees, Dijkstra. Both sides build their floor and answer one question.
"""

from __future__ import annotations

from time import thread_time

import numpy as np

from benchmarks.suites.floor_oracle import free_region, shortest_in
from benchmarks.suites.floor_scenes import FloorCase, random_case
from understudy.floor import floor_from_polygons

Row = dict[str, object]


def _ours(case: FloorCase) -> float:
    answer = floor_from_polygons(case.rings, bounds=case.bounds).path(case.start, case.goal, case.clearance_m)
    return answer.path.length_m if answer.path is not None else np.inf


def _theirs(case: FloorCase) -> float:
    region = free_region(case, case.clearance_m, corners=32, outside=True)
    return shortest_in(region, case.start, case.goal)


def peer_rows(boxes: tuple[int, ...], floors: int) -> list[Row]:
    """Ours and the visibility graph on floors of so many boxes."""
    _ours(random_case("boxes", 0, fewest=10, most=10))  # compiles
    rows: list[Row] = []
    for count in boxes:
        cases = [random_case("boxes", seed, fewest=count, most=count) for seed in range(floors)]
        lengths, spent = {}, {}
        for method, answer in (("ours", _ours), ("visibility graph", _theirs)):
            took, found = [], []
            for case in cases:
                began = thread_time()
                found.append(answer(case))
                took.append(thread_time() - began)
            lengths[method], spent[method] = np.array(found), np.array(took)
        both = np.isfinite(lengths["ours"]) & np.isfinite(lengths["visibility graph"])
        ratio = lengths["ours"][both] / lengths["visibility graph"][both]
        for method, took in spent.items():
            rows.append(
                {
                    "case": f"floor built and one path, {count} boxes",
                    "method": method,
                    "solved": int(np.isfinite(lengths[method]).sum()),
                    "total": len(cases),
                    "median_s": float(np.median(took)),
                    "p95_s": float(np.percentile(took, 95)),
                    "longest_over_peer": float(ratio.max()) if method == "ours" and both.any() else None,
                }
            )
    return rows
