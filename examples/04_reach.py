"""Reach for a point with the right hand: analytic IK of the arm, then the exact check."""

import numpy as np

import understudy as us
from understudy.kinematics import hold_end, motion_world

walk = us.builtin_clips("walk")[0]
hand = walk.skeleton.index("rightHand")
wrist = motion_world(walk).positions[:, hand]

raised = wrist + np.array([0.0, 0.15, 0.0])
held = hold_end(walk, ("rightUpperArm", "rightLowerArm", "rightHand"), raised)
miss = np.linalg.norm(motion_world(held.motion).positions[:, hand] - raised, axis=1)
print(f"reached in {held.reached.sum()} of {len(walk)} frames")
print(f"largest miss there {1000 * miss[held.reached].max():.6f} mm")
