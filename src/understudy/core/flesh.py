"""How deep recorded people press soft parts of their bodies into each other (docs/self-overlap.md).

The numbers are made by ``tools/self_overlap.py`` from recordings. Do not edit them by hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from understudy.core.anthropometry import REFERENCE_STATURE_M
from understudy.core.body import Body
from understudy.core.everyday import part_of

#: Parts with flesh all around: what recordings say of thinner ones is mostly where they are wrong.
SOFT_PARTS = frozenset(("pelvis", "abdomen", "ribs", "chest", "thigh"))

# made: begin
_DEPTHS_MM: dict[tuple[str, str], float] = {
    ("thigh", "thigh"): 29.0,
}
# made: end

#: Two parts, in the order of the alphabet -> depth at a stature of 1.75 m [mm]; all other pairs may not overlap.
FLESH_MM: Mapping[tuple[str, str], float] = MappingProxyType(_DEPTHS_MM)


def parts_of(a: str, b: str) -> tuple[str, str]:
    """The row of the table that two capsules are in."""
    first, second = sorted((part_of(a), part_of(b)))
    return first, second


def flesh_pairs(body: Body) -> Iterator[tuple[str, str, float]]:
    """Pairs of a body's capsules that may overlap, and how deep [m]."""
    for one, two in body.self_pairs.tolist():
        a, b = body.capsule_names[one], body.capsule_names[two]
        if parts_of(a, b) in FLESH_MM:
            yield a, b, 1e-3 * FLESH_MM[parts_of(a, b)] * body.stature_m / REFERENCE_STATURE_M
