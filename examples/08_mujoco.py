"""Play a motion in MuJoCo: the body as MJCF with ball joints, the motion as one row of ``qpos`` per frame."""

from pathlib import Path
from xml.etree import ElementTree as Xml

import numpy as np

import understudy as us
from understudy import rotations as rot

#: MuJoCo's Z is up, ours is Y: a quarter turn about X.
UPRIGHT = rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), np.pi / 2)


def text(values: np.ndarray) -> str:
    return " ".join(f"{value:.9g}" for value in values)


def mjcf(body: us.Body) -> str:
    """A body with a free root, a ball joint at every other joint, and capsules that weigh what ours do."""
    skeleton = body.skeleton
    model = Xml.Element("mujoco", model="understudy")
    Xml.SubElement(model, "compiler", angle="radian")
    world = Xml.SubElement(model, "worldbody")
    Xml.SubElement(world, "geom", type="plane", size="10 10 0.1")
    nodes: list[Xml.Element] = []
    for joint, name in enumerate(skeleton.names):
        parent = int(skeleton.parents[joint])
        home = world if parent < 0 else nodes[parent]
        node = Xml.SubElement(home, "body", name=name, pos=text(skeleton.offsets[joint]))
        if parent < 0:
            Xml.SubElement(node, "freejoint", name=name)
        else:
            Xml.SubElement(node, "joint", name=name, type="ball", damping="2")
        Xml.SubElement(node, "geom", type="sphere", size="0.03", mass="0.1", contype="0", conaffinity="0")
        nodes.append(node)
    for capsule, joint in enumerate(body.capsule_joints.tolist()):
        ends = text(np.concatenate([body.capsule_starts[capsule], body.capsule_ends[capsule]]))
        Xml.SubElement(nodes[joint], "geom", type="capsule", fromto=ends, size=f"{body.capsule_radii[capsule]:.4g}")
    Xml.indent(model)
    return Xml.tostring(model, encoding="unicode")


def depth_first(skeleton: us.Skeleton, joint: int = 0) -> list[int]:
    """Joints in MuJoCo's order: every branch to its end."""
    children = np.flatnonzero(skeleton.parents == joint).tolist()
    return [joint, *(one for child in children for one in depth_first(skeleton, child))]


def qpos(motion: us.Motion) -> np.ndarray:
    """``(frames, 7 + 4 * (joints - 1))``: root position and turn, then every joint's quaternion (w first, as ours)."""
    root = np.concatenate(
        [rot.rotate(UPRIGHT, motion.root_positions), rot.multiply(UPRIGHT, motion.rotations[:, 0])], axis=1
    )
    others = depth_first(motion.skeleton)[1:]
    return np.concatenate([root, motion.rotations[:, others].reshape(len(motion), -1)], axis=1)


if __name__ == "__main__":
    walk = us.builtin_clips("walk")[0]
    folder = Path("out/mujoco")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "body.xml").write_text(mjcf(us.fit_body(walk.skeleton)), encoding="utf-8")
    np.save(folder / "qpos.npy", qpos(walk))
    print(f"{folder}/body.xml and qpos.npy: {len(walk)} frames at {walk.fps:g} per second")
