"""A session as a project that can be opened again: a TOML file, the clips and the state beside it.

The TOML file is written last and names the others, whose names hold a digest of what they hold; so a project on disk
is always whole, whatever happens while it is saved. Opening it gives the same session, to the bit.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from understudy.core.table_text import toml_text
from understudy.errors import FormatError, PlanningInputError
from understudy.interaction.actor import Actor
from understudy.interaction.leg_files import leg_values
from understudy.interaction.outcome import Snapshot
from understudy.interaction.play import Play
from understudy.interaction.project_models import PROJECT_VERSION
from understudy.interaction.resuming import VERSION
from understudy.interaction.session import Session
from understudy.scene.scene import Scene
from understudy.typing import PathLike


def save_project(session: Session, path: PathLike, *, name: str = "") -> list[Path]:
    """Write a session so that ``load_project`` and ``Session.resumed`` bring it back.

    Undo and redo are kept as far back as the play itself (its legs, its actors' clips) is the same.

    Args:
        session: What to write.
        path: A ``.toml`` file; clips and state go beside it.
        name: What to call the project; the file's name unless given.

    Returns:
        The files written, the project first.

    Raises:
        FormatError: The ending is another one, or the folder cannot be written to.
        PlanningInputError: The session holds something that no project file can: a body that was not fitted.
    """
    from understudy.formats.atomic import replacing
    from understudy.scene.scene_file import save_scene

    file = Path(path)
    if file.suffix.lower() != ".toml":
        raise FormatError("a project is a .toml file", path=file)
    play = session.saved_play
    written: list[Path] = []
    values: dict[str, Any] = {"version": PROJECT_VERSION, "name": name or file.stem}
    values |= {"time_factor": session.options.time_factor, "drag_m": session.options.drag_m}
    if play.scene.objects or not play.scene.floor:
        written.append(
            save_scene(Scene(objects=play.scene.objects, floor=play.scene.floor), _beside(file, "scene.toml"))
        )
        values["scene"] = written[-1].name
    written.append(_state_file(session, file))
    values["state"] = written[-1].name
    values["actor"] = []
    for actor in play.actors:
        written.append(_clip_file(actor, file))
        values["actor"].append(_actor_table(actor, written[-1].name))
    values["ball"] = _ball_tables(play)
    text = toml_text({key: value for key, value in values.items() if value != []})
    with replacing(file) as temporary:
        temporary.write_text(text, "utf-8")
    _swept(file, {one.name for one in written})
    return [file, *written]


def _beside(file: Path, ending: str) -> Path:
    return file.with_name(f"{file.stem}.{ending}")


def _digested(file: Path, label: str, arrays: list[tuple[str, np.ndarray]]) -> Path:
    """Where arrays go: a name that says what they are and holds a digest of them."""
    digest = hashlib.sha256()
    for key, array in arrays:
        digest.update(f"{key} {array.dtype} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return _beside(file, f"{label}-{digest.hexdigest()[:12]}.npz")


def _written(file: Path, arrays: list[tuple[str, np.ndarray]]) -> Path:
    from understudy.formats.atomic import replacing
    from understudy.formats.npz_archive import write_arrays

    with replacing(file) as temporary:
        write_arrays(temporary, arrays)
    return file


def _clip_file(actor: Actor, file: Path) -> Path:
    """The actor's motion and after it those it is compared with."""
    from understudy.formats.npz_own import arrays_of

    if actor.body is not None:
        raise PlanningInputError(f'actor "{actor.name}" has a body of its own, which a project file cannot hold')
    arrays = list(arrays_of(actor.sources, path=file))
    return _written(_digested(file, f"clip-{actor.name}", arrays), arrays)


def _state_file(session: Session, file: Path) -> Path:
    state = session.saved_state
    history = {
        "version": VERSION,
        "pins": [_pins(one) for one in (state.now, *state.past, *state.future)],
        "past": len(state.past),
        "dragged": None if state.dragged is None else _named(state.dragged),
        "guards": [_named(guard) for guard in state.guards],
    }
    arrays = [
        ("history", np.array([json.dumps(history)])),
        ("anchor", state.anchor),
        ("unknowns", np.stack([one.unknowns for one in (state.now, *state.past, *state.future)])),
    ]
    for actor in state.now.play.actors:
        for k, blend in enumerate(actor.blends):
            prefix = f"blend {actor.name} {k}"
            arrays.append((f"{prefix} name", np.array([blend.name])))
            arrays.append((f"{prefix} unwilling", np.array([blend.unwilling])))
            arrays += [(f"{prefix} root", blend.root), (f"{prefix} turns", blend.turns)]
    return _written(_digested(file, "state", arrays), arrays)


def _named(thing: Any) -> dict[str, Any]:
    """A handle or guard as plain values."""
    return {"kind": type(thing).__name__, **asdict(thing)}


def _pins(state: Snapshot) -> list[dict[str, Any]]:
    return [
        {"handle": _named(pin.handle), "target": np.asarray(pin.target).tolist(), "axes": list(pin.axes)}
        for pin in state.pins
    ]


def _actor_table(actor: Actor, clip: str) -> dict[str, Any]:
    table: dict[str, Any] = {
        "name": actor.name,
        "file": clip,
        "references_in_file": bool(actor.references),
        "groups": list(actor.groups),
        "spacing_s": actor.spacing_s,
        "cutoff_hz": actor.cutoff_hz,
    }
    if actor.scale:
        table["scale"] = dict(actor.scale)
    if actor.implements:
        table["implement"] = [asdict(one) for one in actor.implements]
    return table


def _ball_tables(play: Play) -> list[dict[str, Any]]:
    return [
        {**asdict(way.ball), "color": list(way.ball.color), "leg": [leg_values(leg) for leg in way.legs]}
        for way in play.ways
    ]


def _swept(file: Path, kept: set[str]) -> None:
    """Remove clips and states of earlier saves of the same project."""
    for pattern in ("clip-*-*.npz", "state-*.npz"):
        for old in file.parent.glob(f"{file.stem}.{pattern}"):
            if old.name not in kept:
                old.unlink(missing_ok=True)
