"""Ways to tamper with a written file: each must be refused. ``verdicts`` plants them in the files it writes."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from understudy.api.judging import verify_file
from understudy.errors import OptionError
from understudy.formats import save_motion
from understudy.formats.certificates import find_certificate, put_certificate
from understudy.formats.registry import format_of
from understudy.verify.certificate import SEAL, seal_of
from understudy.verify.claim import Claim

FORMATS = ("bvh", "glb", "usdc", "npz", "gltf", "csv", "usda")
Values = dict[str, Any]


def installed() -> tuple[str, ...]:
    """Those of :data:`FORMATS` whose libraries are there."""
    return FORMATS if find_spec("pxr") is not None else tuple(one for one in FORMATS if not one.startswith("usd"))


def _moved_object(values: Values) -> None:
    things = [one for one in (values["scene"] or {}).get("object", []) if "at" in one]
    if things:
        things[0]["at"][0] += 0.02
    else:
        values["floor"] = not values["floor"]


def _raised(values: Values) -> None:
    for one in values["evidence"].values():
        one["pace"] = {limb: [5.0 * number for number in pace] for limb, pace in one["pace"].items()}
    if not values["evidence"]:
        _other_activity(values)


def _other_activity(values: Values) -> None:
    values["activity"] = "everyday" if values["activity"] == "sport" else "sport"


def _other_goal(values: Values) -> None:
    placed = [one for one in values["goals"] if "position" in one]
    if placed:
        placed[0]["position"][0] += 0.1
    else:
        values["goals"].append({"kind": "floor", "position": [9.0, 9.0]})


def _contact(values: Values) -> None:
    values["contacts"].append({"a": "floor", "b": "floor", "max_depth_m": 0.03})


def _bars(values: Values) -> None:
    values["bars"]["jerk_ratio"] = 20.0


def _resealed_bars(values: Values) -> None:
    _bars(values)
    values[SEAL] = seal_of(values)


#: Changes of the certificate; the last one seals it anew. Two more change the motion.
KINDS: dict[str, Callable[[Values], None]] = {
    "moved object": _moved_object,
    "evidence raised": _raised,
    "other goal": _other_goal,
    "dropped goals": lambda values: values.update(goals=[]) if values["goals"] else _other_goal(values),
    "one more contact": _contact,
    "looser bars": _bars,
    "other activity": _other_activity,
    "called a recording": lambda values: values.update(recorded=True),
    "looser bars, sealed anew": _resealed_bars,
}
MOTIONS = ("one frame", "swapped motion")


def tampered(path: Path, claim: Claim, kind: str) -> None:
    """Change a written file."""
    values, _ = find_certificate(path) or ({}, "")
    if kind in KINDS:
        changed = copy.deepcopy(values)
        KINDS[kind](changed)
        put_certificate(path, changed)
        return
    motions = dict(claim.motions)
    name, motion = next(iter(motions.items()))
    roots = motion.root_positions.copy()
    roots[len(roots) // 2, 1] += 1e-5
    other = replace(motion, root_positions=roots) if kind == "one frame" else motion.frames(0, len(motion) - 1)
    if format_of(path).together:
        save_motion([*{**motions, name: other}.values()], path, scene=claim.scene)
    else:
        save_motion(other, path)
    put_certificate(path, values)


def refused(path: Path) -> bool:
    """Whether a file is refused, by a verdict or as damaged."""
    try:
        return not verify_file(path).ok
    except OptionError:
        return True
