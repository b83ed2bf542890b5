"""Interaction editing: milliseconds an edit step by variables and contacts, beside central differences in the same run.

    python -m benchmarks.suites.interaction [--quick]

One *step* is what a mouse asks for: Newton correction and capped drag, then back onto the contacts (two linearisations,
two solves). The peer gets the same Jacobian by central differences of the same residuals. Below: a drag of 0.45 m, a
thousand steps of dragging in circles, there and back again, and a crude mime of circling hands made to juggle.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from time import perf_counter, thread_time
from typing import Any

import numpy as np

from benchmarks.suites import Row
from understudy.interaction import Actor, BallAt, Blend, EditOptions, Play, Session, Way
from understudy.interaction.editing import Bench, Pin, corrected
from understudy.interaction.freedoms import GROUPS
from understudy.interaction.mimes import circling_hands
from understudy.interaction.rhythm import Rhythm, cascade, cascade_places, thrown_as
from understudy.performer import action_examples

#: Joints that may move and seconds between control points: about 119, 220, 420 and 1,460 variables with 20 contacts.
SIZES: tuple[tuple[tuple[str, ...], float], ...] = (
    (("left_arm",), 1.0),
    (("arms",), 1.0),
    (("arms",), 0.38),
    (("arms", "trunk", "root"), 0.15),
)
#: Variables and throws of the smallest cases: blend weights only, at given contact times.
SMALL = ((4, 1), (20, 3), (50, 8))
CONTACTS = (6, 12, 20, 40)


def bench(motion: Path | None, *, quick: bool) -> list[Row]:
    rows: list[Row] = []
    example = action_examples("juggle", count=1, fps=60)[0]
    repeats = 20 if quick else 100
    for variables, throws in SMALL[:1] if quick else SMALL:
        rows += step_rows(blended_play(example.motion, variables, throws), repeats)
    for groups, spacing in SIZES[1::2] if quick else SIZES:
        rows += step_rows(play_of(example.motion, groups, spacing, 20), repeats)
    for contacts in CONTACTS[::2] if quick else CONTACTS:
        rows += step_rows(play_of(example.motion, ("arms", "trunk", "root"), 0.45, contacts), repeats)
    rows += [session_row(example, guarded=False), session_row(example, guarded=True)]
    rows += [drag_row(example), drift_row(example, 100 if quick else 1000), back_row(example), mime_row(example)]
    return rows


def play_of(motion: Any, groups: tuple[str, ...], spacing: float, contacts: int) -> Play:
    """A cascade with so many throws and catches, on the first seconds of the performer's juggling."""
    throws = max(3, contacts // 2)
    rhythm = Rhythm(first_s=1.5, beat_s=1.0 / 3.0, dwell_s=0.41, throws=throws)
    end = min(motion.duration_s, rhythm.catch_s(throws - 1) + 0.3)
    actor = Actor(name="a", motion=motion.slice(0.0, end), groups=groups, spacing_s=spacing)
    return Play(actors=(actor,), ways=cascade(rhythm, [("a.left_hand", "a.right_hand")], actors=(actor,)))


def blended_play(motion: Any, variables: int, throws: int) -> Play:
    """Throws at given times whose only unknowns are weights of clips to blend in."""
    play = play_of(motion, ("arms",), 1.0, max(6, 2 * throws))
    rng = np.random.default_rng(0)
    actor = play.actors[0]
    times, joints = actor.motion.times_s, len(actor.motion.skeleton)
    arms = [actor.motion.skeleton.humanoid[role] for role in GROUPS["arms"]]
    blends = []
    for k in range(variables):
        turns = np.zeros((len(times), joints, 3))
        share = np.exp(-0.5 * ((times - 1.5 - 3.0 * rng.uniform()) / 0.3) ** 2)
        turns[:, arms] = 0.3 * share[:, None, None] * rng.standard_normal((len(arms), 3))
        blends.append(Blend(name=f"clip{k}", root=np.zeros((len(times), 3)), turns=turns))
    actor = Actor(name="a", motion=actor.motion, groups=(), blends=tuple(blends))
    ways = []
    for way in play.ways[: 1 if throws == 1 else 3]:
        legs = [replace(leg, fixed=True) for leg in way.legs]
        ways.append(Way(ball=way.ball, legs=tuple(legs)))
    return Play(actors=(actor,), ways=tuple(ways))


def step_rows(play: Play, repeats: int) -> list[Row]:
    handle = BallAt(ball="ball0", time_s=1.75)
    pins = (Pin(handle=handle, target=np.zeros(3)),)
    bench = Bench.of(play, pins)
    system = bench.system
    start = system.start()
    system.load(start)
    target = [bench.value(handle) + np.array([0.0, 0.05, 0.0])]

    def step() -> None:
        moved, _ = corrected(bench, start, target)
        corrected(bench, moved, target)

    case = f"{system.size} variables, {system.contact_nodes} contacts"
    # Beside the frames of the clip, where third derivatives jump and differences are of first order only.
    beside = start + 1e-3 * np.random.default_rng(0).uniform(0.5, 1.0, system.size)
    off = float(np.abs(differences(system, beside) - system.linearised(beside)[1]).max())
    exact = timed(lambda: system.linearised(start), repeats)
    whole = timed(step, repeats)
    peer = timed(lambda: differences(system, start), 1)
    return [
        {"case": case, "method": "edit step", "variables": system.size, "contacts": system.contact_nodes, **whole},
        {"case": case, "method": "exact Jacobian", "variables": system.size, "contacts": system.contact_nodes, **exact},
        {
            "case": case,
            "method": "central differences",
            "variables": system.size,
            "contacts": system.contact_nodes,
            **peer,
            "ratio": peer["cpu_s"] / exact["cpu_s"],
            "largest_difference": off,
        },
    ]


def differences(system: Any, at: np.ndarray, step: float = 1e-6) -> np.ndarray:
    columns = []
    for k in range(system.size):
        change = np.zeros(system.size)
        change[k] = step
        columns.append((system.residual(at + change) - system.residual(at - change)) / (2.0 * step))
    return np.array(columns).T


def timed(call: Any, repeats: int) -> dict[str, float]:
    """Wall seconds: median, 95th percentile, least; and median of the thread's own CPU seconds."""
    call()
    seconds, cpu = [], []
    for _ in range(repeats):
        begin, started = perf_counter(), thread_time()
        call()
        cpu.append(thread_time() - started)
        seconds.append(perf_counter() - begin)
    return {
        "median_s": float(np.median(seconds)),
        "p95_s": float(np.percentile(seconds, 95)),
        "best_s": float(np.min(seconds)),
        "cpu_s": float(np.median(cpu)),
    }


def session_row(example: Any, *, guarded: bool) -> Row:
    """What a mouse sees: whole drag steps of a session, and the return to rest when it lets go."""
    session = settled(example)
    if guarded:
        mime = circling_hands(example.motion, span_s=(1.0, 7.3), period_s=0.66, radius_m=0.1)
        actor = Actor(name="a", motion=mime)
        rhythm = Rhythm(first_s=1.66, beat_s=0.33, dwell_s=0.41, throws=14)
        ways = cascade(rhythm, [("a.left_hand", "a.right_hand")], actors=(actor,))
        session = Session(Play(actors=(actor,), ways=ways), options=EditOptions(time_factor=10.0))
        assert session.pin_all(cascade_places(ways, actor))
        session.unpin_all()
    handle = BallAt(ball="ball1", time_s=2.6)
    start = session.where(handle)
    count = [0]

    def step() -> None:
        count[0] += 1
        session.drag_step(handle, start + 0.04 * np.array([np.sin(count[0]), np.cos(count[0]), 0.0]))

    steps = timed(step, 40)
    let_go = timed(lambda: session.drag(handle, start + np.array([0.0, 0.03 + 1e-3 * count[0], 0.0])), 3)
    what = f"{len(session.guards)} guards" if guarded else "no guards"
    return {
        "case": f"session, {what}",
        "method": "drag step of a mouse",
        "variables": session.system().size,
        "contacts": session.system().contact_nodes,
        **steps,
        "let_go_cpu_s": let_go["cpu_s"],
    }


def settled(example: Any) -> Session:
    actor = Actor(name="a", motion=example.motion)
    session = Session(Play(actors=(actor,), ways=thrown_as(example, actor)))
    assert session.settle()
    return session


def drag_row(example: Any) -> Row:
    session = settled(example)
    handle = BallAt(ball="ball1", time_s=2.6)
    goal = session.where(handle) + np.array([0.0, 0.45, 0.0])
    steps = 0
    while steps < 50 and np.linalg.norm(session.where(handle) - goal) > 1e-6:
        session.drag_step(handle, goal)
        steps += 1
    outcome = session.drag(handle, goal)
    return {
        "case": "ball dragged by 0.45 m",
        "method": "drag steps",
        "solved": int(bool(outcome)),
        "total": 1,
        "steps": steps,
        "rest_m": session.miss_m(),
    }


def drift_row(example: Any, steps: int) -> Row:
    session = settled(example)
    handle = BallAt(ball="ball0", time_s=2.9)
    start = session.where(handle)
    worst, refused, far = 0.0, 0, 0.063
    for k in range(steps):
        angle = 0.7 * k
        to = start + 0.09 * np.array([np.sin(angle), np.cos(angle) - 1.0, 0.5 * np.sin(2.0 * angle)])
        outcome = session.drag_step(handle, to)
        worst = max(worst, outcome.contacts_m)
        refused += not outcome
    return {
        "case": f"{steps} drag steps of about {1000 * far:.0f} mm",
        "method": "largest miss of a contact",
        "worst_mm": 1000.0 * worst,
        "refused": refused,
        "total": steps,
    }


def back_row(example: Any) -> Row:
    session = settled(example)
    handle = BallAt(ball="ball1", time_s=2.6)
    before, start = session.unknowns, session.where(handle)
    there = session.drag(handle, start + np.array([0.15, 0.3, 0.1]))
    back = session.drag(handle, start)
    count = session.system().control_count
    return {
        "case": "there and back",
        "method": "drag",
        "solved": int(bool(there)) + int(bool(back)),
        "total": 2,
        "left_rad": float(np.abs(session.unknowns - before)[:count].max()),
    }


def mime_row(example: Any) -> Row:
    mime = circling_hands(example.motion, span_s=(1.0, 8.0), period_s=0.66, radius_m=0.1)
    actor = Actor(name="a", motion=mime)
    rhythm = Rhythm(first_s=1.66, beat_s=0.25, dwell_s=0.3, throws=20)
    ways = cascade(rhythm, [("a.left_hand", "a.right_hand")], actors=(actor,))
    session = Session(Play(actors=(actor,), ways=ways), options=EditOptions(time_factor=10.0, guard_rounds=0))
    before = session.miss_m()
    outcome = session.pin_all(cascade_places(ways, actor))
    return {
        "case": "crude circles to 20 catches",
        "method": "Newton",
        "solved": int(bool(outcome)),
        "total": 1,
        "steps": outcome.steps,
        "before_m": before,
        "rest_m": session.miss_m(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    for row in bench(None, quick=parser.parse_args().quick):
        print(json.dumps(row))


if __name__ == "__main__":
    main()
