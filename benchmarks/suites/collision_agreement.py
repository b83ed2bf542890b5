"""How far our capsule distances are from coal's: ``python -m benchmarks.suites.collision_agreement [--cases 100000]``.

Per shape: random capsules around it, a third of them degenerate (zero length, parallel, contained, through the
centre). Depths inside a cylinder are counted apart: coal's are millimetres off there, tests compare ours with a search
over directions.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from benchmarks.micro.coal_peer import coal_shape as mesh_in_coal
from collision.coal_oracle import (
    SHAPES,
    coal_distance,
    coal_shape,
    placed_solid,
    random_capsule,
    random_matrix,
)
from collision.test_meshes import torus
from understudy.collision._shape_kernels import solid_signed, solid_touches
from understudy.scene.shapes import Cylinder


def compare(name: str, cases: int, seed: int) -> dict[str, object]:
    """Worst difference and number of booleans that differ."""
    rng = np.random.default_rng(seed)
    shape = SHAPES[name]
    geometry, axes = coal_shape(shape)
    inside = isinstance(shape, Cylinder)
    differences, depths, wrong, touching = [], [], 0, 0
    matrix, position, solids = np.eye(3), np.zeros(3), placed_solid(shape, np.zeros(3), np.eye(3))
    for k in range(cases):
        if k % 100 == 0:
            matrix, position = random_matrix(rng), rng.normal(scale=0.3, size=3)
            solids = placed_solid(shape, position, matrix)
        radius, turn, centre, length = random_capsule(rng, matrix, position, k)
        a, b = centre - 0.5 * length * turn[:, 2], centre + 0.5 * length * turn[:, 2]
        ours = solid_signed(solids, solids.rows, 0, *a, *b)[0] - radius
        theirs = coal_distance(geometry, matrix @ axes, position, radius, turn, centre, length)
        (depths if inside and ours <= 1e-6 - radius else differences).append(abs(ours - theirs))
        hit = solid_touches(solids, solids.rows, 0, *a, *b, radius)
        touching += hit
        wrong += abs(theirs) > 1e-6 and hit != (theirs < 0)
    return {
        "shape": name,
        "cases": cases,
        "touching": touching,
        "booleans that differ": wrong,
        "worst difference [m]": f"{max(differences):.1e}",
        "over 1e-6": int(np.sum(np.array(differences) > 1e-6)),
        "depths left out": len(depths),
    }


def compare_mesh(cases: int, seed: int) -> dict[str, object]:
    """The same for a torus of triangles; capsules wholly inside are left out, coal's meshes are surfaces."""
    rng = np.random.default_rng(seed)
    mesh = torus()
    geometry, _ = mesh_in_coal(mesh)
    differences, wrong, touching, swallowed = [], 0, 0, 0
    matrix, position, solids = np.eye(3), np.zeros(3), placed_solid(mesh, np.zeros(3), np.eye(3))
    for k in range(cases):
        if k % 1000 == 0:
            matrix, position = random_matrix(rng), rng.normal(scale=0.3, size=3)
            solids = placed_solid(mesh, position, matrix)
        radius, turn, centre, length = random_capsule(rng, matrix, position, k)
        a, b = centre - 0.5 * length * turn[:, 2], centre + 0.5 * length * turn[:, 2]
        ours = solid_signed(solids, solids.rows, 0, *a, *b)[0] - radius
        hit = solid_touches(solids, solids.rows, 0, *a, *b, radius)
        theirs = coal_distance(geometry, matrix, position, radius, turn, centre, length)
        if hit and theirs > 0:
            swallowed += 1
            continue
        touching += hit
        wrong += abs(theirs) > 1e-6 and hit != (theirs < 0)
        if theirs > 0:
            differences.append(abs(ours - theirs))
    return {
        "shape": "mesh",
        "cases": cases,
        "touching": touching,
        "booleans that differ": wrong,
        "worst difference [m]": f"{max(differences):.1e}",
        "over 1e-6": int(np.sum(np.array(differences) > 1e-6)),
        "wholly inside": swallowed,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    for name in SHAPES:
        start = time.perf_counter()
        row = compare(name, arguments.cases, arguments.seed)
        print(row, f"{time.perf_counter() - start:.0f} s", flush=True)
    print(compare_mesh(arguments.cases, arguments.seed), flush=True)


if __name__ == "__main__":
    main()
