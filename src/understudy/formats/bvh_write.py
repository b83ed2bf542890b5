"""Text of a BVH file.

BVH has no rest rotations: every joint's rest frame is parallel to the world. A skeleton that has them is written
with its offsets turned into such frames and its rotations conjugated: with ``G`` the rest rotation of a joint in
the world, offset ``G_parent o`` and rotation ``G_parent q G^-1`` place every joint where it was. Blocks nest, so
joints are written depth first; a skeleton in another order comes back reordered.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton, parents_first
from understudy.formats.options import WriteOptions
from understudy.typing import FloatArray

#: Turns Y up into Z up: (x, y, z) -> (x, -z, y).
_Z_FROM_Y_UP = np.array([np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0])
#: Deeper hierarchies are indented no further: white space would grow with the square of the depth.
_DEEPEST_INDENT = 40
_DECIMALS = 7


def bvh_text(motion: Motion, options: WriteOptions) -> str:
    """The whole file: positions in ``options.unit_m``, angles in degrees without needless jumps."""
    offsets, tips, rotations = _world_aligned(motion)
    turn = _Z_FROM_Y_UP if options.up == "z" else rot.identity()
    offsets, tips = (rot.rotate(turn, lengths) / options.unit_m for lengths in (offsets, tips))
    roots = rot.rotate(turn, motion.root_positions) / options.unit_m
    rotations = rot.multiply(rot.multiply(turn, rotations), rot.conjugate(turn))
    if not roots.any():
        # Position channels that are all zero would be read as displacements from the offset.
        offsets[0] = 0.0
    order = options.euler_order
    angles = np.rad2deg(rot.unwrapped(rot.to_euler(rotations, order), order=order))
    # The nesting of blocks fixes the order of joints, and with it that of the columns.
    nested = parents_first(motion.skeleton.parents.tolist())
    rows = np.concatenate([roots, angles[:, nested].reshape(len(motion), -1)], axis=1)
    # Rounding first lets -0.0000000 be written as 0.
    rows = np.round(rows, _DECIMALS) + 0.0
    row_format = " ".join([f"%.{_DECIMALS}f"] * rows.shape[1])
    lines = ["HIERARCHY", *_hierarchy(motion.skeleton, offsets, tips, order)]
    lines += ["MOTION", f"Frames: {len(motion)}", f"Frame Time: {1.0 / motion.fps:.12g}"]
    lines += [row_format % tuple(row) for row in rows.tolist()]
    return "\n".join(lines) + "\n"


def _world_aligned(motion: Motion) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Offsets, end points and rotations for rest frames parallel to the world."""
    skeleton = motion.skeleton
    _, rest = skeleton.rest_world
    above = np.concatenate([rot.identity((1,)), rest[skeleton.parents[1:]]])
    return (
        rot.rotate(above, skeleton.offsets),
        rot.rotate(rest[skeleton.tip_joints], skeleton.tip_offsets),
        rot.multiply(rot.multiply(above, motion.rotations), rot.conjugate(rest)),
    )


def _hierarchy(skeleton: Skeleton, offsets: FloatArray, tips: FloatArray, order: str) -> Iterator[str]:
    """Lines of the joint blocks, children inside their parents (the order of ``parents_first``)."""
    rotation_channels = " ".join(f"{axis}rotation" for axis in order)
    ends: dict[int, list[int]] = {}
    for tip, joint in enumerate(skeleton.tip_joints):
        ends.setdefault(int(joint), []).append(tip)
    stack: list[tuple[int, int]] = [(0, 0)]
    while stack:
        joint, depth = stack.pop()
        pad = "\t" * min(depth, _DEEPEST_INDENT)
        if joint < 0:
            yield f"{pad}}}"
            continue
        yield f"{pad}{'JOINT' if joint else 'ROOT'} {_spelled(skeleton.names[joint])}"
        yield f"{pad}{{"
        yield f"{pad}\tOFFSET {_numbers(offsets[joint])}"
        positions = "" if joint else "Xposition Yposition Zposition "
        yield f"{pad}\tCHANNELS {3 if joint else 6} {positions}{rotation_channels}"
        for tip in ends.get(joint, ()):
            yield from (f"{pad}\tEnd Site", f"{pad}\t{{", f"{pad}\t\tOFFSET {_numbers(tips[tip])}", f"{pad}\t}}")
        stack.append((-1, depth))
        stack.extend((child, depth + 1) for child in reversed(skeleton.children[joint]))


def _numbers(vector: FloatArray) -> str:
    return " ".join(f"{value + 0.0:.9f}" for value in np.round(vector, 9))


def _spelled(name: str) -> str:
    """The name without what would break its line."""
    clean = "".join(letter if letter.isprintable() and letter not in "{}" else "_" for letter in name).strip()
    return clean or "_"
