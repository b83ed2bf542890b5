"""Several walkers: they pass each other without touching, the same way every time."""

from __future__ import annotations

import numpy as np
import pytest

from understudy.core import Motion, Status
from understudy.errors import PlanningInputError
from understudy.kinematics import motion_world
from understudy.locomotion import Spot, Walker
from understudy.locomotion.crowd import Crowd
from understudy.locomotion.dynamic_scene import DynamicScene
from understudy.locomotion.plan import Plan
from understudy.locomotion.stream_options import StreamOptions
from understudy.locomotion.together import Turns
from understudy.locomotion.trip import Request, held_until
from understudy.locomotion.waiting import standing_clips, waiting
from understudy.scene import Box, Scene
from understudy.scene.placements import Track
from understudy.verify.stillness import stillness


def segment_gap(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Distances of segments ``(n, 3)`` ab and cd, by closest points clamped in turn until nothing changes."""
    u, v, w = b - a, d - c, a - c
    uu, vv = (u * u).sum(-1), (v * v).sum(-1)
    s = np.full(len(a), 0.5)
    for _ in range(60):
        t = np.clip(((w + s[:, None] * u) * v).sum(-1) / np.maximum(vv, 1e-12), 0.0, 1.0)
        s = np.clip(((t[:, None] * v - w) * u).sum(-1) / np.maximum(uu, 1e-12), 0.0, 1.0)
    return np.asarray(np.linalg.norm(w + s[:, None] * u - t[:, None] * v, axis=-1))


def closest(walker: Walker, roots: np.ndarray, rotations: np.ndarray) -> float:
    """Smallest gap between the capsules of any two people at one moment."""
    people = Motion(skeleton=walker.library.skeleton, fps=30.0, root_positions=roots, rotations=rotations)
    world = motion_world(people)
    starts, ends = walker.body.capsule_segments(world.positions, world.rotations)
    radii = walker.body.capsule_radii
    i, j = (index.ravel() for index in np.meshgrid(np.arange(len(radii)), np.arange(len(radii))))
    gaps = [
        (segment_gap(starts[a, i], ends[a, i], starts[b, j], ends[b, j]) - radii[i] - radii[j]).min()
        for a in range(len(roots))
        for b in range(a)
        if np.hypot(*(roots[a] - roots[b])[[0, 2]]) < 1.4
    ]
    return float(min(gaps, default=np.inf))


def ring_crowd(walker: Walker, count: int) -> Crowd:
    """People on a circle who change sides."""
    crowd = Crowd(walker, DynamicScene(walker, None, [np.array([-8.0, -8.0]), np.array([8.0, 8.0])]))
    for k in range(count):
        angle = 2.0 * np.pi * k / count
        at = 5.0 * np.array([np.sin(angle), np.cos(angle)])
        crowd.add(f"p{k}", start=at, goal=-at)
    return crowd


def arrival(crowd: Crowd, name: str) -> np.ndarray:
    """Where somebody's walk ends (x, z) [m]: whoever stands there afterwards sways."""
    motion = crowd.trips[name].result.motion
    assert motion is not None
    return np.asarray(motion.root_positions[-1, [0, 2]])


def test_a_crowd_changes_sides_without_touching(walker: Walker) -> None:
    crowd = ring_crowd(walker, 5)
    assert not crowd.done
    frames = []
    while not crowd.done and crowd.time_s < 60.0:
        frames.append(crowd.step())
    assert [trip.result.status for trip in crowd.trips.values()] == [Status.SOLVED] * 5
    assert min(closest(walker, frame.root_positions, frame.rotations) for frame in frames[::3]) > 0.0
    last = frames[-1]
    assert last.arrived.all()
    for k, name in enumerate(last.names):
        angle = 2.0 * np.pi * k / 5
        assert name == f"p{k}"
        goal = -5.0 * np.array([np.sin(angle), np.cos(angle)])
        assert np.hypot(*(arrival(crowd, name) - goal)) < 0.01
        assert np.hypot(*(last.root_positions[k, [0, 2]] - goal)) < 0.08
    # What is shown moves steadily: nobody jumps from one picture to the next.
    roots = np.array([frame.root_positions for frame in frames])
    assert np.linalg.norm(np.diff(roots, axis=0), axis=-1).max() < 0.12


def test_whoever_has_arrived_goes_on_to_live(walker: Walker) -> None:
    """Pictures after the end of a walk show somebody who stands on both feet and is never quite still."""
    crowd = ring_crowd(walker, 1)
    while not crowd.done and crowd.time_s < 60.0:
        crowd.step()
    after = [crowd.step() for _ in range(240)]
    roots, turns = (np.array([getattr(one, key)[0] for one in after]) for key in ("root_positions", "rotations"))
    stand = Motion(skeleton=walker.library.skeleton, fps=crowd.fps, root_positions=roots, rotations=turns)
    assert stillness(stand).share == 0.0
    feet = [walker.library.skeleton.humanoid[f"{side}Foot"] for side in ("left", "right")]
    assert np.ptp(motion_world(stand).positions[:, feet], axis=0).max() < 0.01


def test_a_crowd_is_the_same_every_time(walker: Walker) -> None:
    def shown() -> np.ndarray:
        crowd = ring_crowd(walker, 4)
        return np.array([crowd.step().root_positions for _ in range(90)])

    np.testing.assert_array_equal(shown(), shown())


def test_late_comers_redirection_and_bad_input(walker: Walker) -> None:
    crowd = ring_crowd(walker, 2)
    for _ in range(30):
        crowd.step()
    crowd.add("late", start=(6.0, 6.0), goal=(6.0, 0.0))
    crowd.redirect("p0", (-6.0, 5.0))
    while not crowd.done and crowd.time_s < 60.0:
        crowd.step()
    assert len(crowd) == 3
    assert np.hypot(*(arrival(crowd, "late") - [6.0, 0.0])) < 0.01
    assert np.hypot(*(arrival(crowd, "p0") - [-6.0, 5.0])) < 0.01
    assert crowd.trips["late"].start_s == pytest.approx(1.0)
    with pytest.raises(PlanningInputError, match="two walkers"):
        crowd.add("late", start=(0, 0), goal=(1, 1))
    with pytest.raises(PlanningInputError, match="p1"):
        crowd.redirect("p11", (0, 0))
    with pytest.raises(PlanningInputError, match="fps"):
        Crowd(walker, crowd.stage, fps=0.0)


def corridor() -> Scene:
    """Two metres between walls so thick that nobody goes round them."""
    scene = Scene(name="corridor")
    for k, x in enumerate((-6.0, 6.0)):
        scene = scene.with_object(f"wall {k}", Box(size_m=(10.0, 2.0, 8.0)), position=(x, 1.0, 4.0))
    return scene


def test_two_pass_each_other_in_a_corridor(walker: Walker) -> None:
    """From most places; whoever arrives has kept apart."""
    scene, ends = corridor(), [np.array([0.0, -1.5]), np.array([0.0, 9.5])]
    options, arrived = StreamOptions(deviation_m=0.8), 0
    for seed in range(4):
        sides = np.random.default_rng(seed).uniform(-0.3, 0.3, 4).tolist()
        requests = [
            Request(
                name="ann", walker=walker, start=Spot(position=(sides[0], -1.0)), goal=Spot(position=(sides[1], 9.0))
            ),
            Request(
                name="bob", walker=walker, start=Spot(position=(sides[2], 9.3)), goal=Spot(position=(sides[3], -1.3))
            ),
        ]
        trips = Turns(requests=requests, stage=lambda one: DynamicScene(one, scene, ends), options=options).trips()
        if not all(trip.result.status for trip in trips.values()):
            continue
        arrived += 1
        end_s = max(trip.end_s for trip in trips.values())
        gaps = []
        for time_s in np.arange(0.0, end_s, 0.1):
            poses = [trip.pose(float(time_s)) for trip in trips.values()]
            gaps.append(closest(walker, np.array([root for root, _ in poses]), np.array([turn for _, turn in poses])))
        assert 0.0 < min(gaps) < 0.8
    assert arrived >= 3
    with pytest.raises(PlanningInputError, match="same name"):
        Turns(requests=[requests[0], requests[0]], stage=lambda one: DynamicScene(one, scene, ends), options=options)


def test_whoever_cannot_go_yet_stands_on_both_feet_and_sets_out_later(walker: Walker) -> None:
    """A wall of a cart blocks the only way for eight seconds; then the way is free."""
    scene = corridor()
    track = Track(times_s=[0.0, 8.0, 8.5], positions=[[0, 0.5, 4.0], [0, 0.5, 4.0], [9, 0.5, 4.0]])
    scene = scene.with_object("cart", Box(size_m=(1.6, 1.0, 0.5)), placement=track)
    request = Request(name="ann", walker=walker, start=Spot(position=(0.0, 0.8)), goal=Spot(position=(0.0, 9.0)))
    stage = DynamicScene(walker, scene, [np.array([0.0, -1.5]), np.array([0.0, 9.5])])
    trip = Turns(requests=[request], stage=lambda _: stage, options=StreamOptions(deviation_m=0.9)).trips()["ann"]
    assert trip.result.status, trip.result.reason
    waits = np.isin(trip.plan.nodes, standing_clips(walker))
    assert walker.library.lengths()[trip.plan.nodes[waits]].sum() > 1.0
    # It begins and ends standing, and where it waits its feet rest.
    assert walker.still[trip.plan.nodes[0], 0] and walker.still[trip.plan.nodes[-1], 1]
    motion = held_until(trip, trip.end_s)
    feet = [walker.library.skeleton.humanoid[f"{side}Foot"] for side in ("left", "right")]
    positions = motion_world(motion).positions[:, feet]
    first = int(np.argmax(~waits))
    until = round((trip.plan.starts_s[first] - trip.start_s) * motion.fps)
    assert np.ptp(positions[:until], axis=0).max() < 0.005


def test_waiting_for_long_does_not_twist_the_legs(walker: Walker) -> None:
    begun = Plan.single(int(standing_clips(walker)[0]), np.array([1.0, 2.0, 0.3]), 0.0)
    waits = waiting(walker, begun.last, 30.0)
    assert 29.0 < walker.library.lengths()[waits.nodes].sum() < 31.0
    assert np.abs(waits.placements[:, :2] - [1.0, 2.0]).max() < 0.02
    assert np.abs(waits.placements[:, 2] - 0.3).max() < 0.05


def test_a_crowd_that_ran_out_of_time_says_so(walker: Walker) -> None:
    crowd = Crowd(
        walker,
        DynamicScene(walker, None, [np.array([-8.0, -8.0]), np.array([8.0, 8.0])]),
        options=StreamOptions(deadline_s=1e-3),
    )
    for k in range(4):
        crowd.add(f"p{k}", start=(k, -4.0), goal=(3.0 - k, 4.0))
    crowd.step()
    assert Status.TIMED_OUT in {trip.result.status for trip in crowd.trips.values()}
    assert Status.EXHAUSTED not in {trip.result.status for trip in crowd.trips.values()}
