from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from people import person, random_frames, with_joint_frames
from understudy.core import Skeleton
from understudy.core.human_limits import human_limits
from understudy.core.humanoid import REQUIRED_ROLES, ROLE_PARENTS, ROLES, mirrored_role, role_ancestors
from understudy.core.limits import LimitKind
from understudy.core.skeleton import parents_first
from understudy.errors import SkeletonError


def test_rest_world_positions_are_sums_of_offsets_when_frames_are_aligned() -> None:
    skeleton = person()
    positions, rotations = skeleton.rest_world
    hand = skeleton.index("leftHand")
    chain = skeleton.chain(0, hand)
    assert np.allclose(positions[hand], skeleton.offsets[list(chain)].sum(axis=0))
    assert np.allclose(rotations, [1, 0, 0, 0])


@given(st.integers(0, 10_000))
def test_joint_frames_do_not_change_where_joints_and_tips_are(seed: int) -> None:
    plain = person()
    framed = with_joint_frames(plain, random_frames(plain, seed))
    assert np.allclose(framed.rest_world[0], plain.rest_world[0])
    assert np.allclose(framed.tip_positions(*framed.rest_world), plain.tip_positions(*plain.rest_world))
    assert framed.height_m == pytest.approx(plain.height_m)


def test_height_leg_and_bones() -> None:
    skeleton = person()
    assert skeleton.height_m == pytest.approx(
        0.95 + 0.08 + 0.14 + 0.12 + 0.14 + 0.09 + 0.2 - (0.95 - 0.06 - 0.82 - 0.05)
    )
    assert skeleton.leg_length_m() == pytest.approx(0.82)
    assert skeleton.bone_length_m("leftUpperArm", "leftLowerArm") == pytest.approx(0.28)
    assert skeleton.scaled(2.0).height_m == pytest.approx(2 * skeleton.height_m)


def test_limbs_and_descendants() -> None:
    skeleton = person()
    arm = [skeleton.names[j] for j in skeleton.limb("left_arm")]
    assert arm == ["leftShoulder", "leftUpperArm", "leftLowerArm", "leftHand"]
    below = {skeleton.names[j] for j in skeleton.descendants(skeleton.index("rightLowerLeg"))}
    assert below == {"rightLowerLeg", "rightFoot", "rightToes"}
    assert set(skeleton.descendants(0)) == set(range(len(skeleton)))


def test_unknown_joint_names_the_nearest() -> None:
    with pytest.raises(SkeletonError, match="leftHand"):
        person().index("leftHnd")
    with pytest.raises(SkeletonError, match="left_arm"):
        person().limb("left_am")
    with pytest.raises(SkeletonError, match="does not descend"):
        person().chain(person().index("leftHand"), person().index("rightHand"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"names": ("a", "a")}, 'two joints are called "a"'),
        ({"names": ()}, "at least one joint"),
        ({"parents": [0, 0]}, "must be the root"),
        ({"parents": [-1, 1]}, "comes before it"),
        ({"parents": [-1, -1]}, "comes before it"),
        ({"offsets": np.full((2, 3), np.nan)}, "not finite"),
        ({"offsets": np.zeros((3, 3))}, "shape"),
        ({"tip_joints": [7], "tip_offsets": [[0, 0, 0]]}, "does not exist"),
        ({"humanoid": {"hip": 0}}, 'did you mean "hips"'),
        ({"humanoid": {"hips": 9}}, "joints are 0..1"),
        ({"humanoid": {"hips": 0, "spine": 0}}, "same joint"),
    ],
)
def test_malformed_skeletons_are_refused(change: dict, message: str) -> None:
    whole = {"names": ("a", "b"), "parents": [-1, 0], "offsets": np.zeros((2, 3))}
    if change.get("names") == ():
        change = {"names": (), "parents": [], "offsets": np.zeros((0, 3))}
    with pytest.raises(SkeletonError, match=message):
        Skeleton(**{**whole, **change})


def test_arrays_cannot_be_changed_afterwards() -> None:
    offsets = np.zeros((2, 3))
    skeleton = Skeleton(names=("a", "b"), parents=np.array([-1, 0]), offsets=offsets)
    offsets[1] = 5.0
    assert skeleton.offsets[1, 0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        skeleton.offsets[0] = 1.0


def test_require_humanoid_lists_what_is_missing() -> None:
    skeleton = person()
    assert skeleton.is_humanoid
    partial = skeleton.with_humanoid({k: v for k, v in skeleton.humanoid.items() if k != "leftFoot"})
    assert not partial.is_humanoid
    with pytest.raises(SkeletonError, match="leftFoot"):
        partial.require_humanoid()


@given(st.integers(1, 40), st.randoms())
def test_parents_first_orders_any_tree(count: int, random) -> None:  # type: ignore[no-untyped-def]
    parents = [-1] + [random.randrange(joint) for joint in range(1, count)]
    shuffle = list(range(count))
    random.shuffle(shuffle)
    mixed = [0] * count
    for old, new in enumerate(shuffle):
        mixed[new] = -1 if parents[old] < 0 else shuffle[parents[old]]
    order = parents_first(mixed)
    assert sorted(order) == list(range(count))
    place = {joint: i for i, joint in enumerate(order)}
    assert all(mixed[j] < 0 or place[mixed[j]] < place[j] for j in range(count))


@pytest.mark.parametrize("parents", [[0], [1, 0], [-1, -1], [-1, 2, 1], []])
def test_parents_first_refuses_cycles_and_forests(parents: list[int]) -> None:
    with pytest.raises(SkeletonError):
        parents_first(parents)


def test_role_table_is_one_tree_with_mirror_symmetry() -> None:
    assert [role for role, parent in ROLE_PARENTS.items() if parent is None] == ["hips"]
    for role in ROLES:
        assert mirrored_role(mirrored_role(role)) == role
        assert mirrored_role(role) in ROLES
        if role != "hips":
            assert role_ancestors(role)[-1] == "hips"
            assert mirrored_role(ROLE_PARENTS[role]) == ROLE_PARENTS[mirrored_role(role)]  # type: ignore[arg-type]
    assert set(REQUIRED_ROLES) <= set(ROLES)
    assert len(REQUIRED_ROLES) == 15


def test_a_joint_that_turns_the_forearm_is_found_and_limited() -> None:
    whole = person()
    hand, elbow = whole.index("leftHand"), whole.index("leftLowerArm")
    names = (*whole.names[:hand], "twist", *whole.names[hand:])
    moved = [parent + (parent >= hand) for parent in whole.parents]
    moved[hand] = hand
    split = Skeleton(
        names=names,
        parents=np.array([*moved[:hand], elbow, *moved[hand:]]),
        offsets=np.insert(whole.offsets, hand, 0.5 * whole.offsets[hand], axis=0),
        humanoid={role: joint + (joint >= hand) for role, joint in whole.humanoid.items()},
    )
    assert split.forearm_twist("left") == names.index("twist")
    assert split.forearm_twist("right") is None and whole.forearm_twist("left") is None
    limits = human_limits(split)
    assert limits.kinds[names.index("twist")] == limits.kinds[split.index("leftHand")] != LimitKind.FREE
