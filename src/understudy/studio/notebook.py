"""Motions and results that show themselves in a notebook: the studio's page, with everything inside."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from importlib import resources
from typing import Any

from understudy.core.motion import Motion
from understudy.core.planning import Result
from understudy.scene.scene import Scene
from understudy.studio.assets import Assets
from understudy.studio.messages import State
from understudy.studio.project import Project
from understudy.studio.view import view

_HEIGHT_PX = 420


def motion_html(motion: Motion) -> str:
    """A motion to look at from all sides, to play and to scrub."""
    name = "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in motion.name) or "motion"
    return project_html(Project(scene=Scene(name=motion.name).with_character(name, motion=motion), mode="limbs"))


def result_html(result: Result[Any]) -> str:
    """What became of a plan, and its motion."""
    reason = f": {html.escape(result.reason)}" if result.reason else ""
    line = f"<p><b>{result.status.name}</b>{reason} ({result.stats.seconds:.3f} s)</p>"
    return line if result.motion is None else line + motion_html(result.motion)


def project_html(project: Project) -> str:
    """A project as a frame that asks for nothing from outside."""
    page = page_text(project)
    return (
        f'<iframe srcdoc="{html.escape(page)}" sandbox="allow-scripts" title="Understudy" '
        f'style="width: 100%; height: {_HEIGHT_PX}px; border: 0"></iframe>'
    )


def page_text(project: Project) -> str:
    """The page with script, style, state and assets inside."""
    files = resources.files("understudy.studio") / "page"
    script, style = ((files / name).read_text(encoding="utf-8") for name in ("studio.js", "index.css"))
    # Names come from files: no "<" of theirs may reach the page as markup.
    held = json.dumps(_held(project), separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    data, script = f"window.understudyEmbedded={held}", _script_safe(script)
    # Only these two scripts run, and nothing is asked for, whatever names in the file manage to become.
    policy = f"default-src 'none'; script-src {_digest(data)} {_digest(script)}; style-src 'unsafe-inline'; "
    policy += "img-src data: blob:; base-uri 'none'; form-action 'none'"
    return "".join(
        [
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="content-security-policy" content="{policy}"><title>Understudy</title>',
            f"<style>{style}</style></head><body>",
            f"<script>{data}</script>",
            f'<script type="module">{script}</script></body></html>',
        ]
    )


def _digest(script: str) -> str:
    """A script as a content security policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def _held(project: Project) -> dict[str, Any]:
    assets = Assets()
    state: State = {**view(project, assets), "serial": 0, "undo": "", "redo": "", "busy": None}
    blocks = {name: base64.b64encode(block).decode("ascii") for name, block in assets.all()}
    return {"state": state, "assets": blocks}


def _script_safe(text: str) -> str:
    """The page's own script, which cannot close the script element it stands in."""
    return re.sub(r"<(/script|!--)", r"<\\\1", text, flags=re.IGNORECASE)
