"""Handling things on top of any motion: grab, carry, place, drop, touch and reach, one after the other.

Importing this room does not import numba: kernels are loaded, and compiled, at their first use.
"""

from understudy.limbs.handling.doing import KINDS, Judge
from understudy.limbs.handling.grips import Orientation
from understudy.limbs.handling.moments import Times
from understudy.limbs.handling.options import HandlingOptions
from understudy.limbs.handling.play import Deed, Mark, Play, Span
from understudy.limbs.refusals import Notes, Refusal

__all__ = [
    "KINDS",
    "Deed",
    "HandlingOptions",
    "Judge",
    "Mark",
    "Notes",
    "Orientation",
    "Play",
    "Refusal",
    "Span",
    "Times",
]
