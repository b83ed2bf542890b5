"""Some two thousand tasks over all engines, as a task file with everything it names, in one folder."""

from __future__ import annotations

import itertools
import json
import shutil
from pathlib import Path
from typing import Any

import understudy as us
from understudy.performer import CLIPS, Person, performance

#: [m] heights of boxes that are put down at random between start and goal.
_HEIGHTS = (0.5, 0.7, 0.9, 1.1, 1.3, 0.5, 0.9, 1.3)
#: [m/s] of the clip that reaches are planned on.
_WALK_MPS = 1.2
_POSTURES = (
    "relaxed",
    "a",
    "t",
    "arms_folded",
    "arms_folded_mirror",
    "hands_behind_back",
    "sit",
    "squat",
    "eagle",
    "eagle_mirror",
    "hug_knees",
)
_EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def write_tasks(folder: Path, motion: Path | None, *, quick: bool) -> Path:
    """Write ``tasks.json`` and the scenes, clips and library it names.

    Args:
        folder: Where to; made when missing. What is there already is kept.
        motion: Recorded CMU clips; without them, those tasks are left out.
        quick: A fortieth of everything.
    """
    folder.mkdir(parents=True, exist_ok=True)
    share = 40 if quick else 1
    _scenes(folder)
    _clips(folder)
    jobs = [
        *_walks(folder, motion, share),
        *_limbs(share),
        *_postures(share),
        *_plays(folder, share),
        *_programs(folder, share),
        _performer(quick),
    ]
    path = folder / "tasks.json"
    path.write_text(json.dumps({"version": 1, "job": jobs}, indent=1), encoding="utf-8")
    return path


def _scenes(folder: Path) -> None:
    boxes = [
        f'[[object]]\nname = "box{n}"\nshape = {{ kind = "box", size = [0.6, {height}, 0.6] }}\nat = [50, 1, {n}]\n'
        for n, height in enumerate(_HEIGHTS)
    ]
    (folder / "boxes.toml").write_text("\n".join(boxes), encoding="utf-8")
    walls = [
        f'[[object]]\nname = "{name}"\nshape = {{ kind = "box", size = [0.2, 2.2, 8.0] }}\nat = [0, 1.1, {z}]\n'
        for name, z in (("wall", 4.35), ("other_wall", -4.35))
    ]
    (folder / "gap.toml").write_text("\n".join(walls), encoding="utf-8")
    post = '[[object]]\nname = "post"\nshape = { kind = "box", size = [0.12, 1.6, 0.12] }\nat = [0, 0.8, 3]\n'
    (folder / "post.toml").write_text(post, encoding="utf-8")
    (folder / "empty.toml").write_text('name = "empty"\n', encoding="utf-8")


def _clips(folder: Path) -> None:
    for clip in ("walk", "idle", "veer_left"):
        path = folder / f"{clip}.bvh"
        if not path.exists():
            us.save_motion(performance(clip, person=Person(), duration_s=8.0).motion, path)


def _spots(boxes: bool) -> dict[str, Any]:
    drawn: dict[str, Any] = {
        "start": {"low": [-5.0, -4.0], "high": [-4.0, 4.0]},
        "goal": {"low": [4.0, -4.0], "high": [5.0, 4.0]},
    }
    if boxes:
        for n, height in enumerate(_HEIGHTS):
            drawn[f"scene.object.box{n}.at"] = {"low": [-3.0, height / 2, -4.0], "high": [3.0, height / 2, 4.0]}
    return drawn


