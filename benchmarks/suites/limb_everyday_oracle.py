"""Whether an arm can be where an everyday problem wants it, by brute force: thousands of random postures, no planner.

One-sided, against ours: a posture near the thing that touches nothing else counts as feasible, whether or not there is
a way to it at the arm's pace.
"""

from __future__ import annotations

import numpy as np

from benchmarks.suites.limb_everyday import EverydayProblem
from understudy import rotations as rot
from understudy.collision import ShapePose, shape_distance
from understudy.kinematics.forward import forward
from understudy.limbs import Window, stage_of, window_of
from understudy.limbs.targets import hand_point
from understudy.scene.contacts import ContactRule
from understudy.scene.shapes import Sphere
from understudy.typing import FloatArray
from understudy.verify.claim import made_claim
from understudy.verify.judge import verify

FEASIBLE = "a free posture exists"
#: Random postures, and those nearest to the thing that are looked at.
_POSTURES, _LOOKED_AT = 40_000, 4000
#: [m] overlaps that are none.
_TOUCHING_M = 0.002
#: [m] how near to the thing's surface, or to where it is put, the palm has to be.
_NEAR_M, _NEAR_PLACE_M = 0.05, 0.12


def verdict(problem: EverydayProblem) -> str:
    """``FEASIBLE``, or that no random posture was free, or that the judge refuses the clip before anything is done.

    Scenes in which the thing is in a board from the beginning are no problems: what was drawn for its place lies there.
    """
    assert problem.at_s is not None
    deep_m = _overlap_m(problem)
    if deep_m > _TOUCHING_M:
        return f"the thing is {1000.0 * deep_m:.0f} mm in a board before anything is done"
    stage = stage_of(problem.motion, problem.scene)
    refused = verify(made_claim(stage.character, problem.motion, stage.scene, evidence=problem.motion.evidence)).reason
    if refused:
        return f"the clip itself: {refused}"
    if not _posture(problem, problem.at_s, None):
        return "no free posture at the thing"
    if problem.kind == "grab and place" and not _posture(problem, problem.place_s, np.array(problem.place)):
        return "no free posture where it is put"
    return FEASIBLE


def _overlap_m(problem: EverydayProblem) -> float:
    """How deep the thing is in something else at the beginning [m]."""
    solids = {
        one.name: (one.shape, ShapePose(*(part[0] for part in problem.scene.object_track(one.name, [0.0]))))
        for one in problem.scene.objects
    }
    thing = solids.pop("thing")
    return max((-shape_distance(*thing, *other).distance_m for other in solids.values()), default=0.0)


def _posture(problem: EverydayProblem, time_s: float, place: FloatArray | None) -> bool:
    """Whether some random posture of arm, or arm and trunk, has the palm there and touches nothing else."""
    stage = stage_of(problem.motion, problem.scene)
    stage = stage.allowing([ContactRule(a=f"{stage.character}.{problem.hand}_hand", b="thing")])
    frame = round(time_s * problem.motion.fps)
    for limb in (f"{problem.hand}_arm", f"{problem.hand}_arm_spine"):
        window = window_of(stage, stage.space(limb), frame - 2, frame + 2)
        for offset in _near(problem, window, time_s, place):
            if not window.limits_broken(offset, time_s) and window.nearest(offset, time_s)[0] >= 0.0015:
                return True
    return False


def _near(problem: EverydayProblem, window: Window, time_s: float, place: FloatArray | None) -> list[FloatArray]:
    """Random offsets that put the palm near the thing, nearest first."""
    rng, space = np.random.default_rng(3), window.space
    pose = problem.motion.pose_at(time_s)
    clip = space.parameters(pose.rotations)
    offsets = rng.uniform(space.low, space.high, (_POSTURES, len(space))) - clip
    local = space.with_offsets(np.repeat(pose.rotations[None], _POSTURES, axis=0), offsets)
    roots = np.repeat(pose.root_position[None], _POSTURES, axis=0)
    world = forward(problem.motion.skeleton, roots, local)
    joint = problem.motion.skeleton.humanoid[f"{problem.hand}Hand"]
    point = hand_point(window.stage, problem.hand, fingers=False)
    palms = world.positions[:, joint] + rot.rotate(world.rotations[:, joint], point)
    at, turn = problem.scene.object_track("thing", [time_s])
    middle, shape = (at[0] if place is None else place), problem.scene.object("thing").shape
    order = np.argsort(np.linalg.norm(palms - middle, axis=1))[:_LOOKED_AT]
    found = []
    for k in order.tolist():
        if place is not None:
            away = float(np.linalg.norm(palms[k] - place))
        else:
            ball = ShapePose(palms[k], np.array([1.0, 0.0, 0.0, 0.0]))
            away = shape_distance(Sphere(radius_m=1e-4), ball, shape, ShapePose(at[0], turn[0])).distance_m
        if away <= (_NEAR_M if place is None else _NEAR_PLACE_M):
            found.append(offsets[k])
    return found
