"""Bodies against scenes, themselves and each other: booleans, distances, swept checks.

Importing this room does not import numba: kernels are loaded, and compiled, at their first use.
"""

from understudy.collision.body import Carried, CollisionBody
from understudy.collision.checker import Checker
from understudy.collision.limb import LimbChecker
from understudy.collision.report import Contact, Distances, NearPairs, Sweep
from understudy.collision.world import Obstacle, Track, World

__all__ = [
    "Carried",
    "Checker",
    "CollisionBody",
    "Contact",
    "Distances",
    "LimbChecker",
    "NearPairs",
    "Obstacle",
    "Sweep",
    "Track",
    "World",
]
