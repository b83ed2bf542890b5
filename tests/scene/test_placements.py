"""Where objects are over time, against SciPy and 4 x 4 matrices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation, Slerp

from scene.matrices import assert_same_pose, matrix
from understudy import rotations as rot
from understudy.errors import SceneError
from understudy.scene import Hinge, Static, Track


def random_track(rng: np.random.Generator, keys: int, *, loop: bool = False) -> Track:
    return Track(
        times_s=np.cumsum(rng.uniform(0.05, 2.0, keys)) - 1.0,
        positions=rng.normal(size=(keys, 3)),
        rotations=rot.normalize(rng.normal(size=(keys, 4))),
        loop=loop,
    )


@pytest.mark.parametrize("seed", range(8))
def test_a_track_is_lerp_and_slerp_held_at_its_ends(seed: int) -> None:
    rng = np.random.default_rng(seed)
    track = random_track(rng, keys=2 + seed)
    times = rng.uniform(track.times_s[0] - 1, track.times_s[-1] + 1, 300)
    clipped = np.clip(times, track.times_s[0], track.times_s[-1])
    positions, rotations = track.poses(times)
    for axis in range(3):
        np.testing.assert_allclose(
            positions[:, axis], np.interp(times, track.times_s, track.positions[:, axis]), atol=1e-12
        )
    expected = Slerp(track.times_s, Rotation.from_quat(track.rotations[:, [1, 2, 3, 0]]))(clipped)
    got = Rotation.from_quat(rotations[:, [1, 2, 3, 0]])
    assert (expected.inv() * got).magnitude().max() < 1e-7


def test_a_loop_repeats_in_both_directions_of_time() -> None:
    track = random_track(np.random.default_rng(3), keys=5, loop=True)
    period = track.times_s[-1] - track.times_s[0]
    inside = np.linspace(track.times_s[0], track.times_s[-1], 40, endpoint=False) + 1e-4
    for turns in (-2, -1, 1, 7):
        for now, then in zip(track.poses(inside), track.poses(inside + turns * period), strict=True):
            np.testing.assert_allclose(now, then, atol=1e-8)


def test_one_key_stands_still() -> None:
    track = Track(times_s=[2.0], positions=[[1, 2, 3]], loop=True)
    positions, rotations = track.poses(np.array([-5.0, 2.0, 9.0]))
    assert np.array_equal(positions, [[1, 2, 3]] * 3)
    assert np.array_equal(rotations, rot.identity((3,)))


@given(
    angle=st.floats(-1.5, 2.0),
    seed=st.integers(0, 10_000),
)
@settings(max_examples=60)
def test_a_hinge_is_a_turn_about_its_axis(angle: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    axis, at, closed = rng.normal(size=(3, 3))
    turn = rot.normalize(rng.normal(size=4))
    hinge = Hinge(
        axis_at=tuple(at),
        axis=tuple(axis),
        range_rad=(-1.5, 2.0),
        closed_position=tuple(closed),
        closed_rotation=tuple(turn),
        angles_rad=(angle,),
    )
    swing = np.eye(4)
    swing[:3, :3] = Rotation.from_rotvec(angle * axis / np.linalg.norm(axis)).as_matrix()
    there, back = matrix(at, (1, 0, 0, 0)), matrix(-at, (1, 0, 0, 0))
    positions, rotations = hinge.poses(np.zeros(1))
    assert_same_pose(positions[0], rotations[0], there @ swing @ back @ matrix(closed, turn))


def test_keyed_angles_are_straight_between_keys_and_held_beyond() -> None:
    hinge = Hinge(axis_at=(0, 0, 0), range_rad=(0, 2)).turned([0.0, 1.5, 1.0], times_s=[1, 2, 4])
    times = np.linspace(-1, 6, 50)
    np.testing.assert_allclose(hinge.angles(times), np.interp(times, [1, 2, 4], [0, 1.5, 1.0]), atol=1e-12)


def test_a_hinge_without_angle_rests_at_the_angle_nearest_zero() -> None:
    assert Hinge(axis_at=(0, 0, 0), range_rad=(-1, 1)).angles(0.0) == 0.0
    assert Hinge(axis_at=(0, 0, 0), range_rad=(0.5, 1)).angles(0.0) == 0.5


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Track(times_s=[0, 2, 1], positions=np.zeros((3, 3))), "times must increase; 1 s follows 2 s"),
        (lambda: Track(times_s=[0, 0], positions=np.zeros((2, 3))), "times must increase"),
        (lambda: Track(times_s=[], positions=np.zeros((0, 3))), "at least one time"),
        (lambda: Track(times_s=[0, np.nan], positions=np.zeros((2, 3))), "not finite"),
        (lambda: Track(times_s=[0, 1], positions=np.full((2, 3), np.inf)), "not finite"),
        (lambda: Track(times_s=[0, 1], positions=np.zeros((3, 3))), r"expected \(2, 3\)"),
        (lambda: Track(times_s=[0], positions=[[0, 0, 0]], rotations=[[0, 0, 0, 0]]), "all zero"),
        (lambda: Static(position=(0, np.nan, 0)), "must be finite"),
        (lambda: Static(position=(0, 0)), "2 numbers; it needs 3"),
        (lambda: Static(rotation=(0, 0, 0, 0)), "all zero"),
        (lambda: Hinge(axis_at=(0, 0, 0), axis=(0, 0, 0), range_rad=(0, 1)), "all zero"),
        (lambda: Hinge(axis_at=(0, 0, 0), range_rad=(1, 1)), "must be larger"),
        (lambda: Hinge(axis_at=(0, 0, 0), range_rad=(0, 1), angles_rad=(1.2,)), "outside its range"),
        (lambda: Hinge(axis_at=(0, 0, 0), range_rad=(0, 1)).turned([0, 1], times_s=[1, 0]), "times must increase"),
    ],
)
def test_impossible_placements_are_refused(make, words: str) -> None:
    with pytest.raises(SceneError, match=words):
        make()


def test_a_track_takes_a_copy_of_its_keys() -> None:
    positions = np.zeros((2, 3))
    track = Track(times_s=[0, 1], positions=positions)
    positions[:] = 7
    assert (track.positions == 0).all()
    assert track == Track(times_s=[0, 1], positions=np.zeros((2, 3)))
    assert track != Track(times_s=[0, 1], positions=np.zeros((2, 3)), loop=True)
