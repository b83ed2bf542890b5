"""Error maps against plain loops over all ways."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.heat_map import heat_map
from benchmarks.suites.map_coverage import reach_map

from understudy.errors import PlanningInputError
from understudy.library import build_library
from understudy.locomotion import walker_of
from understudy.locomotion.published.maps.motion_maps import MapOptions, build_maps
from understudy.performer import builtin_clips


def test_reach_is_that_of_a_plain_search() -> None:
    walker = walker_of(build_library(builtin_clips("walk")))
    maps = build_maps(walker, MapOptions(clips=4))
    nodes = np.array([3, 20])
    found = reach_map(maps, nodes, size_m=6.0, cells=15)
    rng = np.random.default_rng(0)
    for row, column in rng.integers(0, 15, (40, 2)):
        x, z = (column + 0.5) * 0.4 - 3.0, (row + 0.5) * 0.4 - 3.0
        nearest, shortest, sectors = np.inf, np.inf, set()
        for node in nodes:
            places = maps.places[maps.starts[node] : maps.starts[node + 1]].astype(np.float64)
            parents = maps.parents[maps.starts[node] : maps.starts[node + 1]]
            lengths = maps.lengths_m[maps.starts[node] : maps.starts[node + 1]]
            first = np.linalg.norm(places[parents < 0, :2])
            for place, length in zip(places, lengths, strict=True):
                gap = np.hypot(place[0] - x, place[1] - z)
                nearest = min(nearest, gap)
                if gap <= 0.1:
                    shortest = min(shortest, (length + first) / max(np.hypot(x, z), 0.1))
                    sectors.add(int((place[2] + np.pi) % (2 * np.pi) // (np.pi / 6)))
        assert found.error_m[row, column] == pytest.approx(nearest, abs=1e-6)
        assert found.headings[row, column] == len(sectors)
        if sectors:
            assert found.length_ratio[row, column] == pytest.approx(shortest, abs=1e-5)
        else:
            assert np.isnan(found.length_ratio[row, column])
    assert 0.0 < found.reached < 1.0
    with pytest.raises(PlanningInputError, match="clips"):
        reach_map(maps, np.array([maps.nodes]))


def test_heat_maps_put_high_values_where_they_are() -> None:
    values = np.zeros((10, 10))
    values[9, 0] = 1.0  # farthest along +Z, lowest x: the upper left corner
    values[0, 9] = np.nan
    drawn = heat_map(values, size_m=5.0, low=0.0, high=1.0, pixels=200)
    red, green, blue = drawn.getpixel((44 + 5, 44 + 5))
    assert red > 150 > green and blue < 100
    assert drawn.getpixel((44 + 195, 44 + 195)) == (232, 232, 232)
    assert drawn.getpixel((44 + 5, 44 + 195))[2] > 90
