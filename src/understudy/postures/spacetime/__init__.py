"""The spacetime stage: a whole motion refined at once."""

from __future__ import annotations

from understudy.postures.spacetime.cycle import Part, looped
from understudy.postures.spacetime.objective import SpacetimeOptions
from understudy.postures.spacetime.refining import Refined, refined
from understudy.postures.spacetime.supports import Pinned

__all__ = ["Part", "Pinned", "Refined", "SpacetimeOptions", "looped", "refined"]
