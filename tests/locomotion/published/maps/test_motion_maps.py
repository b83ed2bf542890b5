"""Motion maps against a plain expansion, against unrolled motions, and through files."""

from __future__ import annotations

import heapq
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy.errors import FormatError, OptionError
from understudy.formats.npz_archive import write_arrays
from understudy.library import Library, load_library, save_library, unroll
from understudy.library.features import headings_rad
from understudy.library.motion_maps import CELL_M, SECTORS, TYPES, MotionMaps
from understudy.library.planar_arrays import composed
from understudy.locomotion import Walker
from understudy.locomotion.published.maps._map_kernels import ThinTable, cell_of, expanded
from understudy.locomotion.published.maps.motion_maps import (
    MapOptions,
    build_maps,
    library_edges,
    maps_of,
    thinned,
    with_maps,
)


@pytest.fixture(scope="module")
def maps(walker: Walker) -> MotionMaps:
    return build_maps(walker, MapOptions(clips=5, fan=3, early_fan=3))


def random_graph(seed: int, nodes: int) -> ThinTable:
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 4, nodes)
    edges = int(counts.sum())
    around = rng.uniform([-0.4, -0.1, -1.5], [0.4, 0.7, 1.5], (edges + nodes, 3))
    return ThinTable(
        edge_starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        targets=rng.integers(0, nodes, edges),
        transforms=around[:edges].copy(),
        moves=around[edges:].copy(),
        lengths=rng.uniform(0.1, 0.8, nodes),
    )


def plain_expansion(thin: ThinTable, root: int, clips: int) -> list[tuple[int, list[int], float]]:
    """The thesis's algorithm 1 with whole ways in a queue: cell and last clip, edges, length; in the order found."""
    queue: list[tuple[float, int, list[int]]] = [(float(thin.lengths[root]), 0, [])]
    seen, found, pushed = set(), [], 1
    while queue:
        length, _, edges = heapq.heappop(queue)
        at = np.zeros(3)
        for edge in edges:
            at = composed(at, thin.transforms[edge])
        node = int(thin.targets[edges[-1]]) if edges else root
        end = composed(at, thin.moves[node])
        turned = (end[2] + np.pi) % (2 * np.pi)
        state = (int(end[0] // 0.1), int(end[1] // 0.1), int(turned // (np.pi / 6)), node)
        if len(edges) >= clips or state in seen:
            continue
        seen.add(state)
        found.append((state, edges, length))
        for edge in range(thin.edge_starts[node], thin.edge_starts[node + 1]):
            heapq.heappush(queue, (length + float(thin.lengths[thin.targets[edge]]), pushed, [*edges, edge]))
            pushed += 1
    return found


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), nodes=st.integers(1, 7), clips=st.integers(1, 6))
def test_expansion_is_the_plain_one(seed: int, nodes: int, clips: int) -> None:
    thin = random_graph(seed, nodes)
    ways = expanded(thin, 0, np.full(clips - 1, 9), 10_000)
    expected = plain_expansion(thin, 0, clips)
    assert len(ways.ends) == len(expected) and not ways.full
    for k, (state, edges, length) in enumerate(expected):
        trail, at = [], k
        while ways.parents[at] >= 0:
            trail.append(int(ways.edges[at]))
            at = int(ways.parents[at])
        assert trail[::-1] == edges
        assert ways.depths[k] == len(edges)
        assert ways.lengths[k] == pytest.approx(length)
        assert cell_of(*ways.ends[k]) == state[:3]


def test_a_full_map_holds_the_shortest_ways() -> None:
    thin = random_graph(3, 6)
    whole, cut = (expanded(thin, 0, np.full(5, 9), most) for most in (10_000, 20))
    assert cut.full and len(cut.ends) == 20 < len(whole.ends)
    np.testing.assert_array_equal(cut.ends, whole.ends[:20])
    assert (np.diff(whole.lengths) >= 0.0).all()