def _walks(folder: Path, motion: Path | None, share: int) -> list[dict[str, Any]]:
    walk = {"do": "walk", "scene": "boxes.toml", "draw": _spots(True)}
    jobs: list[dict[str, Any]] = [
        {**walk, "name": "walk-performer", "draws": 700 // share},
        {
            "name": "walk-through-gap",
            "do": "walk",
            "scene": "gap.toml",
            "method": "tight",
            "draw": _spots(False),
            "draws": 60 // share,
        },
    ]
    if motion is not None:
        library = folder / "cmu69.usl"
        if not library.exists():
            us.save_library(us.build_library(us.load_motions(sorted(motion.glob("69_*.bvh")))), library)
        jobs.append({**walk, "name": "walk-cmu", "library": library.name, "draws": 300 // share})
    return jobs


def _limbs(share: int) -> list[dict[str, Any]]:
    near = {"target": {"low": [-0.55, 0.7, 0.15], "high": [0.1, 1.5, 0.6]}, "hand": {"choice": ["right", "left"]}}
    return [
        {
            "name": "reach-standing",
            "do": "reach",
            "motion": "idle.bvh",
            "scene": "empty.toml",
            "at": 4.0,
            "draws": 200 // share,
            "draw": near,
        },
        *(_reach_walking(at, 50 // share) for at in (2.0, 3.0, 4.0, 5.0, 6.0)),
        {
            "name": "correct-walking",
            "do": "correct",
            "motion": "walk.bvh",
            "scene": "post.toml",
            "limbs": ["right_arm", "left_arm"],
            "draws": 250 // share,
            "draw": {"scene.object.post.at": {"low": [0.30, 0.8, 2.0], "high": [0.55, 0.8, 7.0]}},
        },
    ]


def _reach_walking(at: float, draws: int) -> dict[str, Any]:
    """Reaches to the right of where the walker is at a time."""
    ahead = _WALK_MPS * at
    return {
        "name": f"reach-walking-{at:.0f}s",
        "do": "reach",
        "motion": "walk.bvh",
        "scene": "empty.toml",
        "at": at,
        "hand": "right",
        "draws": draws,
        "draw": {"target": {"low": [-0.6, 0.8, ahead - 0.1], "high": [-0.25, 1.4, ahead + 0.5]}},
    }


def _postures(share: int) -> list[dict[str, Any]]:
    pairs = [list(pair) for pair in itertools.permutations(_POSTURES, 2)]
    return [{"name": "between", "do": "between", "grid": {"postures": pairs[::share]}, "fps": 60}]


def _plays(folder: Path, share: int) -> list[dict[str, Any]]:
    for name in ("juggling", "soccer"):
        shutil.copy(_EXAMPLES / "projects" / f"{name}.toml", folder / f"{name}.toml")
    by = {"low": [-0.08, -0.05, -0.08], "high": [0.08, 0.15, 0.08]}
    return [
        {
            "name": "drag-juggling",
            "do": "interact",
            "project": "juggling.toml",
            "draws": max(30 // share, 2),
            "draw": {"by": by, "ball": {"choice": ["ball0", "ball1", "ball2"]}, "time_s": {"low": 2.5, "high": 5.0}},
        },
        {
            "name": "drag-soccer",
            "do": "interact",
            "project": "soccer.toml",
            "ball": "ball",
            "draws": max(40 // share, 2),
            "draw": {"by": by, "time_s": {"low": 1.5, "high": 5.0}},
        },
    ]


def _programs(folder: Path, share: int) -> list[dict[str, Any]]:
    """Doors, a book and a pour of the examples, begun anywhere in front of them and with the thing put elsewhere."""
    before_door = {"scene.character.anna.start": {"low": [-1.0, -3.6], "high": [1.0, -2.4]}}
    drawn: dict[str, dict[str, Any]] = {
        "door": before_door,
        "door_pulled": before_door,
        "fetch_book": {
            "scene.character.anna.start": {"low": [-1.0, -0.5], "high": [1.0, 0.5]},
            "scene.object.book.at": {"low": [-0.45, 1.061, 2.9], "high": [0.45, 1.061, 2.96]},
        },
        "pour": {
            "scene.character.anna.start": {"low": [-0.8, -1.5], "high": [0.8, -0.8]},
            "scene.object.cup.at": {"low": [0.05, 0.9755, 0.82], "high": [0.15, 0.9755, 0.92]},
        },
    }
    for name in drawn:
        shutil.copy(_EXAMPLES / "scenes" / "skills" / f"{name}.toml", folder / f"{name}.toml")
    return [
        {
            "name": f"program-{name.replace('_', '-')}",
            "do": "perform",
            "scene": f"{name}.toml",
            "draws": max((15 if name.startswith("door") else 10) // share, 1),
            "draw": draw,
        }
        for name, draw in drawn.items()
    ]


def _performer(quick: bool) -> dict[str, Any]:
    clips = list(CLIPS)[:: 16 if quick else 1]
    return {
        "name": "performer",
        "do": "performer",
        "seeds": 1 if quick else 3,
        "grid": {"clip": clips, "style": ["calm", "brisk", "tired"]},
    }
