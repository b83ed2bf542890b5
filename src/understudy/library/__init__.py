"""Motion libraries: clips cut, joined and saved, ready to be searched."""

from understudy.library.build import build_library
from understudy.library.coverage import Coverage, coverage_of
from understudy.library.features import FeatureDetector, LateralDetector, WalkingDetector
from understudy.library.file import load_library, save_library
from understudy.library.graph import Graph
from understudy.library.motion_library import Library
from understudy.library.options import LibraryOptions
from understudy.library.standing import StandingDetector
from understudy.library.unroll import Unrolled, unroll

__all__ = [
    "Coverage",
    "FeatureDetector",
    "Graph",
    "LateralDetector",
    "Library",
    "LibraryOptions",
    "StandingDetector",
    "Unrolled",
    "WalkingDetector",
    "build_library",
    "coverage_of",
    "load_library",
    "save_library",
    "unroll",
]
