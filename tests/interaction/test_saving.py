"""Projects that are saved and opened again: the same session, to the bit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import understudy as us
from understudy.errors import FormatError, PlanningInputError
from understudy.interaction import (
    Actor,
    Apex,
    Ball,
    BallAt,
    Blend,
    End,
    Hold,
    Implement,
    Play,
    Session,
    Start,
    Touch,
    Way,
)
from understudy.interaction.rhythm import thrown_as
from understudy.performer import action_examples
from understudy.scene import Box, Scene


@pytest.fixture(scope="module")
def session() -> Session:
    """A toss under edit: something pinned, dragged, undone; a club, a wall, a stick and a blend beside it."""
    toss = action_examples("throw_catch", count=1)[0]
    rng = np.random.default_rng(0)
    joints, frames = len(toss.motion.skeleton), len(toss.motion)
    sway = Blend(name="sway", root=0.01 * rng.standard_normal((frames, 3)), turns=np.zeros((frames, joints, 3)))
    stick = Implement(
        name="stick", joint="leftHand", start=np.array([0.1, 0.0, 0.0]), end=np.array([0.1, 0.3, 1 / 3]), radius_m=0.01
    )
    anna = Actor(
        name="anna", motion=toss.motion, cutoff_hz=24.0, implements=(stick,), blends=(sway,), scale={"trunk": 1.3},
        references=(toss.motion,),
    )  # fmt: skip
    bouncing = Way(
        ball=Ball(name="b", friction=0.1, color=(0.1, 0.2, 1 / 3)),
        legs=(
            Start(time_s=0.1, position=np.array([2.0, 1.0, 1.0]), velocity=np.array([0.0, 0.5, 0.1]), free=True),
            Touch(part="floor", time_s=0.6, tune=True),
            Touch(part="wall", time_s=0.9),
            End(time_s=1.2, position=np.array([2.0, 0.5, 1.0])),
        ),
    )
    club = Way(
        ball=Ball(name="club", length_m=0.3, radius_m=0.02),
        legs=(
            Start(time_s=0.1, position=np.array([4.0, 1.0, 1.0]), velocity=np.zeros(3), axis=np.array([1.0, 0.0, 0.3])),
            End(time_s=0.4, position=np.array([4.0, 0.5, 1.0])),
        ),
    )
    scene = Scene().with_object("wall", Box(size_m=(1.0, 2.0, 0.1)), position=(2.0, 1.0, 1.3))
    session = Session(Play(actors=(anna,), ways=(*thrown_as(toss, anna), bouncing, club), scene=scene))
    assert session.settle()
    assert session.pin(Apex(ball="ball0", leg=0))
    handle = BallAt(ball="b", time_s=0.3)
    assert session.drag(handle, session.where(handle) + np.array([0.05, 0.0, 0.0]))
    assert session.drag(Apex(ball="ball0", leg=0), session.where(Apex(ball="ball0", leg=0)) + 0.0)
    session.undo()
    return session


def test_a_saved_session_comes_back_to_the_bit(session: Session, tmp_path: Path) -> None:
    files = us.save_project(session, tmp_path / "toss.toml")
    assert all(file.parent == tmp_path and file.exists() for file in files)
    again = Session.resumed(us.load_project(tmp_path / "toss.toml"))
    assert np.array_equal(again.unknowns, session.unknowns)
    ours, theirs = session.motions()["anna"], again.motions()["anna"]
    assert np.array_equal(ours.rotations, theirs.rotations) and np.array_equal(
        ours.root_positions, theirs.root_positions
    )
    times = np.linspace(0.0, 2.0, 50)
    for ball in ("ball0", "b", "club"):
        assert np.array_equal(session.ball_track(ball, times), again.ball_track(ball, times))
    assert [str(pin.handle) for pin in again.pins] == [str(pin.handle) for pin in session.pins]
    assert again.play.actors[0].part("stick")[2] == pytest.approx(session.play.actors[0].part("stick")[2], abs=0.0)
    assert again.weights() == session.weights() and len(again.play.actors[0].references) == 1


def test_edits_undo_and_redo_go_on_as_they_would_have(session: Session, tmp_path: Path) -> None:
    us.save_project(session, tmp_path / "toss.toml")
    again = Session.resumed(us.load_project(tmp_path / "toss.toml"))
    handle = BallAt(ball="b", time_s=0.3)
    goal = session.where(handle) + np.array([0.0, 0.03, 0.02])
    for one in (session, again):
        one.redo()
        one.undo()
        one.undo()
        one.redo()
        assert one.drag(handle, goal)
    assert np.array_equal(again.unknowns, session.unknowns)
    for one in (session, again):
        one.undo()
    assert np.array_equal(again.unknowns, session.unknowns)


def test_saving_again_leaves_no_litter_and_a_failed_save_nothing(session: Session, tmp_path: Path, monkeypatch) -> None:
    first = us.save_project(session, tmp_path / "toss.toml")
    assert us.save_project(session, tmp_path / "toss.toml") == first
    assert sorted(tmp_path.iterdir()) == sorted(first)
    before = {file: file.read_bytes() for file in first}

    def broken(*_) -> None:
        raise OSError(28, "no space left")

    handle = BallAt(ball="b", time_s=0.3)
    session.drag(handle, session.where(handle) + np.array([0.01, 0.0, 0.0]))
    monkeypatch.setattr(Path, "write_text", broken)
    with pytest.raises(FormatError, match="no space"):
        us.save_project(session, tmp_path / "toss.toml")
    monkeypatch.undo()
    assert all(file.read_bytes() == data for file, data in before.items())
    us.load_project(tmp_path / "toss.toml")
    session.undo()


def test_what_cannot_be_saved_or_read_is_said(session: Session, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"\.toml"):
        us.save_project(session, tmp_path / "toss.json")
    with pytest.raises(FormatError, match="cannot write"):
        us.save_project(session, tmp_path / "nowhere" / "toss.toml")
    files = us.save_project(session, tmp_path / "toss.toml")
    state = next(file for file in files if ".state-" in file.name)
    state.write_bytes(state.read_bytes()[:200])
    with pytest.raises(FormatError, match="state"):
        us.load_project(tmp_path / "toss.toml")
    state.unlink()
    with pytest.raises(FormatError, match="state"):
        us.load_project(tmp_path / "toss.toml")
    actor = session.play.actors[0]
    fixed = Play(actors=(Actor(name="a", motion=actor.motion, body=actor.fitted_body),), ways=())
    with pytest.raises(PlanningInputError, match="body of its own"):
        us.save_project(Session(fixed), tmp_path / "body.toml")


def test_a_hand_that_holds_two_balls_is_saved_with_both_grips(juggling: Play, tmp_path: Path) -> None:
    us.save_project(Session(juggling), tmp_path / "three.toml")
    again = us.load_project(tmp_path / "three.toml").play
    for ours, theirs in zip(juggling.ways, again.ways, strict=True):
        for one, two in zip(ours.legs, theirs.legs, strict=True):
            assert isinstance(one, Hold) and isinstance(two, Hold)
            assert (one.part, one.catch_s, one.release_s) == (two.part, two.catch_s, two.release_s)
            assert (one.grip is None) == (two.grip is None)


def test_a_project_of_another_version_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "later.toml"
    file.write_text('version = 2\nname = "later"\nsomething_new = 1\n')
    with pytest.raises(FormatError, match="version 2 of project files: written by a newer Understudy"):
        us.load_project(file)
