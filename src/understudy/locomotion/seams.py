"""How roughly a transition will shake the trunk: estimated once for every edge, so that searches take smooth ones.

At a seam two clips are cross-faded over ``T`` seconds by a smooth step. Where a joint's rotations are ``gap`` apart and
its angular velocities differ by ``drift``, the blend accelerates it by at most ``6 gap / T^2 + 3 drift / T``.
"""

from __future__ import annotations

import numpy as np

from understudy import rotations as rot
from understudy.library import Library
from understudy.library.unroll import blended_frames
from understudy.typing import FloatArray, IntArray


def seam_accelerations(library: Library) -> FloatArray:
    """``(edges,)`` what a seam adds to the trunk's angular acceleration, over the clips' own 99.9th percentile."""
    graph, footage, fps = library.graph, library.footage, library.fps
    joints = list(library.skeleton.limb("torso")) if library.skeleton.is_humanoid else [0]
    turns = footage.rotations[:, joints].astype(np.float64)
    speeds = _speeds(turns, fps)
    out, into = graph.last[graph.sources], graph.first[graph.targets]
    old, new = turns[out], turns[into]
    if 0 in joints:
        # Only the root knows where it faces: both clips are seen in the earlier one's frame.
        root = joints.index(0)
        old[:, root] = rot.multiply(rot.from_yaw(-graph.frames[graph.sources, 2]), old[:, root])
        put_down = graph.transforms[:, 2] - graph.frames[graph.targets, 2]
        new[:, root] = rot.multiply(rot.from_yaw(put_down), new[:, root])
    gap = rot.angle_between(old, new)
    drift = np.linalg.norm(speeds[into] - speeds[out], axis=-1)
    before, after = blended_frames(footage, graph, library.half_window, graph.sources, graph.targets)
    blend_s = np.maximum(before + after, 2)[:, None] / fps
    added = 6.0 * gap / blend_s**2 + 3.0 * drift / blend_s
    return np.asarray(added.max(axis=1) / _usual(speeds, footage.starts, fps))


def _speeds(turns: FloatArray, fps: float) -> FloatArray:
    """``(frames, joints, 3)`` angular velocities [rad/s] in the joints' own axes, over two frames."""
    step = rot.relative(turns[:-2], turns[2:])
    small = np.sign(step[..., :1]) * step[..., 1:] * fps
    return np.concatenate([small[:1], small, small[-1:]])


def _usual(speeds: FloatArray, starts: IntArray, fps: float) -> float:
    """99.9th percentile of the trunk's own angular acceleration [rad/s2], over a twentieth of a second."""
    step = max(1, round(0.05 * fps))
    size = np.linalg.norm(speeds[step:] - speeds[:-step], axis=-1).max(axis=1) * fps / step
    inside = np.ones(len(size), dtype=bool)
    for cut in starts[1:-1].tolist():
        inside[max(cut - step - 2, 0) : cut + 2] = False
    return max(float(np.percentile(size[inside], 99.9)), 1e-3)
