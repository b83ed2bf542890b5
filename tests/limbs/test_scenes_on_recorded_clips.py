"""The scenes of the examples on recorded walks instead of the performer's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import understudy as us
from understudy.core import Status
from understudy.scene.placements import Static

SCENES = Path(__file__).parents[2] / "examples" / "scenes" / "limbs"


@pytest.mark.parametrize(
    ("name", "thing", "beside", "height"),
    [("umbrella_post", "post", (-0.45, 0.0, 0.0), 1.2), ("high_arm", "bar", (-0.22, 0.0, 0.0), 0.0)],
)
def test_a_recorded_walk_gets_past_what_is_in_its_way(
    cmu_bvh: Callable[[str], Path], name: str, thing: str, beside: tuple[float, float, float], height: float
) -> None:
    clip = us.load_motion(cmu_bvh("16_31"))
    scene = us.load_scene(SCENES / f"{name}.toml")
    scene = scene.with_motion("anna", clip)
    source = scene.character("anna").world_motion
    # The recorded walk is shorter: what was in the way of the performer's stands where this one is half way.
    half = 0.5 * source.duration_s
    hand, _ = scene.character("anna").joint("right_hand", [half])
    x, y, z = (hand[0] + np.array(beside)).tolist()
    scene = scene.placed(thing, Static(position=(x, height or y, z)))
    result = us.perform(scene)
    assert result.status is Status.SOLVED, result.reason
    made = result.motions["anna"]
    changed = np.flatnonzero(np.any(made.rotations != source.rotations, axis=(0, 2)))
    arm = {source.skeleton.humanoid[role] for role in ("rightUpperArm", "rightLowerArm", "rightHand")}
    assert arm & set(changed.tolist())
    legs = {source.skeleton.humanoid[role] for role in ("hips", "leftUpperLeg", "rightUpperLeg")}
    assert not legs & set(changed.tolist())
    things = {one.name for one in scene.objects}
    before = us.verify([("anna", source)], scene, source={"anna": source})
    after = us.verify([("anna", made)], result.scene, source={"anna": source})
    assert any(things & {pair.a, pair.b} for pair in before.penetration.pairs)
    assert not [pair for pair in after.penetration.pairs if things & {pair.a, pair.b} and pair.depth_m >= 1e-3]
