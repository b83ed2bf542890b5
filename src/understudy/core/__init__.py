"""Skeletons, motions, bodies and the vocabulary of planning."""

from understudy.core.body import Body
from understudy.core.body_fit import fit_body, stature_m
from understudy.core.editing import blend, splice
from understudy.core.mirror import mirrored
from understudy.core.motion import Motion, Origin
from understudy.core.planar import PlanarTransform
from understudy.core.planning import Options, Result, Stats, Status
from understudy.core.pose import Pose
from understudy.core.skeleton import Skeleton

__all__ = [
    "Body",
    "Motion",
    "Options",
    "Origin",
    "PlanarTransform",
    "Pose",
    "Result",
    "Skeleton",
    "Stats",
    "Status",
    "blend",
    "fit_body",
    "mirrored",
    "splice",
    "stature_m",
]
