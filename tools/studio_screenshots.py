"""Take the pictures of the studio that the documentation shows: every mode, in a real browser.

Run ``python tools/studio_screenshots.py docs/images`` from a checkout with the extra ``studio`` and Playwright
installed, and Chromium on the path.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

_FLAGS = ["--no-sandbox", "--enable-unsafe-swiftshader"]
_SIZE = {"width": 1280, "height": 720}


class Tab:
    """A page of the studio, driven as a person would."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def until(self, condition: str, seconds: float = 300.0) -> None:
        end = time.monotonic() + seconds
        while not self.page.evaluate(condition):
            if time.monotonic() > end:
                raise SystemExit(f"waited in vain for {condition}")
            self.page.wait_for_timeout(50)

    def open(self, title: str) -> None:
        if not self.page.locator("dialog[open]").count():
            self.page.click("[data-key=start]")
        before = self.page.evaluate("studio.state.serial")
        self.page.click(f".card:has-text('{title}')")
        self.until(f"studio.state.serial > {before} && studio.shown === studio.state.serial")
        self.page.wait_for_timeout(1200)

    def planned(self, act: Any) -> None:
        before = self.page.evaluate("studio.state.serial")
        act()
        self.until(f"studio.state.serial > {before} || studio.state.busy !== null")
        self.until("!studio.state.busy && !['planning', 'judging'].includes(studio.state.verdict.status)")

    def shoot(self, path: Path, *, at_s: float = 0.0) -> None:
        self.page.evaluate("time => studio.clock.seek(time)", at_s)
        self.page.wait_for_timeout(1200)
        self.page.screenshot(path=str(path))
        print(path)


def walk(tab: Tab, folder: Path) -> None:
    tab.open("A walk through a room")
    x, y = tab.page.evaluate("studio.stage.pixels([1.2, 0, 4.2])")
    tab.planned(lambda: tab.page.mouse.click(x, y))
    tab.page.click("[data-key=innards]")
    tab.shoot(folder / "studio-walk.png", at_s=2.4)
    tab.page.click("[data-key=innards]")


def limbs(tab: Tab, folder: Path) -> None:
    tab.open("A hand in the way")
    tab.planned(lambda: tab.page.click("[data-key=find]"))
    tab.planned(lambda: tab.page.click("[data-key=correct]"))
    tab.shoot(folder / "studio-limbs.png", at_s=2.95)


def postures(tab: Tab, folder: Path) -> None:
    tab.open("Into a yoga posture")
    tab.page.wait_for_selector("[data-key='thumb eagle']")
    tab.planned(lambda: tab.page.click("[data-key='thumb eagle']"))
    tab.shoot(folder / "studio-postures.png", at_s=60.0)


def interaction(tab: Tab, folder: Path) -> None:
    tab.open("Juggling")
    tab.shoot(folder / "studio-interaction.png", at_s=3.0)


def tasks(tab: Tab, folder: Path) -> None:
    tab.open("A cup to another place")
    tab.planned(lambda: tab.page.click("[data-key=run]"))
    tab.shoot(folder / "studio-tasks.png", at_s=4.5)


MODES = {"walk": walk, "limbs": limbs, "postures": postures, "interaction": interaction, "tasks": tasks}


def main(folder: Path, wanted: list[str]) -> None:
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    browser_file = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as work, sync_playwright() as playwright:
        command = [sys.executable, "-m", "understudy", "studio", "--folder", work, "--no-browser", "--json"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            address = json.loads(server.stdout.readline())["address"]  # type: ignore[union-attr]
            browser = playwright.chromium.launch(executable_path=browser_file, args=_FLAGS)
            page = browser.new_page(viewport=_SIZE, device_scale_factor=1)
            page.goto(address)
            page.wait_for_selector("dialog[open] .card")
            page.screenshot(path=str(folder / "studio-start.png"))
            tab = Tab(page)
            for name in wanted or MODES:
                MODES[name](tab, folder)
        finally:
            server.kill()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("modes", nargs="*", choices=[*MODES, []], help="all unless given")
    arguments = parser.parse_args()
    main(arguments.folder, arguments.modes)
