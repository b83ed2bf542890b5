"""Bodies against scenes, themselves and each other: booleans, distances, swept checks.

Importing this room does not import numba: kernels are loaded, and compiled, at their first use.
"""

from understudy.collision.body import Carried, CollisionBody
from understudy.collision.checker import Checker
from understudy.collision.limb import LimbChecker
from understudy.collision.report import Contact, Distances, NearPairs, Sweep
from understudy.collision.scene_world import character_obstacles, world_of
from understudy.collision.shape_pairs import Nearest, ShapePose, shape_distance
from understudy.collision.world import Obstacle, Track, World

__all__ = [
    "Carried",
    "Checker",
    "CollisionBody",
    "Contact",
    "Distances",
    "LimbChecker",
    "NearPairs",
    "Nearest",
    "Obstacle",
    "ShapePose",
    "Sweep",
    "Track",
    "World",
    "character_obstacles",
    "shape_distance",
    "world_of",
]
