"""The floor: footprints of obstacles, shortest paths of any clearance, channels, potential fields."""

from __future__ import annotations

from understudy.floor.build import build_floor, floor_from_polygons
from understudy.floor.channel import Channel
from understudy.floor.field import PotentialField, potential_field
from understudy.floor.floor import Floor
from understudy.floor.footprint import footprint
from understudy.floor.obstacle import Obstacle
from understudy.floor.path import FloorPath
from understudy.floor.paths import PathResult

__all__ = [
    "Channel",
    "Floor",
    "FloorPath",
    "Obstacle",
    "PathResult",
    "PotentialField",
    "build_floor",
    "floor_from_polygons",
    "footprint",
    "potential_field",
]
