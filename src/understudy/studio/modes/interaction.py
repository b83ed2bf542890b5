"""Interaction mode: drag a ball or a hand at any time; everything that touches it follows."""

from __future__ import annotations

import time
from dataclasses import replace

from understudy.errors import OptionError
from understudy.interaction.handles import BallAt, PartAt
from understudy.interaction.outcome import Snapshot
from understudy.studio.edits import Arguments, Outcome, edit
from understudy.studio.jobs import Change, Job
from understudy.studio.judging import collision_marks, verdict_of
from understudy.studio.messages import Live
from understudy.studio.playing import Playing, Shown
from understudy.studio.project import Project
from understudy.studio.shelf import Shelf

#: [s] without another step before the whole play is shown.
_CALM_S = 0.2


class HoldArguments(Arguments):
    """What to drag, and at which time; a body part is named by its joint."""

    ball: str | None = None
    part: str | None = None
    time_s: float


class DragArguments(HoldArguments):
    """Where to [m]; ``done`` when the mouse was let go."""

    to: tuple[float, float, float]
    done: bool = False


@edit("interaction.drag", DragArguments)
def drag(project: Project, wanted: DragArguments, shelf: Shelf) -> Outcome:
    """Take a ball or a hand elsewhere at a time."""
    playing, state = _playing(project, shelf)
    handle = _handle(wanted)
    title = f"Drag {wanted.ball or wanted.part}"
    if not wanted.done:
        state, glimpse, outcome = playing.followed(state, handle, wanted.to)
        said = "following" if outcome else outcome.reason
        project = replace(project, play=state).with_verdict(status="judging", text=said)
        live: Live = {
            "serial": 0,
            "time_s": glimpse.time_s,
            "text": said,
            "people": glimpse.people,
            "things": glimpse.things,
            "lines": list(glimpse.lines),
        }
        return Outcome(project=project, title=title, job=_following(playing), live=live)
    started = time.perf_counter()
    shown, outcome = playing.dragged(state, handle, wanted.to)
    seconds = time.perf_counter() - started
    reason = "" if outcome else outcome.reason
    project = _put(project, shown).with_verdict(status="judging", text="the judge is looking", seconds=seconds)
    return Outcome(project=project, title=title, job=_judging(playing, shown, shelf, reason, seconds))


@edit("interaction.hold", HoldArguments)
def hold(project: Project, wanted: HoldArguments, shelf: Shelf) -> Outcome:
    """Keep a ball or a hand where it is at a time, whatever is dragged later."""
    playing, state = _playing(project, shelf)
    shown, outcome = playing.held(state, _handle(wanted))
    if not outcome:
        raise OptionError(outcome.reason)
    return Outcome(project=_put(project, shown), title=f"Hold {wanted.ball or wanted.part}")


class LetGoArguments(Arguments):
    """Which held point, counted from 0."""

    number: int


@edit("interaction.let_go", LetGoArguments)
def let_go(project: Project, wanted: LetGoArguments, shelf: Shelf) -> Outcome:
    """Release a held point."""
    playing, state = _playing(project, shelf)
    return Outcome(project=_put(project, playing.let_go(state, wanted.number)), title="Let go")


def _handle(wanted: HoldArguments) -> BallAt | PartAt:
    if (wanted.ball is None) == (wanted.part is None):
        raise OptionError("name either a ball or a part")
    if wanted.ball is not None:
        return BallAt(ball=wanted.ball, time_s=wanted.time_s)
    return PartAt(part=str(wanted.part), time_s=wanted.time_s, point=(0.0, 0.0, 0.0))


def begun(playing: Playing, shelf: Shelf) -> Project:
    """A project that shows a play."""
    shelf.playing = playing
    project = Project(mode="interaction").with_setting(
        "interaction", {"play": playing.name, "parts": list(playing.parts)}
    )
    return _put(project, playing.resting()).with_verdict(status="idle", text="drag a ball or a hand")


def _playing(project: Project, shelf: Shelf) -> tuple[Playing, Snapshot]:
    """The session and the state the project shows; after a restart, the session as it was saved."""
    name = project.setting("interaction").get("play", "")
    if not name:
        raise OptionError("this project has no balls; open one of the interaction examples")
    playing = shelf.playing
    if playing is None or playing.name != name:
        file = None if shelf.folder is None else shelf.folder / "play" / "play.toml"
        if file is None or not file.is_file():
            raise OptionError(f'the play "{name}" is no longer available; open the example again')
        shelf.kernels.wait("balls")
        playing = shelf.playing = Playing(file)
    state = project.play if isinstance(project.play, Snapshot) else playing.resting().state
    return playing, state


def _put(project: Project, shown: Shown) -> Project:
    setting = project.setting("interaction")
    held = [mark for mark in shown.marks if mark.icon == "hold"]
    setting["holds"] = [{"name": mark.track, "time_s": mark.start_s} for mark in held]
    project = project.with_setting("interaction", setting)
    return replace(project, scene=shown.scene, play=shown.state, lines=shown.lines, marks=shown.marks, ghosts={})


def _following(playing: Playing) -> Job:
    """Shows the whole play once the mouse rests; during a drag, only the current time is shown.

    One job waits for all steps of a drag: to stop a thread and wake another at every step would cost more than a step.
    """
    waiting = playing.follower
    if waiting is not None and not waiting.cancel.is_set() and not waiting.ended:
        return waiting

    def work(job: Job) -> Change:
        while True:
            while (left := playing.moved_at + _CALM_S - time.monotonic()) > 0.0:
                if job.cancel.wait(left):
                    return lambda project: project
            state = playing.newest
            assert state is not None
            shown = playing.sketched(state)
            if playing.newest is state:
                return lambda project: _put(project, shown)

    playing.follower = Job(title="following", work=work, kernels="balls")
    return playing.follower


def _judging(playing: Playing, shown: Shown, shelf: Shelf, reason: str, seconds: float) -> Job:
    folder = None if shelf.folder is None else shelf.folder / "play"

    def work(job: Job) -> Change:
        report = playing.judged(shown.state, folder=folder)
        verdict = verdict_of(report, seconds=seconds, reason=reason)
        collisions = collision_marks(report)
        return lambda project: replace(project, verdict=verdict, marks=(*project.marks, *collisions))

    return Job(title="the judge is looking", work=work, kernels="balls")
