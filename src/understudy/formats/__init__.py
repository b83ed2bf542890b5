"""Motion files: reading, writing, and every conversion of unit, axis and quaternion order."""

from understudy.formats.options import ReadOptions, WriteOptions, unit_in_metres
from understudy.formats.props import Prop
from understudy.formats.registry import (
    FORMATS,
    Format,
    format_of,
    load_motion,
    load_motions,
    load_skeleton,
    save_motion,
)

__all__ = [
    "FORMATS",
    "Format",
    "Prop",
    "ReadOptions",
    "WriteOptions",
    "format_of",
    "load_motion",
    "load_motions",
    "load_skeleton",
    "save_motion",
    "unit_in_metres",
]
