"""The text of BVH files: joints whose rest frames are parallel to the world, metres, Y up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .errors import JobError
from .turning import ORDER, from_euler, to_zxy


@dataclass(frozen=True, eq=False)
class Clip:
    """A motion.

    Attributes:
        names: Joints, parents first.
        parents: Index of each joint's parent, -1 for the first.
        offsets: ``(joints, 3)`` from the parent at rest [m].
        tips: Joint -> ``(3,)`` end of a joint without children [m].
        positions: ``(frames, 3)`` of the first joint [m].
        rotations: ``(frames, joints, 3, 3)`` within the parent.
        fps: Frames per second.
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    offsets: np.ndarray
    tips: dict[int, np.ndarray]
    positions: np.ndarray
    rotations: np.ndarray
    fps: float

    def world(self) -> tuple[np.ndarray, np.ndarray]:
        """Places ``(frames, joints, 3)`` [m] and rotations ``(frames, joints, 3, 3)`` in the world."""
        places = np.empty((len(self.positions), len(self.names), 3))
        turned = np.empty_like(self.rotations)
        places[:, 0], turned[:, 0] = self.positions, self.rotations[:, 0]
        for joint, parent in enumerate(self.parents[1:], start=1):
            places[:, joint] = places[:, parent] + turned[:, parent] @ self.offsets[joint]
            turned[:, joint] = turned[:, parent] @ self.rotations[:, joint]
        return places, turned


def bvh_text(clip: Clip) -> str:
    """The file; joints must be listed depth first, which is the order of blocks."""
    angles = np.rad2deg(np.unwrap(to_zxy(clip.rotations), axis=0))
    rows = np.concatenate([clip.positions, angles.reshape(len(angles), -1)], axis=1)
    depths: list[int] = []
    for parent in clip.parents:
        depths.append(0 if parent < 0 else depths[parent] + 1)
    lines = ["HIERARCHY"]
    for joint, depth in enumerate(depths):
        if joint:
            lines += _ends(depths[joint - 1], depth)
        lines += _opened(clip, joint, depth)
    lines += _ends(depths[-1], 0)
    lines += ["MOTION", f"Frames: {len(rows)}", f"Frame Time: {1.0 / clip.fps:.15g}"]
    row = " ".join(["%.9f"] * rows.shape[1])
    return "\n".join([*lines, *(row % tuple(values) for values in rows + 0.0)]) + "\n"


def _ends(last: int, first: int) -> list[str]:
    """Ends of the open blocks from one depth up to another."""
    return [f"{'  ' * depth}}}" for depth in range(last, first - 1, -1)]


def _opened(clip: Clip, joint: int, depth: int) -> list[str]:
    pad, channels = "  " * depth, " ".join(f"{axis}rotation" for axis in ORDER)
    count = "3" if joint else "6 Xposition Yposition Zposition"
    lines = [f"{pad}{'JOINT' if joint else 'ROOT'} {clip.names[joint]}", f"{pad}{{"]
    lines += [f"{pad}  OFFSET {_numbers(clip.offsets[joint])}", f"{pad}  CHANNELS {count} {channels}"]
    if joint in clip.tips:
        lines += [f"{pad}  End Site", f"{pad}  {{", f"{pad}    OFFSET {_numbers(clip.tips[joint])}", f"{pad}  }}"]
    return lines


def _numbers(values: np.ndarray) -> str:
    return " ".join(f"{value + 0.0:.9f}" for value in values)


def read_bvh(text: str) -> Clip:
    """A clip as ``understudy`` writes it: one root, position channels at the root only.

    Raises:
        JobError: The text is something else.
    """
    head, found, motion = text.partition("MOTION")
    lines = motion.strip().splitlines()
    try:
        if not found:
            raise ValueError("there is no MOTION part")
        joints = _joints(head)
        seconds = float(lines[1].partition(":")[2])
        rows = np.array([line.split() for line in lines[2:] if line.strip()], dtype=np.float64)
        positions, rotations = _channels(joints, rows)
    except (ValueError, IndexError) as error:
        raise JobError(f"the answer is no BVH file the add-on can read: {error}") from error
    return Clip(
        names=tuple(joint.name for joint in joints),
        parents=tuple(joint.parent for joint in joints),
        offsets=np.array([joint.offset for joint in joints]),
        tips={index: np.array(joint.tip) for index, joint in enumerate(joints) if joint.tip is not None},
        positions=positions,
        rotations=rotations,
        fps=1.0 / seconds,
    )


@dataclass
class _Joint:
    name: str
    parent: int
    offset: tuple[float, ...] = (0.0, 0.0, 0.0)
    channels: tuple[str, ...] = ()
    tip: tuple[float, ...] | None = None


def _joints(text: str) -> list[_Joint]:
    joints: list[_Joint] = []
    open_blocks: list[int | None] = []
    for line in text.splitlines():
        word, _, rest = line.strip().partition(" ")
        if word in ("ROOT", "JOINT"):
            joints.append(_Joint(rest.strip(), next((one for one in reversed(open_blocks) if one is not None), -1)))
            opening: int | None = len(joints) - 1
        elif word == "End":
            opening = None
        elif word == "{":
            open_blocks.append(opening)
        elif word == "}":
            open_blocks.pop()
        elif word == "OFFSET":
            numbers = tuple(float(part) for part in rest.split())
            if open_blocks[-1] is None:
                joints[next(one for one in reversed(open_blocks) if one is not None)].tip = numbers
            else:
                joints[-1].offset = numbers
        elif word == "CHANNELS":
            joints[-1].channels = tuple(rest.split()[1:])
    if sum(joint.parent < 0 for joint in joints) != 1:
        raise ValueError("it must have one ROOT")
    return joints


def _channels(joints: list[_Joint], rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    if rows.ndim != 2 or rows.shape[1] != sum(len(joint.channels) for joint in joints):
        raise ValueError("rows and channels do not agree")
    positions = np.tile(np.array(joints[0].offset), (len(rows), 1))
    rotations = np.empty((len(rows), len(joints), 3, 3))
    column = 0
    for index, joint in enumerate(joints):
        letters, angles = "", []
        for channel in joint.channels:
            if channel.endswith("rotation"):
                letters += channel[0].upper()
                angles.append(np.deg2rad(rows[:, column]))
            elif index == 0:
                positions[:, "XYZ".index(channel[0].upper())] = rows[:, column]
            column += 1
        rotations[:, index] = from_euler(np.stack(angles, axis=-1), letters) if letters else np.eye(3)
    return positions, rotations
