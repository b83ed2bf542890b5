"""The studio's server in a process of its own and its page in a browser, driven as a person would."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

#: Seconds; the first plan of a kind may have to compile its kernels.
PATIENCE_S = 420.0


class Server:
    """The studio's server in a process of its own."""

    def __init__(self, folder: Path, *files: Path) -> None:
        self.folder = folder
        command = [sys.executable, "-m", "understudy", "studio", *map(str, files), "--folder", str(folder)]
        command += ["--no-browser", "--json"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        assert line, self.process.stderr.read()
        self.address = json.loads(line)["address"]

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


class Page:
    """A tab with the studio in it; what goes wrong in it is remembered."""

    def __init__(self, browser, address: str, **fields: object) -> None:
        fields = {"viewport": {"width": 1280, "height": 720}, **fields}
        self.context = browser.new_context(accept_downloads=True, **fields)
        self.tab = self.context.new_page()
        self.faults: list[str] = []
        self.asked: list[str] = []
        self.tab.on("console", lambda one: self.faults.append(one.text) if one.type == "error" else None)
        self.tab.on("pageerror", lambda one: self.faults.append(str(one)))
        self.tab.on("request", lambda one: self.asked.append(one.url))
        self.tab.goto(address)
        self.until("studio.state.serial >= 0")
        if "opened" not in address:
            # A first visit begins with the start screen, which comes a little later.
            self.tab.wait_for_selector("dialog[open] .card")

    def until(self, condition: str, seconds: float = 600.0) -> None:
        """Wait for something to become true in the page (its content policy forbids waiting in there)."""
        end = time.monotonic() + seconds
        while not self.tab.evaluate(condition):
            assert time.monotonic() < end, f"waited for {condition}; the chip says {self.tab.inner_text('.chip')!r}"
            self.tab.wait_for_timeout(30)

    def open(self, example: str) -> None:
        """Open an example from the start screen."""
        if not self.tab.locator("dialog[open]").count():
            self.tab.click("[data-key=start]")
        before = self.tab.evaluate("studio.state.serial")
        self.tab.click(f".card:has-text('{example}')")
        self.until(f"studio.state.serial > {before} && studio.shown === studio.state.serial")
        self.tab.wait_for_timeout(100)

    def settle(self) -> str:
        """Wait until nothing is planned any more; gives the chip's status."""
        self.until("!studio.state.busy && !['planning', 'judging'].includes(studio.state.verdict.status)", PATIENCE_S)
        return self.tab.evaluate("studio.state.verdict.status")

    def do(self, act: Callable[[], None]) -> str:
        """Do something that starts a plan; wait for its end."""
        before = self.tab.evaluate("studio.state.serial")
        verdict = json.dumps(self.tab.evaluate("JSON.stringify(studio.state.verdict)"))
        act()
        # What takes no step of its own may be over before anybody sees it busy.
        done = f"studio.state.serial > {before} || JSON.stringify(studio.state.verdict) !== {verdict}"
        self.until(f"{done} || studio.state.busy !== null")
        return self.settle()

    def pixels(self, x: float, y: float, z: float) -> list[float]:
        return self.tab.evaluate("at => studio.stage.pixels(at)", [x, y, z])

    def drag(self, start: list[float], end: list[float]) -> None:
        mouse = self.tab.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=4)
        mouse.move(*end, steps=4)
        mouse.up()

    def press(self, selector: str) -> None:
        """Use a control by keyboard alone."""
        self.tab.focus(selector)
        self.tab.keyboard.press("Enter")

    def touch_drag(self, start: list[float], end: list[float]) -> None:
        """Drag with one finger."""
        line = self.context.new_cdp_session(self.tab)

        def touch(kind: str, *points: list[float]) -> None:
            places = [{"x": x, "y": y, "id": 1} for x, y in points]
            line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

        touch("touchStart", start)
        for k in range(1, 9):
            touch("touchMove", [a + (b - a) * k / 8 for a, b in zip(start, end, strict=True)])
            self.tab.wait_for_timeout(16)
        touch("touchEnd")

    def export(self, kind: str, folder: Path, *, seconds: float = 600.0) -> Path:
        self.tab.click("[data-key=export]")
        with self.tab.expect_download(timeout=1000 * seconds) as taken:
            self.tab.click(f"[data-key='export {kind}']")
        path = folder / taken.value.suggested_filename
        taken.value.save_as(path)
        if path.suffix != ".zip":
            return path
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)
        return folder / path.stem

    def close(self) -> None:
        self.context.close()
