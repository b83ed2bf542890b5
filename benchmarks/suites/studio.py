"""The studio in a real browser: how soon the page is there, a walk is planned again, and a drag is followed.

    python -m benchmarks.suites.studio [--quick]

Wall-clock times as the page sees them: from letting go of the mouse to the new motion on the stage, and edits a second
while a ball is dragged. Beside both, the same edits on a desk without a network or a page. Needs the extra ``studio``,
Playwright and Chromium; without a graphics card Chromium draws in software, which the times hold too.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.suites import Row
from understudy.studio import modes
from understudy.studio.desk import Desk
from understudy.studio.examples import open_example
from understudy.studio.shelf import Shelf

assert modes  # registers the edits

#: As a browser runs where there is no graphics card: WebGL in software, the page itself put together by the processor.
_FLAGS = ["--no-sandbox", "--enable-unsafe-swiftshader"]
#: Runs in the page: moves the goal, and answers with the milliseconds until its walk is drawn.
_REPLAN = """async ([x, z]) => {
    const before = studio.stage.shows("anna");
    const started = performance.now();
    studio.edit("walk.aim", { character: "anna", goal: [x, z] });
    while (studio.stage.shows("anna") === before) await new Promise((next) => setTimeout(next, 1));
    await studio.stage.drawn();
    await new Promise((next) => setTimeout(next));
    return performance.now() - started;
}"""
#: Runs in the page: drags a ball in a circle, as a mouse that tells its place 120 times a second does, and answers with
#: steps made, steps drawn, and milliseconds taken.
_DRAG = """async ([ball, seconds]) => {
    studio.clock.seek(3.0);
    await new Promise((next) => setTimeout(next, 500));
    const at = studio.stage.thing(ball);
    const before = [studio.state.serial, studio.pictures];
    const started = performance.now();
    for (let k = 0; performance.now() - started < 1000 * seconds; k += 1) {
        const angle = k / 30;
        const to = [at[0], at[1] + 0.05 * Math.sin(angle), at[2] + 0.05 * (1 - Math.cos(angle))];
        studio.follow("interaction.drag", { ball, to, time_s: 3.0, done: false }, "bench");
        await new Promise((next) => setTimeout(next, 8));
    }
    return [studio.state.serial - before[0], studio.pictures - before[1], performance.now() - started];
}"""


def bench(motion: Path | None, *, quick: bool) -> list[Row]:
    with studio_page() as (page, ready_s):
        rows: list[Row] = [
            {"case": "page ready", "method": "studio", "total": 1, "median_s": ready_s, "p95_s": ready_s}
        ]
        rows += walk_rows(page, 10 if quick else 60)
        rows.append(drag_row(page, "Juggling", "ball0", 3.0 if quick else 10.0))
        rows.append(drag_row(page, "Keeping a ball up", "ball", 3.0 if quick else 10.0))
    return [*rows, *desk_rows(10 if quick else 60)]


def desk_rows(count: int) -> list[Row]:
    """The same walks and a drag with no page: until the walk could be shown, and each step of the drag."""
    shelf = Shelf()
    shelf.warm_up()
    desk, shown = Desk(open_example("room", shelf), shelf=shelf), threading.Event()

    def hear(told: dict[str, Any]) -> None:
        if told.get("state", {}).get("verdict", {}).get("status") == "judging":
            shown.set()

    desk.listen(hear)
    walks = []
    for goal in walk_goals(count):
        shown.clear()
        started = perf_counter()
        desk.do("walk.aim", {"character": "anna", "goal": goal})
        shown.wait(60.0)
        walks.append(perf_counter() - started)
        desk.settled()
    desk.close()
    desk = Desk(open_example("soccer", shelf), shelf=shelf)
    x, y, z = desk.project.scene.object_track("ball", [3.0])[0][0].tolist()
    steps = []
    for k in range(count):
        started = perf_counter()
        to = [x, y + 0.05 * np.sin(k / 9), z]
        desk.do("interaction.drag", {"ball": "ball", "time_s": 3.0, "to": to}, drag="bench")
        steps.append(perf_counter() - started)
    desk.close()
    named = {"walk planned again, until it could be shown": walks, "drag a ball, keeping a ball up": steps}
    return [
        {
            "case": case,
            "method": "desk, no page",
            "total": count,
            "median_s": float(np.median(took)),
            "p95_s": float(np.percentile(took, 95)),
        }
        for case, took in named.items()
    ]


def walk_goals(count: int) -> list[list[float]]:
    """Goals all over the free floor at the right of the demo's room."""
    rng = np.random.default_rng(7)
    return [[float(rng.uniform(1.2, 3.5)), float(rng.uniform(2.0, 6.5))] for _ in range(count)]


