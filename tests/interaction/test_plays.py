"""Rhythms, blends, mimes, guards, projects, exports: everything around the equations."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from understudy import rotations as rot
from understudy.api.interaction import Interaction, save_interaction
from understudy.cli.app import app
from understudy.core.limits import LimitKind
from understudy.core.segments import segments_apart
from understudy.errors import FormatError, OptionError, PlanningInputError
from understudy.formats import load_motion, load_motions
from understudy.interaction import (
    Actor,
    Ball,
    BallAt,
    ContactAt,
    EditOptions,
    End,
    Hold,
    Play,
    Session,
    Start,
    Touch,
    Way,
    guard_rows,
    pair_guards,
)
from understudy.interaction._guard_kernels import margins
from understudy.interaction.balancing import BalanceGuard, balance_room
from understudy.interaction.blending import blend_of, matched_marks
from understudy.interaction.clashes import track_of
from understudy.interaction.edits import Edit, done
from understudy.interaction.gripping import SNUG_M, gripped
from understudy.interaction.guard_rows import BallGuard, GapGuard, ReachGuard, TurnGuard
from understudy.interaction.guards import needed_guards
from understudy.interaction.mimes import Strike, circling_hands, soccer_mime
from understudy.interaction.pair_guards import PairGuards
from understudy.interaction.project import load_project
from understudy.interaction.reacquiring import reacquire
from understudy.interaction.reaction import Hit, ReactionOptions, reacted
from understudy.interaction.rhythm import Rhythm, cascade
from understudy.interaction.system import System
from understudy.interaction.turn_guards import TurnGuards, fences_of
from understudy.kinematics import motion_world
from understudy.performer import action_examples

CHECKOUT = Path(__file__).resolve().parents[2]
PROJECTS = sorted((CHECKOUT / "examples" / "projects").glob("*.toml"))


# Rhythms.


@pytest.mark.parametrize("jugglers", [1, 2])
def test_a_cascade_never_gives_a_hand_two_balls_at_once_while_it_runs(jugglers: int) -> None:
    rhythm = Rhythm(first_s=1.0, beat_s=0.3, dwell_s=0.35, throws=12, pass_every=4)
    hands = [(f"p{k}.left_hand", f"p{k}.right_hand") for k in range(jugglers)]
    ways = cascade(rhythm, hands)
    assert len(ways) == 3 * jugglers
    held: dict[str, list[tuple[float, float]]] = {}
    for way in ways:
        for before, after in pairwise(way.legs):
            assert after.catch_s - before.release_s == pytest.approx(3 * 0.3 - 0.35)
        for leg in way.legs[1:]:
            if leg.release_s is not None:
                held.setdefault(leg.part, []).append((leg.catch_s, leg.release_s))
    for spans in held.values():
        assert all(later[0] > earlier[1] for earlier, later in pairwise(sorted(spans)))
    crossing = [
        1
        for way in ways
        for before, after in pairwise(way.legs)
        if before.part.split(".")[0] != after.part.split(".")[0]
    ]
    assert (len(crossing) > 0) == (jugglers == 2)


def test_a_rhythm_without_time_to_fly_is_refused() -> None:
    with pytest.raises(OptionError, match="dwell"):
        Rhythm(first_s=1.0, beat_s=0.3, dwell_s=0.6, throws=12)


# Blends.


@pytest.fixture(scope="module")
def lean():
    return action_examples("reach", count=1, fps=60, targets=np.array([[0.12, 0.95, 0.75]]))[0]


def test_a_blend_at_weight_one_is_the_clip_where_it_is_fully_shown(juggler, lean) -> None:
    actor = Actor(name="a", motion=juggler.motion, cutoff_hz=1e6)
    there = lean.event("reach").time_s
    clip = blend_of(actor, lean.motion, [(3.0, there)], name="lean", span_s=(1.5, 4.5), fade_s=0.5)
    frame = round(3.0 * 60)
    turns = rot.multiply(actor.base.rotations[frame], rot.exp(clip.turns[frame]))
    expected = lean.motion.sample([there])[1][0]
    assert rot.angle_between(turns[1:], expected[1:]).max() < 1e-9
    assert np.abs(clip.turns[: round(1.5 * 60)]).max() == 0.0


def test_marks_found_by_the_frame_distance_recover_a_known_shift(juggler) -> None:
    actor = Actor(name="a", motion=juggler.motion)
    shifted = juggler.motion.slice(2.1, 4.6)
    marks = np.array(matched_marks(actor, shifted, span_s=(2.5, 4.0)))
    assert len(marks) > 3
    assert np.abs(marks[:, 0] - marks[:, 1] - 2.1).max() < 0.1


@pytest.mark.parametrize(
    ("marks", "span", "says"),
    [
        ([], (1.0, 3.0), "at least one mark"),
        ([(2.0, 9.0)], (1.0, 3.0), "outside"),
        ([(2.0, 1.0)], (3.0, 1.0), "must lie"),
    ],
)
def test_blends_that_make_no_sense_are_refused(juggler, lean, marks, span, says: str) -> None:
    actor = Actor(name="a", motion=juggler.motion)
    with pytest.raises(PlanningInputError, match=says):
        blend_of(actor, lean.motion, marks, name="x", span_s=span)


# Guards.


def test_a_held_ball_stays_out_of_its_holder(juggling: Play) -> None:
    handle = BallAt(ball="ball1", time_s=0.6)

    def bodies_met(guard_rounds: int) -> list[str]:
        session = Session(juggling, options=EditOptions(guard_rounds=guard_rounds))
        assert session.settle()
        assert session.drag(handle, session.where(handle) + np.array([0.0, -0.02, -0.06]))
        return [clash.other for clash in session.clashes() if "." in clash.other]

    assert bodies_met(0)
    assert not bodies_met(8)


def test_both_hands_are_on_the_bat() -> None:
    batter = load_project(CHECKOUT / "examples" / "projects" / "batting.toml").play.actors[1]
    (bat,) = batter.implements
    held = gripped(batter.motion, batter)
    parts = [batter.part(name) for name in ("bat", "left_hand")]
    ends = track_of(held, parts, held.times_s)
    apart = segments_apart(ends[:, 0, 0], ends[:, 0, 1], ends[:, 1, 0], ends[:, 1, 1])
    assert np.abs(apart - bat.radius_m - parts[1][3] + SNUG_M).max() < 1e-3


@pytest.mark.parametrize(
    "kind",
    ["gap", "held ball", "balance", "turn", "reach", "ball and part", "ball and flying ball", "ball and held ball"],
)
def test_guards_rows_equal_central_differences(juggling: Play, kind: str, monkeypatch) -> None:
    monkeypatch.setattr(pair_guards, "NEAR_M", 9.0)  # however far apart, the row itself has to be right
    body = juggling.actors[0].fitted_body
    elbow = juggling.actors[0].motion.skeleton.humanoid["leftLowerArm"]
    legs = {way.ball.name: way.legs for way in juggling.ways}
    flight = 0.5 * (legs["ball0"][0].release_s + legs["ball0"][1].catch_s)
    plain = System(juggling)
    plain.load(plain.start())
    aloft = [t for t in np.arange(1.5, 6.0, 0.01) if all(guard_rows.flying(plain, f"ball{k}", t) for k in (0, 1))]
    guard = {
        "gap": GapGuard(first="a.left_forearm", second="a.abdomen", time_s=2.5, least_m=0.3),
        "held ball": GapGuard(first="ball0", second="a.abdomen", time_s=0.5, least_m=0.3),
        "balance": BalanceGuard(actor=0, time_s=2.5, way=(0.6, 0.8), fall_s=0.3, most_m=0.0),
        "turn": TurnGuard(actor=0, joint=elbow, time_s=2.5, allowed_rad=-1.5),
        "reach": ReachGuard(actor=0, side="left", time_s=2.5, ankle=(0.1, 0.1, 0.0)),
        "ball and part": BallGuard(ball="ball0", time_s=flight, actor=0, part=body.capsule("left_hand")),
        "ball and held ball": BallGuard(ball="ball0", time_s=flight, other="ball2"),
        "ball and flying ball": BallGuard(ball="ball1", time_s=aloft[len(aloft) // 2], other="ball0"),
    }[kind]
    nodes = guard_rows.guard_nodes(plain, guard)
    bodies = int(np.count_nonzero(body.masses))
    assert len(nodes) == {"gap": 2, "held ball": 2, "balance": bodies, "turn": 0, "ball and flying ball": 0}.get(
        kind, 1
    )
    system = System(juggling, nodes)
    at = system.start() + 0.01 * np.random.default_rng(0).standard_normal(system.size)

    def room(unknowns: np.ndarray, out: np.ndarray) -> float:
        system.load(unknowns)
        if isinstance(guard, BalanceGuard):
            return balance_room(system, guard, system.watched_from, 0, out)
        if isinstance(guard, TurnGuard):
            return TurnGuards(system, [guard]).rows(out, 0)[0]
        own = range(system.watched_from, system.watched_from + len(nodes))
        return PairGuards(system, [(guard, own)]).rows(out, 0)[0]

    jacobian = np.zeros((3, system.size))
    room(at, jacobian)
    columns = np.flatnonzero(jacobian[0])
    assert len(columns) >= 4
    for column in columns[:: max(1, len(columns) // 12)]:
        step = np.zeros(system.size)
        step[column] = 1e-6
        dull = np.zeros_like(jacobian)
        expected = (room(at + step, dull) - room(at - step, dull)) / 2e-6
        assert expected == pytest.approx(jacobian[0, column], abs=1e-5)


def test_margins_of_limits_equal_the_bodys_own(juggling: Play) -> None:
    body = juggling.actors[0].fitted_body
    turns = rot.normalize(np.random.default_rng(1).standard_normal((40, len(body.limits.skeleton), 4)))
    rooms = np.empty(turns.shape[:2])
    margins(fences_of(body), turns, rooms)
    limits = body.limits
    at = limits.coordinates(turns)
    inside = np.minimum(limits.high - at, at - limits.low)
    for joint, kind in enumerate(limits.kinds):
        if kind == LimitKind.AXES:
            assert rooms[:, joint] == pytest.approx(inside[:, joint].min(axis=1), abs=1e-9)
        if kind == LimitKind.ELLIPSE:
            assert (rooms[:, joint] <= inside[:, joint, 2] + 1e-12).all()
    free = limits.kinds == LimitKind.FREE
    assert ((rooms < -1e-9) == (limits.excess(turns) > 1e-9))[:, ~free].all()


def test_a_crude_mime_is_made_to_juggle_within_limits(juggler) -> None:
    mime = circling_hands(juggler.motion, span_s=(1.0, 4.6), period_s=0.66, radius_m=0.1).frames(0, 260)
    actor = Actor(name="a", motion=mime)
    rhythm = Rhythm(first_s=1.66, beat_s=0.33, dwell_s=0.41, throws=4)
    play = Play(actors=(actor,), ways=cascade(rhythm, [("a.left_hand", "a.right_hand")], actors=(actor,)))
    session = Session(play)
    assert session.miss_m() > 0.5
    outcome = done(session, Edit(do="places", actor="a"))
    assert outcome and outcome.steps <= 10 and session.miss_m() < 1e-6
    assert [guard for guard in needed_guards(session.system()) if not isinstance(guard, BallGuard)] == []


# Mimes and reactions.


def test_strikes_lift_what_they_name() -> None:
    motion = soccer_mime([Strike(part="left_foot", time_s=1.5)], duration_s=4.0)
    feet = {
        side: motion_world(motion).positions[:, motion.skeleton.humanoid[f"{side}Foot"]] for side in ("left", "right")
    }
    assert np.ptp(feet["left"][:, 1]) > 0.1 and np.ptp(feet["right"], axis=0).max() < 1e-3
    with pytest.raises(OptionError, match="left_foot"):
        soccer_mime([Strike(part="left_foo", time_s=1.5)], duration_s=4.0)


def test_a_body_yields_to_a_hit_and_comes_back(juggler) -> None:
    motion = juggler.motion
    body = Actor(name="a", motion=motion).fitted_body
    joint = motion.skeleton.humanoid["leftLowerArm"]
    place = motion_world(motion).positions[120, motion.skeleton.humanoid["leftHand"]]
    hit = Hit(joint=joint, time_s=2.0, place=place, impulse=np.array([0.0, -0.6, 0.0]))
    shaken = reacted(motion, body, [hit], ReactionOptions(most_rad=0.2))
    moved = rot.angle_between(shaken.rotations[:, joint], motion.rotations[:, joint])
    assert moved[:120].max() < 1e-12 and 0.01 < moved.max() <= 0.2 + 1e-9 and moved[-1] < 1e-3
    down = motion_world(shaken).positions[128, motion.skeleton.humanoid["leftHand"], 1]
    assert down < motion_world(motion).positions[128, motion.skeleton.humanoid["leftHand"], 1]


# Finding lost contacts again.


def test_a_contact_is_taken_over_by_another_part(juggling: Play) -> None:
    session = Session(juggling)
    assert session.settle()
    before = session.play.way("ball0").legs[-1]
    outcome = reacquire(session, "ball0", len(session.play.way("ball0").legs) - 1)
    after = session.play.way("ball0").legs[-1]
    assert outcome and session.miss_m() < 1e-6
    assert after.part != before.part and after.part.startswith("a.")
    with pytest.raises(PlanningInputError, match="no catch"):
        reacquire(session, "ball0", 0)


# Projects, exports, command line.


def test_projects_of_the_examples_load() -> None:
    assert {path.stem for path in PROJECTS} >= {"juggling", "soccer", "batting", "passing"}
    for path in PROJECTS:
        project = load_project(path)
        assert project.edits and Session(project.play, options=project.options).miss_m() > 1e-3


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("actor = 3", "actor"),
        ("[[actor]]\nname = 'a'\nfil = 'x.bvh'", "fil"),
        ("[[actor]]\nname = 'a'", "needs a clip"),
        ("[[actor]]\nname = 'a'\nfile = 'missing.bvh'", "missing.bvh"),
        ("[[actor", "TOML"),
    ],
)
def test_bad_project_files_are_refused(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "p.toml"
    path.write_text(text)
    with pytest.raises(FormatError, match=says):
        load_project(path)


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> Path:
    """A toss to oneself as a project."""
    path = tmp_path_factory.mktemp("project") / "toss.toml"
    path.write_text(
        'throws_of = ["a"]\n\n[[actor]]\nname = "a"\nperformer = { action = "throw_catch" }\ncutoff_hz = 24.0\n'
        '\n[[edit]]\ndo = "settle"\n'
    )
    return path


def test_the_command_edits_judges_and_writes(small: Path, tmp_path: Path) -> None:
    out = tmp_path / "toss.glb"
    ran = CliRunner().invoke(
        app,
        ["interact", str(small), "--edit", "drag ball=ball0 leg=0 apex=true by=0,0.05,0", "-o", str(out), "--json"],
    )
    assert ran.exit_code == 0, ran.output
    told = json.loads(ran.stdout)
    assert told["status"] == "solved" and told["broken"] == [] and told["miss_m"] < 1e-6
    assert len(load_motions(out)) == 1


def test_bvh_export_has_a_file_for_everyone(small: Path, tmp_path: Path) -> None:
    project = load_project(small)
    session = Interaction(project.play, options=project.options)
    assert session.settle()
    files = save_interaction(session, tmp_path / "toss.bvh")
    assert sorted(path.name for path in files) == ["toss.a.bvh", "toss.ball0.bvh"]
    ball = load_motion(tmp_path / "toss.ball0.bvh")
    expected = session.ball_track("ball0", ball.times_s)
    assert np.abs(ball.root_positions - expected).max() < 1e-4


@pytest.mark.parametrize("edit", ["drag", "drag ball", "jump ball=b", "drag ball=ball0 time_s=x by=0,0,0"])
def test_bad_edits_are_usage_errors(small: Path, edit: str) -> None:
    ran = CliRunner().invoke(app, ["interact", str(small), "--edit", edit])
    assert (ran.exit_code in (1, 2) and ran.stderr.startswith("error:")) or "error:" in ran.stderr


def test_an_unknown_ball_or_time_is_named(juggling: Play) -> None:
    session = Session(juggling)
    with pytest.raises(PlanningInputError, match='"ball7"'):
        session.where(BallAt(ball="ball7", time_s=2.0))
    with pytest.raises(PlanningInputError, match="lasts from 0"):
        session.where(BallAt(ball="ball0", time_s=99.0))
    with pytest.raises(PlanningInputError, match="no leg 99"):
        session.where(ContactAt(ball="ball0", leg=99))


def test_touches_settle_off_the_floor_and_off_hands(juggling: Play) -> None:
    ball = Ball(name="b", restitution=0.8)
    legs = (
        Start(time_s=0.2, position=np.array([0.0, 1.5, 1.0]), velocity=np.array([0.0, 0.0, 0.0]), free=True),
        Touch(part="floor", time_s=0.8),
        Touch(part="floor", time_s=1.6),
        End(time_s=2.0, position=np.array([0.0, 0.8, 1.0])),
    )
    session = Session(Play(actors=juggling.actors, ways=(Way(ball=ball, legs=legs),)))
    assert session.settle() and session.miss_m() < 1e-9
    for leg in session.play.way("b").legs[1:3]:
        assert leg.point[1] == pytest.approx(ball.radius_m, abs=1e-12)


def test_a_ball_at_rest_in_a_hand_stays_there(juggling: Play) -> None:
    session = Session(juggling)
    held = session.play.way("ball0").legs[-1]
    assert isinstance(held, Hold)
    late = np.array([held.catch_s + 0.3])
    frame = session.motions(fps=240.0, plant=False)["a"]
    hand = juggling.actors[0].part("left_hand" if "left" in held.part else "right_hand")[0]
    world = motion_world(frame)
    k = round(float(late[0]) * 240.0)
    expected = world.positions[k, hand] + rot.rotate(world.rotations[k, hand], held.grip)
    assert session.ball_track("ball0", np.array([k / 240.0]))[0] == pytest.approx(expected, abs=1e-6)
