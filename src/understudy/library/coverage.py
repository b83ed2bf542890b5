"""What a library can do: connectivity, turns and speeds it covers, area it reaches, and what it lacks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from understudy.library.motion_library import Library
from understudy.library.planar_arrays import composed
from understudy.typing import FloatArray, IntArray

#: [rad/s] limits between "straight", "gentle" and "sharp" turns.
_GENTLE_RADPS, _SHARP_RADPS = np.radians(8.0), np.radians(35.0)
#: [m/s] below this a clip stays where it is.
_STAYS_MPS = 0.25
#: [m], [m], [rad] cells in which two ways through the graph count as the same place.
_CELL_M, _CELL_RAD = 0.25, np.radians(30.0)


@dataclass(frozen=True, eq=False, kw_only=True)
class Coverage:
    """What a library can do.

    Attributes:
        nodes: Clips that can always go on.
        edges: Transitions.
        dead_ends: Clips that were cut but are not part of the graph, since nothing follows or leads to them.
        branching: Transitions per clip.
        thesis_branching: The same as the thesis counts, ``(2 E + N) / (N + E)``.
        own_successors: Clips that can follow themselves; the thesis advises to lower the threshold until there is none.
        turn_rates_degps: ``(nodes,)`` mean turn of every clip; positive is to the left [deg/s].
        speeds_mps: ``(nodes,)`` mean speed ahead [m/s].
        lateral_mps: ``(nodes,)`` mean speed to the left [m/s].
        counts: Clips by kind of movement, such as ``"sharp left"``.
        reach_clips: How many clips in a row ``reach_m2`` looks ahead.
        reach_m2: ``(reach_clips,)`` floor area on which a clip can end after so many clips, mean over starts [m^2].
        missing: Sentences on clip types that would help.
    """

    nodes: int
    edges: int
    dead_ends: int
    branching: float
    thesis_branching: float
    own_successors: int
    turn_rates_degps: FloatArray
    speeds_mps: FloatArray
    lateral_mps: FloatArray
    counts: Mapping[str, int]
    reach_clips: int
    reach_m2: FloatArray
    missing: tuple[str, ...]


def coverage_of(library: Library, *, reach_clips: int = 5, starts: int = 12, most_states: int = 20_000) -> Coverage:
    """Look at a library.

    Args:
        library: The library.
        reach_clips: How many clips in a row to look ahead.
        starts: From how many clips, spread over the library.
        most_states: At most so many places are followed per step, the rest is left out.
    """
    graph = library.graph
    turn, ahead, aside = _mean_travel(library)
    kinds = np.array([_kind(*values) for values in zip(turn, ahead, aside, strict=True)])
    counts = {kind: int((kinds == kind).sum()) for kind in KINDS}
    reach = np.zeros(reach_clips)
    chosen = np.unique(np.linspace(0, graph.nodes - 1, min(starts, graph.nodes)).astype(np.int64))
    for start in chosen:
        reach += reached_area_m2(library, int(start), clips=reach_clips, most_states=most_states)
    return Coverage(
        nodes=graph.nodes,
        edges=graph.edges,
        dead_ends=library.segments - graph.nodes,
        branching=library.branching,
        thesis_branching=library.thesis_branching,
        own_successors=int((graph.sources == graph.targets).sum()),
        turn_rates_degps=np.degrees(turn),
        speeds_mps=ahead,
        lateral_mps=aside,
        counts=counts,
        reach_clips=reach_clips,
        reach_m2=reach / len(chosen),
        missing=_missing(counts, library),
    )


KINDS = (
    "straight",
    "gentle left",
    "gentle right",
    "sharp left",
    "sharp right",
    "turn on the spot left",
    "turn on the spot right",
    "sideways left",
    "sideways right",
    "backward",
    "standing",
)


def _kind(turn_radps: float, ahead_mps: float, aside_mps: float) -> str:
    side = "left" if turn_radps > 0 else "right"
    speed = float(np.hypot(ahead_mps, aside_mps))
    if speed < _STAYS_MPS:
        return f"turn on the spot {side}" if abs(turn_radps) > _SHARP_RADPS else "standing"
    if abs(aside_mps) > abs(ahead_mps):
        return f"sideways {'left' if aside_mps > 0 else 'right'}"
    if ahead_mps < 0:
        return "backward"
    if abs(turn_radps) < _GENTLE_RADPS:
        return "straight"
    return f"{'gentle' if abs(turn_radps) < _SHARP_RADPS else 'sharp'} {side}"


def reached_area_m2(library: Library, start: int, *, clips: int, most_states: int = 20_000) -> FloatArray:
    """``(clips,)`` floor area on which some way through the graph ends after 1, 2, ... clips or fewer [m^2].

    Ways that meet in one cell of 25 cm and 30 degrees at the same clip are followed once.
    """
    at, nodes = np.zeros((1, 3)), np.array([start], dtype=np.int64)
    floor: set[tuple[int, int]] = set()
    areas = np.zeros(clips)
    for step in range(clips):
        ends = composed(at, library.graph.moves[nodes])
        cells = np.floor(ends[:, :2] / _CELL_M).astype(np.int64)
        floor.update(map(tuple, np.unique(cells, axis=0).tolist()))
        areas[step] = len(floor) * _CELL_M**2
        at, nodes = _expanded(library, at, nodes, most_states)
    return areas


def _expanded(library: Library, at: FloatArray, nodes: IntArray, most_states: int) -> tuple[FloatArray, IntArray]:
    """All successors of some placed clips, one per cell."""
    graph = library.graph
    counts = np.diff(graph.edge_starts)[nodes]
    origins = np.repeat(np.arange(len(nodes)), counts)
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    edges = graph.edge_starts[nodes][origins] + within
    placed, following = composed(at[origins], graph.transforms[edges]), graph.targets[edges]
    keys = np.column_stack([np.floor(placed / [_CELL_M, _CELL_M, _CELL_RAD]).astype(np.int64), following])
    _, kept = np.unique(keys, axis=0, return_index=True)
    # An even choice when there are too many, so that no direction is favoured.
    kept = kept[:: max(1, len(kept) // most_states)]
    return placed[kept], following[kept]


def _mean_travel(library: Library) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Mean turn rate [rad/s], speed ahead and to the left [m/s] of every clip."""
    moves, seconds = library.graph.moves, library.lengths()
    # Along an arc the chord lies half of the turn away from the heading at its start.
    chord = (moves[:, 1] + 1j * moves[:, 0]) * np.exp(-0.5j * moves[:, 2])
    return moves[:, 2] / seconds, chord.real / seconds, chord.imag / seconds


