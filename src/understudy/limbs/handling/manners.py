"""Manners of using an arm, by name: intervals that samples of its parameters stay within (``LimbOptions.style``)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

#: Name -> parameter -> (low, high) [rad].
MANNERS: Mapping[str, Mapping[str, tuple[float, float]]] = MappingProxyType(
    {
        "low_arm": {"shoulder_raise": (-1.6, -1.25)},
        "high_arm": {"shoulder_raise": (-0.3, 1.2)},
    }
)
