"""Interaction editing: milliseconds an edit step by variables and contacts, beside central differences in the same run.

    python -m benchmarks.suites.interaction [--quick]

One *step* is what a mouse asks for: Newton correction and capped drag, then back onto the contacts (two linearisations,
two solves). The peer gets the same Jacobian by central differences of the same residuals. Below: a drag of 0.45 m, a
thousand steps of dragging in circles, there and back again, and a crude mime of circling hands made to juggle.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.suites import Row
from understudy.interaction import Actor, BallAt, EditOptions, Play, Session
from understudy.interaction.editing import Bench, Pin, corrected
from understudy.interaction.mimes import circling_hands
from understudy.interaction.rhythm import Rhythm, cascade, cascade_places, thrown_as
from understudy.performer import action_examples

#: Joints that may move and seconds between control points, and about how many variables that makes over 5 s.
SIZES: tuple[tuple[tuple[str, ...], float], ...] = (
    (("leftLowerArm",), 1.0),
    (("left_arm",), 1.0),
    (("arms",), 0.6),
    (("arms",), 0.3),
    (("arms", "trunk", "root"), 0.45),
    (("arms", "trunk", "root"), 0.15),
)
CONTACTS = (6, 12, 20, 40)


def bench(motion: Path | None, *, quick: bool) -> list[Row]:
    rows: list[Row] = []
    example = action_examples("juggle", count=1, fps=60)[0]
    repeats = 20 if quick else 100
    for groups, spacing in SIZES[1::2] if quick else SIZES:
        rows += step_rows(example.motion, groups, spacing, 20, repeats)
    for contacts in CONTACTS[::2] if quick else CONTACTS:
        rows += step_rows(example.motion, ("arms", "trunk", "root"), 0.45, contacts, repeats)
    rows += [drag_row(example), drift_row(example, 100 if quick else 1000), back_row(example), mime_row(example)]
    return rows


def play_of(motion: Any, groups: tuple[str, ...], spacing: float, contacts: int) -> Play:
    """A cascade with so many throws and catches, on the first seconds of the performer's juggling."""
    throws = max(3, contacts // 2)
    rhythm = Rhythm(first_s=1.5, beat_s=1.0 / 3.0, dwell_s=0.41, throws=throws)
    end = min(motion.duration_s, rhythm.catch_s(throws - 1) + 0.3)
    actor = Actor(name="a", motion=motion.slice(0.0, end), groups=groups, spacing_s=spacing)
    return Play(actors=(actor,), ways=cascade(rhythm, [("a.left_hand", "a.right_hand")], actors=(actor,)))


def step_rows(motion: Any, groups: tuple[str, ...], spacing: float, contacts: int, repeats: int) -> list[Row]:
    play = play_of(motion, groups, spacing, contacts)
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
            "ratio": peer["median_s"] / exact["median_s"],
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
    call()
    seconds = []
    for _ in range(repeats):
        begin = perf_counter()
        call()
        seconds.append(perf_counter() - begin)
    return {
        "median_s": float(np.median(seconds)),
        "p95_s": float(np.percentile(seconds, 95)),
        "best_s": float(np.min(seconds)),
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