def _missing(counts: Mapping[str, int], library: Library) -> tuple[str, ...]:
    wanted = {
        "straight": "a straight walk of a few steps",
        "gentle left": "a walk that veers to the left (10-30 deg/s)",
        "gentle right": "a walk that veers to the right (10-30 deg/s)",
        "sharp left": "a walk with a sharp turn to the left (90 degrees within two steps)",
        "sharp right": "a walk with a sharp turn to the right (90 degrees within two steps)",
        "turn on the spot left": "a turn on the spot to the left",
        "turn on the spot right": "a turn on the spot to the right",
        "sideways left": "steps to the left side, for narrow gaps",
        "sideways right": "steps to the right side, for narrow gaps",
        "standing": "standing still between a start and a stop",
    }
    lacks = [f"no clip for {kind}: add {what}" for kind, what in wanted.items() if not counts[kind]]
    one_sided = [
        f"only {pair[1 - has]} for {name}: build with mirrored clips"
        for name, pair in (("sharp turns", ("left", "right")), ("sideways steps", ("left", "right")))
        for has in (0, 1)
        if _one_sided(counts, name, has) and not any(take.mirrored for take in library.footage.takes)
    ]
    return (*lacks, *one_sided)


def _one_sided(counts: Mapping[str, int], name: str, lacks: int) -> bool:
    first = "sharp" if name == "sharp turns" else "sideways"
    left, right = counts[f"{first} left"], counts[f"{first} right"]
    return (left, right)[lacks] == 0 < (right, left)[lacks]