@contextmanager
def studio_page() -> Iterator[tuple[Any, float]]:
    """A page of a fresh studio, warmed up, and how long it took from asking for it to standing on the stage [s]."""
    from playwright.sync_api import sync_playwright

    browser_file = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as work, sync_playwright() as playwright:
        command = [sys.executable, "-m", "understudy", "studio", "--folder", work, "--no-browser", "--json"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            address = json.loads(server.stdout.readline())["address"]  # type: ignore[union-attr]
            page = playwright.chromium.launch(executable_path=browser_file, args=_FLAGS).new_page()
            page.set_viewport_size({"width": 1280, "height": 720})
            # Low quality, as whoever has no graphics card would choose: no shadows, which software draws slowly.
            page.goto(f"{address}&lowq")
            page.keyboard.press("Escape")
            page.evaluate(_REPLAN, [1.2, 4.2])  # waits for its kernels
            started = perf_counter()
            page.reload()
            until(page, "studio.shown >= 0 && studio.stage.shows('anna') !== ''")
            yield page, perf_counter() - started
        finally:
            server.kill()


def until(page: Any, condition: str, seconds: float = 300.0) -> None:
    end = perf_counter() + seconds
    while not page.evaluate(f"typeof studio !== 'undefined' && {condition}"):
        if perf_counter() > end:
            raise SystemExit(f"waited in vain for {condition}")
        page.wait_for_timeout(10)


def walk_rows(page: Any, count: int) -> list[Row]:
    """From the edit to the new walk on the stage."""
    took, verified = [], 0
    for goal in walk_goals(count):
        took.append(page.evaluate(_REPLAN, goal) / 1000.0)
        until(page, "!studio.state.busy")
        page.wait_for_timeout(300)  # as long as a person needs at least to take hold of something again
        verified += page.evaluate("studio.state.verdict.status") == "verified"
    return [
        {
            "case": "walk planned again, mouse-up to motion on screen",
            "method": "studio",
            "solved": count,
            "verified": verified,
            "total": count,
            "median_s": float(np.median(took)),
            "p95_s": float(np.percentile(took, 95)),
        }
    ]


def drag_row(page: Any, title: str, ball: str, seconds: float) -> Row:
    """Edits a second, made and drawn, while a ball is dragged in a circle."""
    if not page.locator("dialog[open]").count():
        page.click("[data-key=start]")
    before = page.evaluate("studio.state.serial")
    page.click(f".card:has-text('{title}')")
    until(page, f"studio.state.serial > {before} && studio.shown === studio.state.serial")
    page.evaluate(_DRAG, [ball, 1.0])
    edits, pictures, took_ms = page.evaluate(_DRAG, [ball, seconds])
    each = took_ms / 1000.0 / max(min(edits, pictures), 1)
    return {
        "case": f"drag a ball, {title.lower()}",
        "method": "studio",
        "total": edits,
        "median_s": each,
        "p95_s": None,
        "edits_per_s": 1.0 / each,
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    for row in bench(None, quick=parser.parse_args().quick):
        print(json.dumps(row))
