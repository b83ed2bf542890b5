"""A 25-joint person and random rooms for the collision benchmark, for us and for Pinocchio with coal."""

from __future__ import annotations

import numpy as np

from understudy import rotations as rot
from understudy.collision import Obstacle
from understudy.core.body import Body
from understudy.core.body_fit import fit_body
from understudy.core.humanoid import ROLES
from understudy.core.skeleton import Skeleton
from understudy.scene.shapes import Box, Capsule, Mesh

# Role, parent role, offset in the T-pose [m]; the left side, mirrored below.
_MIDDLE = [
    ("hips", None, (0.0, 0.95, 0.0)),
    ("spine", "hips", (0.0, 0.08, 0.0)),
    ("chest", "spine", (0.0, 0.14, 0.0)),
    ("upperChest", "chest", (0.0, 0.12, 0.0)),
    ("neck", "upperChest", (0.0, 0.14, 0.0)),
    ("head", "neck", (0.0, 0.09, 0.02)),
    ("jaw", "head", (0.0, 0.02, 0.05)),
]
_SIDE = [
    ("Shoulder", "upperChest", (0.03, 0.10, 0.0)),
    ("UpperArm", "Shoulder", (0.14, 0.0, 0.0)),
    ("LowerArm", "UpperArm", (0.28, 0.0, 0.0)),
    ("Hand", "LowerArm", (0.25, 0.0, 0.0)),
    ("MiddleProximal", "Hand", (0.09, 0.0, 0.0)),
    ("UpperLeg", "hips", (0.09, -0.06, 0.0)),
    ("LowerLeg", "UpperLeg", (0.0, -0.41, 0.0)),
    ("Foot", "LowerLeg", (0.0, -0.41, 0.0)),
    ("Toes", "Foot", (0.0, -0.05, 0.13)),
]


def person() -> Body:
    """25 joints, 21 capsules."""
    middle = {name for name, _, _ in _MIDDLE}
    rows = list(_MIDDLE)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        for bone, parent, (x, y, z) in _SIDE:
            rows.append((f"{side}{bone}", parent if parent in middle else f"{side}{parent}", (sign * x, y, z)))
    names = [row[0] for row in rows]
    skeleton = Skeleton(
        names=tuple(names),
        parents=np.array([-1 if parent is None else names.index(parent) for _, parent, _ in rows]),
        offsets=np.array([offset for _, _, offset in rows]),
        humanoid={name: index for index, name in enumerate(names) if name in ROLES},
    )
    return fit_body(skeleton)


def poses(body: Body, count: int, *, side_m: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Local rotations and root positions of people standing about in a square room."""
    rng = np.random.default_rng(seed)
    local = rot.exp(rng.normal(scale=0.25, size=(count, len(body.skeleton), 3)))
    local[:, 0] = rot.exp(rng.uniform(-np.pi, np.pi, count)[:, None] * np.array([0.0, 1.0, 0.0]))
    roots = rng.uniform(-0.5 * side_m, 0.5 * side_m, size=(count, 3))
    roots[:, 1] = 0.95
    return local, roots


def room(boxes: int, capsules: int, *, side_m: float, seed: int = 1) -> list[Obstacle]:
    """Boxes of 10-60 cm and capsules of 20-100 cm anywhere between floor and 2 m."""
    rng = np.random.default_rng(seed)
    shapes = [Box(size_m=tuple(rng.uniform(0.1, 0.6, 3))) for _ in range(boxes)]
    shapes += [Capsule(radius_m=rng.uniform(0.03, 0.12), length_m=rng.uniform(0.2, 1.0)) for _ in range(capsules)]
    low, high = (-0.5 * side_m, 0.0, -0.5 * side_m), (0.5 * side_m, 2.0, 0.5 * side_m)
    return [
        Obstacle(name=f"thing {k}", shape=shape, position=rng.uniform(low, high), rotation=rng.normal(size=4))
        for k, shape in enumerate(shapes)
    ]


def bumpy_ball(rings: int = 100, *, radius_m: float = 0.45) -> Mesh:
    """A closed mesh of ``3 rings^2`` triangles, roughly."""
    around = 3 * rings // 2
    polar = np.linspace(0.0, np.pi, rings + 2)[1:-1, None]
    turn = np.linspace(0.0, 2.0 * np.pi, around, endpoint=False)[None]
    reach = radius_m * (1.0 + 0.15 * np.sin(5 * polar) * np.cos(6 * turn))
    points = np.stack(
        [reach * np.sin(polar) * np.cos(turn), reach * np.cos(polar), reach * np.sin(polar) * np.sin(turn)], axis=-1
    ).reshape(-1, 3)
    vertices = np.vstack([points, [[0.0, radius_m, 0.0]], [[0.0, -radius_m, 0.0]]])
    top, bottom = len(points), len(points) + 1
    faces = []
    for k in range(around):
        n = (k + 1) % around
        faces += [(top, n, k), (bottom, (rings - 1) * around + k, (rings - 1) * around + n)]
        for r in range(rings - 1):
            a, b = r * around + k, r * around + n
            faces += [(a, b, b + around), (a, b + around, a + around)]
    return Mesh(vertices=vertices, faces=np.array(faces))
