"""BVH files for tests, and forward kinematics written a second time, straight from channel values."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from understudy.formats import ReadOptions

#: Nothing guessed: file units are metres, Y up, every frame kept.
PLAIN = ReadOptions(unit_m=1.0, up="y", tpose="keep")
ROTATION = {"X": "Xrotation", "Y": "Yrotation", "Z": "Zrotation"}
POSITIONS = ("Xposition", "Yposition", "Zposition")


@dataclass
class Joint:
    name: str
    parent: int
    offset: tuple[float, float, float]
    channels: tuple[str, ...]
    tips: list[tuple[float, float, float]] = field(default_factory=list)


def turning(order: str) -> tuple[str, ...]:
    return tuple(ROTATION[letter] for letter in order)


def small_tree(order: str = "ZXY", root_order: str = "ZXY") -> list[Joint]:
    """Seven joints with two branches; a root with position channels."""
    return [
        Joint("base", -1, (0.0, 1.0, 0.0), (*POSITIONS, *turning(root_order))),
        Joint("a1", 0, (0.1, 0.2, 0.3), turning(order)),
        Joint("a2", 1, (0.0, 0.5, 0.0), turning(order)),
        Joint("a3", 2, (0.2, 0.1, -0.4), turning(order), [(0.1, 0.0, 0.0)]),
        Joint("b1", 0, (-0.1, 0.2, 0.0), turning(order)),
        Joint("b2", 4, (0.0, -0.6, 0.1), turning(order)),
        Joint("b3", 5, (0.0, -0.1, 0.2), turning(order), [(0.0, 0.0, 0.2)]),
    ]


def random_rows(joints: list[Joint], frames: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    columns = []
    for joint in joints:
        for channel in joint.channels:
            low, high = (-170.0, 170.0) if channel.endswith("rotation") else (-2.0, 2.0)
            columns.append(rng.uniform(low, high, frames))
    return np.stack(columns, axis=1)


def header_text(joints: list[Joint]) -> str:
    lines = ["HIERARCHY"]
    depth_of: list[int] = []
    open_joints: list[int] = []
    for index, joint in enumerate(joints):
        while open_joints and open_joints[-1] != joint.parent:
            lines.append("\t" * (len(open_joints) - 1) + "}")
            open_joints.pop()
        depth = len(open_joints)
        depth_of.append(depth)
        pad = "\t" * depth
        lines.append(f"{pad}{'ROOT' if joint.parent < 0 else 'JOINT'} {joint.name}")
        lines.append(f"{pad}{{")
        lines.append(f"{pad}\tOFFSET " + " ".join(f"{value:.8f}" for value in joint.offset))
        lines.append(f"{pad}\tCHANNELS {len(joint.channels)} {' '.join(joint.channels)}".rstrip())
        for tip in joint.tips:
            lines += [f"{pad}\tEnd Site", f"{pad}\t{{"]
            lines += [f"{pad}\t\tOFFSET " + " ".join(f"{value:.8f}" for value in tip), f"{pad}\t}}"]
        open_joints.append(index)
    lines += ["\t" * depth + "}" for depth in reversed(range(len(open_joints)))]
    return "\n".join(lines)


def bvh_text(joints: list[Joint], rows: np.ndarray, frame_time: str = "0.0083333", declared: int | None = None) -> str:
    count = len(rows) if declared is None else declared
    body = "\n".join(" ".join(f"{value:.8f}" for value in row) for row in rows)
    return f"{header_text(joints)}\nMOTION\nFrames: {count}\nFrame Time: {frame_time}\n{body}\n"


def written(folder: Path, text: str | bytes, name: str = "clip.bvh") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return path


def _axis_matrix(axis: str, degrees: float) -> np.ndarray:
    c, s = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    if axis == "X":
        return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    if axis == "Y":
        return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def reference_positions(joints: list[Joint], row: np.ndarray) -> np.ndarray:
    """World positions ``(joints, 3)`` of one row, with matrices; position channels replace offsets."""
    world, positions, at = [], [], 0
    for joint in joints:
        local, turn = np.array(joint.offset, dtype=float), np.eye(3)
        for channel in joint.channels:
            if channel.endswith("position"):
                local["XYZ".index(channel[0])] = row[at]
            else:
                turn = turn @ _axis_matrix(channel[0], row[at])
            at += 1
        if joint.parent < 0:
            positions.append(local)
            world.append(turn)
        else:
            positions.append(positions[joint.parent] + world[joint.parent] @ local)
            world.append(world[joint.parent] @ turn)
    return np.array(positions)


def motion_positions(motion, frame: int) -> np.ndarray:
    return motion.skeleton.placed_joints(motion.root_positions[frame], motion.rotations[frame])[0]
