"""Which peers were measured, and a case of each beside ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Rows = Sequence[Mapping[str, Any]]
#: Peer, what its rows are called, and the suites it is measured in.
PEERS = (
    ("OMPL", "ompl", ("limbs", "posture_peers")),
    ("Pinocchio", "pinocchio (c++)", ("kernels",)),
    ("Pinocchio with Coal", "coal", ("kernels",)),
    ("SciPy", "scipy", ("kernels",)),
    ("pybvh", "pybvh", ("kernels",)),
    ("motion graph built pair by pair", "pair by pair", ("library",)),
    ("visibility graph", "visibility graph", ("floor",)),
    ("central differences", "central differences", ("interaction",)),
    ("path first, then motion (the paper's baseline)", "decoupled", ("sampling",)),
)
_OURS = ("ours", "understudy", "standard", "load_motion", "exact jacobian", "tight", "numba")


def peer_lines(rows: Mapping[str, Rows]) -> Iterator[tuple[str, ...]]:
    """A line per peer and suite; one that is missing says so."""
    for peer, word, suites in PEERS:
        for suite in suites:
            theirs = [row for row in rows.get(suite, ()) if word in str(row.get("method", "")).lower() and _ms(row)]
            if not theirs:
                yield peer, suite, "not measured", "", "", ""
                continue
            row, ours = _compared(theirs, rows[suite])
            yield peer, suite, str(len(theirs)), f"{row['case']}: {row['method']}", _text(row), _text(ours)


def _compared(theirs: Rows, every: Rows) -> tuple[Mapping[str, Any], Mapping[str, Any] | None]:
    """The first of a peer's rows that has one of ours beside it."""
    for row in theirs:
        beside = [one for one in every if one.get("case") == row.get("case") and _ms(one) and _is_ours(one, row)]
        if beside:
            return row, beside[0]
    return theirs[0], None


def _is_ours(one: Mapping[str, Any], row: Mapping[str, Any]) -> bool:
    name, other = str(one.get("method", "")).lower(), str(row.get("method", "")).lower()
    limited = "no speed limits" in name
    return name.startswith(_OURS) and ("speed limits" not in other or limited == ("no speed limits" in other))


def _ms(row: Mapping[str, Any]) -> float | None:
    if row.get("median_ms"):
        return float(row["median_ms"])
    return 1000.0 * float(row["median_s"]) if row.get("median_s") else None


def _text(row: Mapping[str, Any] | None) -> str:
    found = None if row is None else _ms(row)
    return "" if found is None else f"{found:,.0f} ms" if found >= 1000.0 else f"{found:.4g} ms"
