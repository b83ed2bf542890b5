"""The five papers' tables in their own form, with our number beside the published one.

A cell reads *published / ours*; a dash is what one side does not have. Computers were those of their day, so ratios of
times say little about algorithms; what can be compared is success, lengths and counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.published import (
    FOLLOWING,
    POSTURE_TABLE,
    SAMPLING_TABLES,
    TABLE_31,
    TABLE_32,
    TABLE_33,
    TABLE_34,
    TABLE_41,
    TABLE_42,
    TABLE_43,
    TABLE_44,
)

Rows = Sequence[Mapping[str, Any]]
Line = tuple[str, ...]
#: Depth -> two figures.
Published = Mapping[int, tuple[float, float]]

_THESIS = "feature-based motion graphs and motion maps (thesis); it does not name its computer"
_SAMPLING = "environment-aware motion sampling; Intel P9700 at 2.8 GHz, a 64-bit Windows laptop"
_POSTURES = "posture energy; Intel i7-2760QM at 2.4 GHz, 8 GB, Windows 8"
_LIMBS = "planning limb motions; a computer of its day, not named with the times"
_INTERACTION = "editing interactions; one core of an Intel Core2 Duo at 2.8 GHz"
#: The thesis's four environments, by how many boxes stand in ours.
_PLACES = {"1 (none)": "6 boxes", "2 (small)": "12 boxes", "3 (medium)": "20 boxes", "4 (large)": "30 boxes"}


@dataclass(frozen=True)
class PaperTable:
    """One table.

    Attributes:
        suite: Whose rows it takes.
        title: Number and subject.
        paper: Which paper, and on what it was measured.
        head: Names of the columns.
        lines: Makes the cells of all rows from a suite's rows.
    """

    suite: str
    title: str
    paper: str
    head: Line
    lines: Callable[[Rows], Iterator[Line]]


def value(rows: Rows, case: str, method: str, key: str) -> Any:
    """A number of the first row of a case by a method; ``None`` without one."""
    for row in rows:
        if row.get("case") == case and row.get("method") == method and row.get(key) is not None:
            return row[key]
    return None


def pair(published: object, ours: Any, *, scale: float = 1.0) -> str:
    """A cell."""
    return f"{_number(published)} / {_number(None if ours is None else scale * float(ours))}"


def _number(one: Any) -> str:
    if one is None:
        return "–"
    if not isinstance(one, float):
        return str(one)
    return f"{one:,.0f}" if abs(one) >= 1000.0 else f"{one:.4g}"


def _share(rows: Rows, case: str, method: str) -> float | None:
    solved, total = (value(rows, case, method, key) for key in ("solved", "total"))
    return None if solved is None or not total else 100.0 * solved / total


def _construction(rows: Rows) -> Iterator[Line]:
    for frames, *published in TABLE_31:
        case = f"{frames} frames"
        cells = []
        for method, numbers in zip(("standard", "feature"), published, strict=True):
            keys = ("cpu_s", "nodes", "edges")
            cells += [pair(one, value(rows, case, method, key)) for one, key in zip(numbers, keys, strict=True)]
        yield case, *cells, _number(value(rows, case, "pair by pair (standard)", "median_s"))


_SEARCH, _GAINS = ("median_s", "length_m", "expansions"), ("time_pct", "length_pct", "expansions_pct")


def _searches(rows: Rows) -> Iterator[Line]:
    for (name, place), (mutual, *published, gains) in zip(_PLACES.items(), TABLE_32, strict=True):
        total = value(rows, f"standard graph, {place}", "A*", "total")
        both = value(rows, place, "3.2: feature graph", "mutual")
        cells = [pair(mutual, None if not total or both is None else 100.0 * both / total)]
        for graph, numbers in zip(("standard", "feature"), published, strict=True):
            ours = [value(rows, f"{graph} graph, {place}", "A*", key) for key in _SEARCH]
            cells += [pair(one, own) for one, own in zip(numbers, ours, strict=True)]
        own = [value(rows, place, "3.2: feature graph", key) for key in _GAINS]
        cells += [pair(one, two) for one, two in zip(gains, own, strict=True)]
        yield f"{name}, {place}", *cells


_ALL_33 = tuple(
    f"3.3: IBK, {graph}, {how}" for graph in ("standard", "feature") for how in ("channel", "without channel")
)
_PERCENT = ("length_pct", "expansions_pct", "time_pct")


def _percents(rows: Rows, place: str, method: str, published: Sequence[float]) -> list[str]:
    return [pair(one, value(rows, place, method, key)) for one, key in zip(published, _PERCENT, strict=True)]


def _ibk(rows: Rows) -> Iterator[Line]:
    for (name, place), published in zip(_PLACES.items(), TABLE_33, strict=True):
        cells = [_percents(rows, place, method, some) for method, some in zip(_ALL_33, published, strict=True)]
        yield f"{name}, {place}", *(cell for part in cells for cell in part)


def _techniques(rows: Rows) -> Iterator[Line]:
    for name, (method, published) in TABLE_34.items():
        cells = [_percents(rows, place, method, some) for place, some in zip(_PLACES.values(), published, strict=True)]
        yield name, *(cell for part in cells for cell in part)


def _following(graph: str) -> Callable[[Rows], Iterator[Line]]:
    def lines(rows: Rows) -> Iterator[Line]:
        case = f"{graph} graph, 30 boxes"
        for name, method in (("A*", "A* + IBK"), ("A* in the channel", "channel + IBK"), ("motion maps", "maps")):
            success, ms, length = FOLLOWING[graph][name]
            took, went = (value(rows, case, method, key) for key in ("median_s", "length_m"))
            yield (
                name,
                pair(success, _share(rows, case, method)),
                pair(ms, took, scale=1000.0),
                pair(length, went),
            )
        took = value(rows, case, "beam", "median_s")
        ours = (
            _share(rows, case, "beam"),
            None if took is None else 1000.0 * took,
            value(rows, case, "beam", "length_m"),
        )
        yield "our beam search", *(pair(None, one) for one in ours)

    return lines


def _map_sizes(published: Published, *, standard: bool) -> Callable[[Rows], Iterator[Line]]:
    def lines(rows: Rows) -> Iterator[Line]:
        for row in rows:
            if row.get("build_s") is not None and ("standard" in str(row["case"])) is standard:
                depth = _depth(row)
                seconds, size_mb = published.get(depth, (None, None))
                built, size = pair(seconds, row["build_s"]), pair(size_mb, row["bytes"], scale=1e-6)
                yield str(row["case"]), str(depth), built, size

    return lines


def _map_searches(published: Published, *, standard: bool) -> Callable[[Rows], Iterator[Line]]:
    def lines(rows: Rows) -> Iterator[Line]:
        for row in rows:
            case = str(row["case"])
            if not str(row.get("method", "")).startswith("maps") or not case.endswith("free start"):
                continue
            if ("standard" in case) is standard:
                depth = _depth(row)
                success, ms = published.get(depth, (None, None))
                found = 100.0 * row["solved"] / row["total"]
                yield case, str(depth), pair(success, found), pair(ms, row["median_s"], scale=1000.0)

    return lines


def _depth(row: Mapping[str, Any]) -> int:
    return int(str(row["method"]).rpartition("depth ")[2].rstrip(")"))


_MEASURES = ("transitions", "transition_cost_m", "frames", "location_cm", "orientation_deg", "distance_cm", "median_s")


def _sampled(*cases: str) -> Callable[[Rows], Iterator[Line]]:
    def lines(rows: Rows) -> Iterator[Line]:
        for case in cases:
            for (name, method), published in zip(
                (("PFF", "decoupled"), ("EMS", "sample")), SAMPLING_TABLES[case], strict=True
            ):
                ours = [value(rows, f"CMU: {case}", method, key) for key in _MEASURES]
                yield case, name, *(pair(one, own) for one, own in zip(published, ours, strict=True))
            tight = [value(rows, f"CMU: {case}", "tight", key) for key in _MEASURES]
            yield case, "our tight", *(pair(None, own) for own in tight)

    return lines


def _postures(rows: Rows) -> Iterator[Line]:
    for case, (plain, zone) in POSTURE_TABLE.items():
        ours = (value(rows, case, f"ours, d = 3{more}", "cpu_s") for more in ("", ", safe zone"))
        yield case, *(pair(one, own) for one, own in zip((plain, zone), ours, strict=True))


def _limbs(rows: Rows) -> Iterator[Line]:
    for what, published, case in (
        ("one planned arm motion", "about 1", "random reaches"),
        ("plan and smooth among 30,000 triangles", "about 2", "30,000 triangles"),
    ):
        yield what, pair(published, value(rows, case, "ours, verified", "median_ms"), scale=0.001)


def _edits(rows: Rows) -> Iterator[Line]:
    for row in rows:
        if row.get("method") == "edit step" and row.get("median_s"):
            yield str(row["case"]), pair("interactive", 1.0 / row["median_s"])


_GAIN = ("length %", "expansions %", "time %")
TABLES: tuple[PaperTable, ...] = (
    PaperTable(
        "library",
        "Table 3.1: building motion graphs",
        _THESIS,
        (
            "frames",
            *(f"{graph}: {what}" for graph in ("standard", "feature") for what in ("s", "nodes", "edges")),
            "naive, pair by pair, here: s",
        ),
        _construction,
    ),
    PaperTable(
        "locomotion",
        "Table 3.2: searching standard and feature graphs by A*",
        _THESIS,
        (
            "environment",
            "mutual %",
            *(f"{graph}: {what}" for graph in ("standard", "feature") for what in ("s", "m", "expansions")),
            "gain: time %",
            "length %",
            "expansions %",
        ),
        _searches,
    ),
    PaperTable(
        "locomotion",
        "Table 3.3: gained by inverse branch kinematics",
        _THESIS,
        ("environment", *(f"{name[10:]}: {what}" for name in _ALL_33 for what in _GAIN)),
        _ibk,
    ),
    PaperTable(
        "locomotion",
        "Table 3.4: gained over standard graphs",
        _THESIS,
        ("technique", *(f"{name}: {what}" for name in _PLACES for what in _GAIN)),
        _techniques,
    ),
    PaperTable(
        "maps",
        "Table 4.1: motion maps of standard graphs",
        _THESIS,
        ("library", "depth", "built: s", "size: MB"),
        _map_sizes(TABLE_41, standard=True),
    ),
    PaperTable(
        "maps",
        "Table 4.2: motion maps of feature graphs",
        _THESIS,
        ("library", "depth", "built: s", "size: MB"),
        _map_sizes(TABLE_42, standard=False),
    ),
    PaperTable(
        "maps",
        "Table 4.3: success by depth, feature graphs",
        _THESIS,
        ("case", "depth", "success %", "ms"),
        _map_searches(TABLE_43, standard=False),
    ),
    PaperTable(
        "maps",
        "Table 4.4: success by depth, standard graphs",
        _THESIS,
        ("case", "depth", "success %", "ms"),
        _map_searches(TABLE_44, standard=True),
    ),
    PaperTable(
        "locomotion",
        "Table 4.5: following paths, feature graph",
        _THESIS,
        ("method", "success %", "ms", "length m"),
        _following("feature"),
    ),
    PaperTable(
        "locomotion",
        "Table 4.6: following paths, standard graph",
        _THESIS,
        ("method", "success %", "ms", "length m"),
        _following("standard"),
    ),
    PaperTable(
        "sampling",
        "Table 1: two corners, means",
        _SAMPLING,
        ("scene", "method", *(key.replace("_", " ") for key in _MEASURES)),
        _sampled("two corners"),
    ),
    PaperTable(
        "sampling",
        "Table 2: object-cluttered space, means, and the grid",
        _SAMPLING,
        ("scene", "method", *(key.replace("_", " ") for key in _MEASURES)),
        _sampled("clutter, random, low", "clutter, grid, low"),
    ),
    PaperTable(
        "postures",
        "Table 1: stage one",
        _POSTURES,
        ("case", "without safe zone: s", "with safe zone: s"),
        _postures,
    ),
    PaperTable("limbs", "Times said in the text", _LIMBS, ("what", "s"), _limbs),
    PaperTable("interaction", "Rates said in the text", _INTERACTION, ("what", "edits a second"), _edits),
)
