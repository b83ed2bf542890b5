"""A Thomas flare: two halves over alternate hands, planned between four postures and joined into a cycle."""

from dataclasses import replace

import numpy as np

import understudy as us
from understudy.core import fit_body
from understudy.kinematics import FreeJoints, PointTask, solve_tasks
from understudy.performer import posture
from understudy.postures import Pin, between
from understudy.postures.space import PostureSpace
from understudy.postures.spacetime import Part, SpacetimeOptions, looped
from understudy.postures.stage import Stage

front = posture("flare_front")
skeleton, body = front.skeleton, fit_body(front.skeleton)
hands = {side: skeleton.index(f"{side}Hand") for side in ("left", "right")}


def over(name, *sides, lift_m=0.0):
    """A posture moved so that the hands that carry it are where the first posture has them."""
    pose = posture(name)
    own, wanted = pose.world()[0], front.world()[0]
    spots = {s: np.array([wanted[hands[s], 0], own[hands[s], 1] + lift_m, wanted[hands[s], 2]]) for s in sides}
    shift = np.mean([spots[s] - own[hands[s]] for s in sides], axis=0) * [1.0, 0.0, 1.0]
    tasks = [PointTask(joint=hands[s], target=spots[s]) for s in sides]
    pose = replace(pose, root_position=pose.root_position + shift)
    return solve_tasks(pose, tasks, free=FreeJoints.everything(skeleton), limit=body.limits.clamped).pose


def half(side, *keys):
    """From key to key while one hand stays on the floor."""
    path = [key.world()[0][hands[side]] for key in keys]
    # Nobody can hold these postures still, so `us.between` would refuse them: the whole flare is judged in the end.
    result = between(keys, judge=lambda motion, trace: "", pins=[Pin(joint=hands[side], path=path)])
    print(f"over the {side} hand: {result.status.value}, {1000 * result.trace.least_gap_m:.1f} mm least gap")
    return Part(motion=result.motion, pinned=[(hands[side], np.zeros(3))])


rear = over("flare_rear", "left", "right", lift_m=0.009)
parts = [
    half("right", front, over("flare_left", "right"), rear),
    half("left", rear, over("flare_right", "left"), front),
]

space = PostureSpace(body=body, reference=np.array([1.0, 0.0, 0.0, 0.0]), root_moves=True)
stage = Stage(space=space, keep=np.full(len(space.arrays.pairs), 0.0002))
flare = looped(parts, body, stage, duration_s=2.4, options=SpacetimeOptions(stay=0.01))
change = [np.sqrt((np.diff(one[:, 3:], axis=0) ** 2).sum(axis=1).mean()) for one in (flare.before, flare.after)]
print(f"angular momentum changes by {change[0]:.2f} kg m^2/s from knot to knot, {change[1]:.2f} after the last stage")
print("verified:", us.verify(flare.motion, floor=True).ok)

us.save_motion(flare.motion, "flare.bvh")
for stage, one in (("before", flare.before), ("after", flare.after)):
    sizes = np.linalg.norm(one[:, 3:], axis=1)
    print(f"{stage} that stage it is {sizes.min():.1f} to {sizes.max():.1f} kg m^2/s")
