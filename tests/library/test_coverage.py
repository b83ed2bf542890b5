from __future__ import annotations

import numpy as np
import pytest
from walkers import walker

from understudy.core import Motion, PlanarTransform
from understudy.library import Library, LibraryOptions, build_library, coverage_of
from understudy.library.coverage import reached_area_m2
from understudy.library.planar_arrays import transform


def test_turns_and_speeds_are_those_of_the_walks(library: Library, walks: list[Motion]) -> None:
    coverage = coverage_of(library)
    for node in range(len(library)):
        turn = float(library.take(node).name.split()[1])
        assert coverage.turn_rates_degps[node] == pytest.approx(turn, abs=1.0)
        assert coverage.speeds_mps[node] == pytest.approx(1.0, abs=0.05)
        assert coverage.lateral_mps[node] == pytest.approx(0.0, abs=0.05)
    assert coverage.counts["straight"] > 0 and coverage.counts["gentle left"] > 0
    assert coverage.counts["gentle right"] > 0 and coverage.counts["sharp left"] > 0
    assert sum(coverage.counts.values()) == coverage.nodes == len(library)
    assert coverage.edges == library.graph.edges and coverage.dead_ends == library.segments - coverage.nodes


def test_what_is_missing_is_named(library: Library) -> None:
    missing = "\n".join(coverage_of(library).missing)
    assert "sharp right" in missing and "turn on the spot left" in missing and "sideways left" in missing
    assert "mirrored" in missing
    assert "gentle left" not in missing and "straight" not in missing


def test_side_steps_are_counted_as_such() -> None:
    motion = walker(sideways=True, speed_mps=0.45, stride_s=1.6, seconds=7.0)
    coverage = coverage_of(build_library([motion], options=LibraryOptions(threshold_m=0.15, trials=False)))
    assert coverage.counts["sideways left"] == coverage.nodes > 0


def test_reached_area_equals_following_every_way(library: Library) -> None:
    def follow(node: int, at: PlanarTransform, left: int) -> set[tuple[int, int]]:
        graph = library.graph
        end = at @ transform(graph.moves[node])
        cells = {(int(np.floor(end.x_m / 0.25)), int(np.floor(end.z_m / 0.25)))}
        if left > 1:
            for edge in range(graph.edge_starts[node], graph.edge_starts[node + 1]):
                cells |= follow(int(graph.targets[edge]), at @ transform(graph.transforms[edge]), left - 1)
        return cells

    areas = reached_area_m2(library, 0, clips=3)
    assert (np.diff(areas) >= 0).all()
    # Two clips: no two ways are merged before they are counted.
    assert areas[1] == pytest.approx(len(follow(0, PlanarTransform(), 1) | follow(0, PlanarTransform(), 2)) / 16.0)
    # Three: ways that meet in one cell are followed once, which can only lose a little.
    everything = len(follow(0, PlanarTransform(), 3)) / 16.0
    assert 0.7 * everything <= areas[2] <= everything + 1e-9


def test_reach_grows_with_variety(library: Library, walks: list[Motion]) -> None:
    straight = build_library(walks[:1], options=LibraryOptions(threshold_m=0.06, trials=False))
    assert coverage_of(library).reach_m2[-1] > 2 * coverage_of(straight).reach_m2[-1]