def test_maps_hold_what_was_expanded(walker: Walker, maps: MotionMaps) -> None:
    graph, (kept, starts) = walker.graph, thinned(walker.graph, 3)
    thin = ThinTable(
        edge_starts=starts,
        targets=graph.targets[kept],
        transforms=graph.transforms[kept],
        moves=graph.moves,
        lengths=walker.lengths_m,
    )
    names = library_edges(walker)[kept]
    for node in (0, len(walker.library) // 2):
        ways = expanded(thin, node, np.full(4, 3), 100_000)
        expected = set()
        for k in range(len(ways.ends)):
            trail, at = [], k
            while ways.parents[at] >= 0:
                trail.append(int(names[ways.edges[at]]))
                at = int(ways.parents[at])
            expected.add(tuple(trail[::-1]))
        size = int(maps.starts[node + 1] - maps.starts[node])
        assert {tuple(maps.way(node, place)) for place in range(size)} == expected
        assert maps.average_m[node] == pytest.approx(ways.lengths.mean())
        whole = maps.lengths_m[maps.starts[node] : maps.starts[node + 1]] + walker.lengths_m[node]
        np.testing.assert_allclose(np.sort(whole), ways.lengths, atol=1e-5)


def cell_number(maps: MotionMaps, node: int, x: float, z: float, yaw: float) -> int:
    column, row, sector = cell_of(x, z, yaw)
    left, low, wide, _ = maps.grids[node].tolist()
    return ((row - low) * wide + column - left) * SECTORS + sector


def test_every_way_unrolls_into_its_cell(library: Library, maps: MotionMaps) -> None:
    graph, rng = library.graph, np.random.default_rng(0)
    for _ in range(25):
        node = int(rng.integers(len(library)))
        first = int(maps.starts[node])
        place = int(rng.integers(maps.starts[node + 1] - first))
        nodes = [node, *(int(graph.targets[edge]) for edge in maps.way(node, place))]
        motion = unroll(library, nodes).motion
        x, z = motion.root_positions[-1, [0, 2]]
        yaw = headings_rad(motion)[-1]
        np.testing.assert_allclose([x, z], maps.places[first + place, :2], atol=2e-5)
        near = {
            cell_number(maps, node, x + dx, z + dz, yaw + turn)
            for dx in (-2e-5, 2e-5)
            for dz in (-2e-5, 2e-5)
            for turn in (-1e-4, 1e-4)
        }
        assert int(maps.cells[first + place]) in near


def test_every_way_of_a_map_ends_where_it_says(library: Library, maps: MotionMaps) -> None:
    graph = library.graph
    for node in range(0, len(library), 9):
        first, stop = maps.starts[node], maps.starts[node + 1]
        frames = np.zeros((stop - first, 3))
        for place in np.argsort(maps.depths[first:stop], kind="stable"):
            way = maps.way(node, int(place))
            frames[place] = composed(frames[maps.parents[first + place]], graph.transforms[way[-1]]) if way else 0.0
        last = np.where(maps.edges[first:stop] < 0, node, graph.targets[maps.edges[first:stop]])
        ends = composed(frames, graph.moves[last])
        np.testing.assert_allclose(ends[:, :2], maps.places[first:stop, :2], atol=1e-5)
        np.testing.assert_allclose(np.exp(1j * ends[:, 2]), np.exp(1j * maps.places[first:stop, 2]), atol=1e-5)


def test_thinning_keeps_the_cheapest_and_spreads_the_rest(walker: Walker) -> None:
    graph = walker.graph
    chosen, starts = thinned(graph, 4)
    more, more_starts = thinned(graph, 6)
    kept = np.zeros(len(graph.targets), dtype=bool)
    kept[chosen] = True
    for node in range(len(graph.moves)):
        edges = np.arange(graph.edge_starts[node], graph.edge_starts[node + 1])
        ours = chosen[starts[node] : starts[node + 1]]
        assert len(ours) == min(4, len(edges)) and set(ours) <= set(edges)
        assert graph.costs[ours[0]] == graph.costs[edges].min()
        assert ours.tolist() == more[more_starts[node] :][: len(ours)].tolist()
    turn = np.angle(np.exp(1j * (graph.transforms[:, 2] + graph.moves[graph.targets, 2])))
    spread, without = 0.0, 0.0
    for node in range(len(graph.moves)):
        edges = np.arange(graph.edge_starts[node], graph.edge_starts[node + 1])
        cheapest = edges[np.argsort(graph.costs[edges], kind="stable")[:4]]
        spread, without = spread + np.ptp(turn[edges[kept[edges]]]), without + np.ptp(turn[cheapest])
    assert spread > 2.0 * without


def test_saved_maps_come_back(library: Library, maps: MotionMaps, walker: Walker, tmp_path: Path) -> None:
    path = save_library(replace(library, maps=maps), tmp_path / "walk.usl")
    back = load_library(path)
    assert back.maps is not None
    assert (back.maps.clips, back.maps.fan, back.maps.thesis_depth) == (5, 3, 10)
    for name in TYPES:
        ours, theirs = getattr(maps, name), getattr(back.maps, name)
        assert ours.dtype == theirs.dtype and np.array_equal(ours, theirs)
        assert not ours.flags.writeable and not theirs.flags.writeable
    assert save_library(back, tmp_path / "again.usl").read_bytes() == path.read_bytes()
    assert maps_of(Walker(back, walker.body)) is back.maps
    assert load_library(save_library(library, tmp_path / "without.usl")).maps is None


def arrays_of(path: Path) -> dict[str, np.ndarray]:
    with np.load(path) as arrays:
        return {name: arrays[name] for name in arrays.files}


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("map_settings", lambda a: a * [99, 1, 1]),
        ("map_settings", lambda a: a * [1, 0, 1]),
        ("map_settings", lambda a: a[:2]),
        ("map_settings", lambda a: a - [0, 3, 0]),
        ("map_cells", lambda a: a[: len(a) // 2]),
        ("map_cells", lambda a: a[::-1].copy()),
        ("map_cells", lambda a: a.astype(np.int64)),
        ("map_cells", lambda a: a + 2**28),
        ("map_parents", lambda a: a[:-1]),
        ("map_parents", lambda a: np.abs(a)),
        ("map_parents", lambda a: np.where(a >= 0, a + 10**6, a).astype(np.int32)),
        ("map_parents", lambda a: np.where(a >= 0, 0, a).astype(np.int32)),
        ("map_depths", lambda a: a + 1),
        ("map_depths", lambda a: a[::-1].copy()),
        ("map_edges", lambda a: a + 10**6),
        ("map_edges", lambda a: np.where(a >= 0, 0, a).astype(np.int32)),
        ("map_places", lambda a: a * np.float32(np.nan)),
        ("map_places", lambda a: a[:, :2].copy()),
        ("map_starts", lambda a: a[::-1].copy()),
        ("map_starts", lambda a: a[:-1]),
        ("map_grids", lambda a: a * 0),
        ("map_average_m", lambda a: a * np.inf),
    ],
)
def test_maps_that_cannot_be_are_refused(library: Library, maps: MotionMaps, tmp_path: Path, name: str, change) -> None:
    arrays = arrays_of(save_library(replace(library, maps=maps), tmp_path / "walk.usl"))
    with np.errstate(invalid="ignore"):
        arrays[name] = change(arrays[name])
    path = tmp_path / "wrong.usl"
    write_arrays(path, arrays.items())
    with pytest.raises(FormatError, match="map"):
        load_library(path)


def test_a_missing_or_cut_map_is_refused(library: Library, maps: MotionMaps, tmp_path: Path) -> None:
    path = save_library(replace(library, maps=maps), tmp_path / "walk.usl")
    arrays = arrays_of(path)
    del arrays["map_edges"]
    write_arrays(tmp_path / "missing.usl", arrays.items())
    with pytest.raises(FormatError, match="map_edges"):
        load_library(tmp_path / "missing.usl")
    content = path.read_bytes()
    (tmp_path / "cut.usl").write_bytes(content[: len(content) - 3000])
    with pytest.raises(FormatError):
        load_library(tmp_path / "cut.usl")
    flipped = bytearray(content)
    flipped[content.rindex(b"map_places.npy", 0, len(content) - 10_000) + 4000] ^= 0x55
    (tmp_path / "flipped.usl").write_bytes(bytes(flipped))
    with pytest.raises(FormatError):
        load_library(tmp_path / "flipped.usl")


def test_fans_narrow_from_clip_to_clip() -> None:
    assert MapOptions(clips=7, fan=4, early_fan=20).fans().tolist() == [20, 10, 5, 4, 4, 4]
    assert MapOptions(clips=1).fans().tolist() == []
    thin = random_graph(5, 6)
    wide, narrow = (expanded(thin, 0, np.array(fans), 10_000) for fans in ([3, 3, 3], [3, 1, 1]))
    assert {*map(tuple, narrow.ends)} < {*map(tuple, wide.ends)}
    for k in range(len(narrow.ends)):
        if narrow.depths[k] > 1:
            before = thin.targets[narrow.edges[narrow.parents[k]]]
            assert narrow.edges[k] == thin.edge_starts[before]


def test_sizes_stay_below_what_is_asked(walker: Walker, library: Library) -> None:
    small = build_maps(walker, MapOptions(clips=8, fan=6, most_mb=1.0))
    assert small.nbytes < 1.05e6 + 16 * len(library) * 8
    with pytest.raises(OptionError, match="clips"):
        MapOptions(clips=0)
    mapped = with_maps(library, MapOptions(clips=2))
    assert mapped.maps is not None and mapped.seconds["maps"] > 0.0
    assert mapped.maps.occupied().sum() <= len(mapped.maps)
    assert CELL_M == 0.1 and SECTORS == 12
