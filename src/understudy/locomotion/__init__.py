"""Walking through a scene: paths on the floor followed by a library's clips, to exact goals."""

from __future__ import annotations

from understudy.locomotion.options import METHODS, WalkOptions
from understudy.locomotion.query import Spot
from understudy.locomotion.trace import WalkTrace
from understudy.locomotion.walker import Walker, walker_of
from understudy.locomotion.walking import Judge, floor_for, walk

__all__ = ["METHODS", "Judge", "Spot", "WalkOptions", "WalkTrace", "Walker", "floor_for", "walk", "walker_of"]
