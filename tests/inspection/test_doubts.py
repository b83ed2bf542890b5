"""What is not sure about a clip is said: nobody's bones, odd statures, four legs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from people import person, wander
from understudy import rotations as rot
from understudy.cli.app import app
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.formats import save_motion
from understudy.inspection.doubts import doubts


def test_a_grown_person_leaves_no_doubt() -> None:
    assert doubts(wander(person())) == []


@pytest.mark.parametrize(("scale", "said"), [(0.73, "a child"), (1.37, "nobody")])
def test_statures_that_grown_people_do_not_have_are_said(scale: float, said: str) -> None:
    (doubt,) = doubts(wander(person(scale)))
    assert said in doubt and "m tall" in doubt


def test_somebody_whose_hands_stay_down_at_the_feet_may_be_an_animal() -> None:
    motion = wander(person(leg_scale=0.6))
    rotations = rot.identity(motion.rotations.shape[:2])
    # Bent over by a right angle and more, arms hanging.
    rotations[:, 0] = rot.from_axis_angle([1.0, 0.0, 0.0], np.radians(100.0))
    for side in ("left", "right"):
        back = rot.from_axis_angle([1.0, 0.0, 0.0], np.radians(-100.0))
        rotations[:, motion.skeleton.humanoid[f"{side}UpperLeg"]] = back
        hang = rot.shortest_arc(np.array([1.0 if side == "left" else -1.0, 0, 0]), np.array([0.0, 0.0, 1.0]))
        rotations[:, motion.skeleton.humanoid[f"{side}UpperArm"]] = hang
    lying = np.tile(rot.from_axis_angle([1.0, 0.0, 0.0], 0.5 * np.pi), (len(motion), 1))
    flat = np.concatenate([lying[:, None], motion.rotations[:, 1:]], axis=1)
    assert not any("all fours" in doubt for doubt in doubts(replace(motion, rotations=flat)))
    assert any("all fours" in doubt for doubt in doubts(replace(motion, rotations=rotations)))


def chain() -> Motion:
    skeleton = Skeleton(names=("a", "b", "c", "d"), parents=np.array([-1, 0, 1, 2]), offsets=np.full((4, 3), 0.3))
    return Motion(
        skeleton=skeleton, fps=30.0, root_positions=np.zeros((9, 3)), rotations=rot.identity((9, 4)), name="chain"
    )


def test_a_chain_is_nobody_and_one_line_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert doubts(chain())[0].startswith("not a person")
    files = [save_motion(chain(), tmp_path / f"chain{n}.bvh") for n in range(4)]
    with pytest.raises(SystemExit):
        app(["info", *map(str, files)], standalone_mode=True)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4 and all("not a person" in line and not line.endswith("ok") for line in lines)
    with pytest.raises(SystemExit):
        app(["info", str(files[0]), "--json"], standalone_mode=True)
    assert json.loads(capsys.readouterr().out)["files"][0]["doubts"] == doubts(chain())
