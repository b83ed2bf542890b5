"""Stillness: statues are seen, people who stand are not, and motions may begin and end at rest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tools.everyday_pace import shared_motion, trusted_clips

import understudy as us
from understudy.core import Motion
from understudy.kinematics import motion_world
from understudy.performer import performance
from understudy.verify.stillness import stillness


def _held(motion: Motion, frame: int, seconds: float) -> Motion:
    """The motion with one frame held."""
    order = np.insert(np.arange(len(motion)), frame, np.full(round(seconds * motion.fps), frame))
    return replace(motion, root_positions=motion.root_positions[order], rotations=motion.rotations[order])


@pytest.fixture(scope="module")
def walk() -> Motion:
    return performance("walk", duration_s=4.0, fps=60.0).motion


def test_a_statue_is_seen_where_it_stands(walk: Motion) -> None:
    # A walker who stops dead rings on for a moment, at 6 Hz.
    found = stillness(_held(walk, 120, 1.5))
    assert 1.0 < found.longest_s <= 1.5
    assert 2.0 <= found.time_s < 2.5
    assert stillness(walk).longest_s == 0.0


def test_rest_at_the_ends_does_not_count(walk: Motion) -> None:
    for frame in (0, len(walk) - 1):
        found = stillness(_held(walk, frame, 1.0))
        assert found.longest_s == 0.0
        assert found.share > 0.1


def test_a_statue_is_refused_where_somebody_made_it(walk: Motion) -> None:
    statue = _held(walk, 120, 1.5)
    report = us.verify(statue, source=walk)
    assert "still between movements" in report.table()
    assert report.to_json()["characters"][0]["stillness"]["longest_s"] > 1.0
    found = next(one for one in report.violations if one.kind == "stillness")
    assert found.time_s is not None and 2.0 <= found.time_s < 2.5
    assert found.value > 1.0 and found.bar == us.Bars().still_s


def test_recordings_are_measured_only_and_edits_may_be_as_still_as_what_they_edit(walk: Motion) -> None:
    statue = _held(walk, 120, 1.5)
    assert "stillness" not in us.verify(statue).broken
    assert "stillness" not in us.verify(statue.made_from((statue,)), source=statue).broken
    # At other moments than the evidence nobody may be still.
    later = _held(walk, 150, 1.5)
    assert "stillness" in us.verify(later, source=statue).broken


def test_people_who_stand_live() -> None:
    """Nothing stands still in what the performer does, be it slow; and feet stay where they are."""
    for seed, style in enumerate(("calm", "brisk", "tired")):
        idle = performance("idle", seed=seed, style=style, duration_s=20.0).motion
        assert stillness(idle).share == 0.0
        feet = [idle.skeleton.humanoid[f"{side}Foot"] for side in ("left", "right")]
        places = motion_world(idle).positions[:, feet]
        assert np.ptp(places, axis=0).max() < 1e-4


def test_recorded_people_sway() -> None:
    folder = shared_motion()
    if not folder.exists():
        pytest.skip("the recordings are not at hand")
    clips = {
        path.stem: motion for path, motion, _ in trusted_clips(folder) if path.stem in {"137_26", "79_44", "79_20"}
    }
    assert clips
    for motion in clips.values():
        assert stillness(motion).longest_s < 0.1


def test_nobody_freezes_between_postures() -> None:
    result = us.between("relaxed", "arms_folded", "squat", options=us.BetweenOptions(fps=60.0))
    assert result.motion is not None
    assert stillness(result.motion).longest_s <= us.Bars().still_s
