"""A self-contained web page that plays a stage: one file, no requests, no installation."""

from __future__ import annotations

import base64
import html
import json
import math
from importlib import resources
from typing import Any

import numpy as np
import numpy.typing as npt

from understudy.pictures.lettering import stage_facts, stage_title
from understudy.pictures.palette import hex_of
from understudy.pictures.shots import anchors, facing_rad
from understudy.pictures.stage import Actor, Stage, prop_track
from understudy.typing import FloatArray

#: Frames kept per second; the page interpolates between them.
MAX_RATE = 60.0

_SCRIPTS = ("vectors.js", "clip.js", "solid_view.js", "flat_view.js", "controls.js")


def player_page(stage: Stage, *, title: str | None = None) -> str:
    """The HTML of a player with the whole motion inside.

    Args:
        stage: What to show.
        title: Instead of the motions' names.
    """
    pages = resources.files("understudy.pictures") / "page"
    script = "\n".join((pages / name).read_text(encoding="utf-8") for name in _SCRIPTS)
    text = (pages / "player.html").read_text(encoding="utf-8")
    name = title or stage_title(stage)
    parts = {
        "{{title}}": html.escape(name),
        "{{style}}": (pages / "player.css").read_text(encoding="utf-8"),
        "{{script}}": script,
        "{{clip}}": _script_safe(json.dumps(clip_document(stage, title=name), separators=(",", ":"))),
    }
    for mark, value in parts.items():
        before, _, after = text.partition(mark)
        text = before + value + after
    return text


def clip_document(stage: Stage, *, title: str) -> dict[str, Any]:
    """What the page plays, as JSON: numbers in base64, points as 16-bit steps within their own box."""
    rate = min([MAX_RATE, *(actor.motion.fps for actor in stage.actors)])
    count = math.floor(stage.duration_s * rate + 1e-6) + 1
    times = np.arange(count) / rate
    return {
        "title": title,
        "facts": stage_facts(stage),
        "duration": stage.duration_s,
        "rate": rate,
        "frames": count,
        "fps": stage.actors[0].motion.fps if stage.actors else rate,
        "facing": facing_rad(stage),
        "anchors": _floats(anchors(stage, times)[:, [0, 2]]),
        "actors": [_actor(actor, times) for actor in stage.actors],
        "props": [_prop(stage, index, times) for index in range(len(stage.props))],
    }


def _actor(actor: Actor, times: FloatArray) -> dict[str, Any]:
    rows = actor.capsules(times)
    ends = rows[..., :6].reshape(len(times), -1, 2, 3)
    low = ends.min(axis=(0, 1, 2))
    step = np.maximum(ends.max(axis=(0, 1, 2)) - low, 1e-9) / 65535.0
    return {
        "radii": [round(float(radius), 5) for radius in actor.body.capsule_radii],
        "colors": [hex_of(color) for color in actor.colors],
        "low": low.tolist(),
        "step": step.tolist(),
        "points": _base64(np.rint((ends - low) / step).astype("<u2")),
    }


def _prop(stage: Stage, index: int, times: FloatArray) -> dict[str, Any]:
    prop = stage.props[index]
    moving = len(prop.times_s) > 1
    positions, rotations = prop_track(prop, times if moving else times[:1])
    return {
        "name": prop.name,
        "color": hex_of(prop.color),
        "vertices": _floats(prop.vertices),
        "faces": _base64(prop.faces.astype("<u4")),
        "track": _floats(np.concatenate([positions, rotations], axis=1)),
    }


def _floats(values: FloatArray) -> str:
    return _base64(np.ascontiguousarray(values).astype("<f4"))


def _base64(values: npt.NDArray[Any]) -> str:
    return base64.b64encode(values.tobytes()).decode("ascii")


def _script_safe(text: str) -> str:
    """JSON that cannot close the script element it stands in."""
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
