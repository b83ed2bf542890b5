"""Limb planning on top of any motion: correct its collisions, reach for things ([Limbs]).

Importing this room does not import numba: kernels are loaded, and compiled, at their first use.
"""

from understudy.limbs.correcting import correct
from understudy.limbs.finding import touches
from understudy.limbs.ik import Posture, Postures, goal_postures, reach_m
from understudy.limbs.legs import Leg, Plan
from understudy.limbs.options import LimbOptions
from understudy.limbs.plan import plan_legs, shrink_s
from understudy.limbs.reaching import reach
from understudy.limbs.seeds import EndTarget
from understudy.limbs.space import LIMBS, LimbSpace, limb_space
from understudy.limbs.speeds import Pace, pace
from understudy.limbs.stage import Load, Stage, stage_of
from understudy.limbs.trace import Change, LimbTrace, Touch
from understudy.limbs.window import Window, window_of

__all__ = [
    "LIMBS",
    "Change",
    "EndTarget",
    "Leg",
    "LimbOptions",
    "LimbSpace",
    "LimbTrace",
    "Load",
    "Pace",
    "Plan",
    "Posture",
    "Postures",
    "Stage",
    "Touch",
    "Window",
    "correct",
    "goal_postures",
    "limb_space",
    "pace",
    "plan_legs",
    "reach",
    "reach_m",
    "shrink_s",
    "stage_of",
    "touches",
    "window_of",
]
