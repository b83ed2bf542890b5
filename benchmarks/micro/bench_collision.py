"""A 25-joint body with 21 capsules in rooms of obstacles; Pinocchio with coal's best broad phase as peer.

Times are per configuration, forward kinematics included, stopping at the first hit. ``same`` counts configurations on
which both give the same answer.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from time import process_time

import numpy as np

from benchmarks.micro.coal_peer import CoalPeer
from benchmarks.micro.collision_cases import bumpy_ball, person, poses, room
from benchmarks.timing import measure
from understudy.collision import Checker, CollisionBody, Obstacle, World
from understudy.core.body import Body
from understudy.core.pose import Pose

Row = dict[str, object]


def _per_pose(fn: Callable[[], object], count: int, repeat: int) -> dict[str, float]:
    timing = measure(fn, repeat=repeat)
    # Wall time counts whatever else the machine is doing; processor time does not.
    spent = []
    for _ in range(max(repeat // 3, 2)):
        start = process_time()
        fn()
        spent.append((process_time() - start) * 1e6)
    timing["cpu_us"] = float(np.median(spent))
    return {key: value / count if key.endswith("_us") else value for key, value in timing.items()}


def _room_rows(body: Body, case: str, obstacles: list[Obstacle], side_m: float, count: int, repeat: int) -> list[Row]:
    """Us and the peer on the same configurations of one room."""
    local, roots = poses(body, count, side_m=side_m)
    checker = Checker(CollisionBody(body), World(obstacles))
    answer = checker.collides_many(local, roots)
    row: Row = {"case": case, "n": count, "hits": f"{answer.mean():.2f}"}
    rows = [{**row, "method": "ours", **_per_pose(lambda: checker.collides_many(local, roots), count, repeat)}]
    free = ~answer
    if free.any():
        some, at = local[free], roots[free]
        timing = _per_pose(lambda: checker.collides_many(some, at), len(some), repeat)
        rows.append({**row, "case": f"{case}, free poses only", "n": len(some), "method": "ours", **timing})
    if find_spec("pinocchio") is not None:
        few = min(count, 2000)
        peer = CoalPeer(body, obstacles)
        q = peer.configurations(local[:few], roots[:few])
        same = int((peer.collides(q) == answer[:few]).sum())
        plain = int((peer.collides_plainly(q[:200]) == answer[:200]).sum())
        timing = _per_pose(lambda: peer.collides(q), few, max(repeat // 10, 2))
        rows.append({**row, "method": "pinocchio + coal tree", "n": few, "same": f"{same}/{few}", **timing})
        timing = _per_pose(lambda: peer.collides_plainly(q[:200]), 200, 2)
        rows.append({**row, "method": "pinocchio + coal pairs", "n": 200, "same": f"{plain}/200", **timing})
    return rows


def _limb_rows(body: Body, count: int, repeat: int) -> list[Row]:
    """One arm moving, the rest of the body standing still in a free pose."""
    local, roots = poses(body, count, side_m=4.0)
    checker = Checker(CollisionBody(body), World(room(20, 20, side_m=4.0)))
    still = int(np.flatnonzero(~checker.collides_many(local, roots))[0])
    pose = Pose(skeleton=body.skeleton, root_position=roots[still], rotations=local[still])
    limb = checker.limb(pose, "right_arm")
    arm = np.ascontiguousarray(local[:, list(limb.joints)])
    answer = limb.collides_many(arm)
    timing = _per_pose(lambda: limb.collides_many(arm), count, repeat)
    return [{"case": "arm only, 40 obstacles", "method": "ours", "n": count, "hits": f"{answer.mean():.2f}", **timing}]


def _other_rows(body: Body, count: int, repeat: int) -> list[Row]:
    """Distances, single calls and swept moves in the room of 40."""
    local, roots = poses(body, count, side_m=4.0)
    checker = Checker(CollisionBody(body), World(room(20, 20, side_m=4.0)))
    few = min(count, 1000)
    timing = _per_pose(lambda: checker.distances_many(local[:few], roots[:few]), few, repeat)
    rows: list[Row] = [{"case": "nearest pairs, 40 obstacles", "method": "ours", "n": few, **timing}]
    timing = measure(lambda: checker.collides(local[0], roots[0]), repeat=repeat, number=20)
    rows.append({"case": "one call from Python", "method": "ours", "n": 1, **timing})
    free = np.flatnonzero(~checker.collides_many(local, roots))[:50]
    people = [Pose(skeleton=body.skeleton, root_position=roots[i], rotations=local[i]) for i in free]
    nudged = [Pose(skeleton=body.skeleton, root_position=roots[i] + [0.1, 0.0, 0.05], rotations=local[i]) for i in free]
    moves = list(zip(people, nudged, strict=True))
    timing = _per_pose(lambda: [checker.segment_is_free(a, b) for a, b in moves], len(moves), max(repeat // 3, 2))
    rows.append({"case": "swept move of 11 cm", "method": "ours", "n": len(moves), **timing})
    return rows


def _crowd_row(body: Body, things: int, count: int, repeat: int) -> list[Row]:
    """Rooms that grow with what stands in them, so that the density stays."""
    side = 4.0 * float(np.sqrt(things / 40))
    checker = Checker(CollisionBody(body), World(room(things // 2, things // 2, side_m=side)))
    local, roots = poses(body, count, side_m=side)
    hits = f"{checker.collides_many(local, roots).mean():.2f}"
    timing = _per_pose(lambda: checker.collides_many(local, roots), count, repeat)
    return [{"case": f"{things} obstacles, same density", "method": "ours", "n": count, "hits": hits, **timing}]


def rows(quick: bool) -> list[Row]:
    """One row per room and implementation."""
    body = person()
    count, repeat = (500, 3) if quick else (10_000, 30)
    found = _room_rows(body, "20 boxes + 20 capsules", room(20, 20, side_m=4.0), 4.0, count, repeat)
    ball = Obstacle(name="ball", shape=bumpy_ball(), position=(0.0, 1.0, 0.0))
    found += _room_rows(body, "mesh of 30,000 triangles", [ball], 2.0, count, repeat)
    found += _limb_rows(body, count, repeat)
    for things in (10, 100, 1000):
        found += _crowd_row(body, things, count, repeat)
    return found + _other_rows(body, count, repeat)
