"""What is fuzzed: for every reader and every document, valid files and what is done with a damaged one."""

from __future__ import annotations

import copy
import json
import tomllib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from acclaim_files import AMC, ASF
from fuzz.mutations import Rng, mutated_arrays, mutated_bytes, mutated_value, written_arrays
from understudy.core.motion import Motion
from understudy.core.table_text import toml_text
from understudy.errors import FormatError
from understudy.formats import load_motion, load_motions, save_motion
from understudy.inspection import find_problems
from understudy.performer import builtin_clips

Case = Callable[[Rng], None]
Family = Callable[[Path], Case]

EXAMPLES = Path(__file__).parents[2] / "examples"


@cache
def _clip(frames: int = 6) -> Motion:
    return builtin_clips("walk")[0].frames(0, frames)


def _used(motion: Motion) -> None:
    """What everybody does with a clip that was read."""
    find_problems(motion)
    motion.resampled(25.0)


def _of_bytes(files: Callable[[Path], list[Path]], use: Callable[[Path], object]) -> Family:
    """Bytes of valid files changed."""

    def prepare(folder: Path) -> Case:
        found = files(folder)
        whole = [path.read_bytes() for path in found]
        for path in found:
            use(path)

        def case(rng: Rng) -> None:
            which = int(rng.integers(len(found)))
            target = found[which].with_name(f"damaged-{found[which].name}")
            target.write_bytes(mutated_bytes(whole[which], rng))
            use(target)

        return case

    return prepare


def _read(path: Path) -> None:
    motions = load_motions(path)
    if motions and len(motions[0]) * len(motions[0].skeleton) < 50_000:
        _used(motions[0])


def _saved(*names: str) -> Callable[[Path], list[Path]]:
    def files(folder: Path) -> list[Path]:
        return [save_motion(_clip(), folder / name) for name in names]

    return files


def _acclaim(folder: Path) -> list[Path]:
    (folder / "a.asf").write_text(ASF)
    (folder / "a.amc").write_text(AMC)
    return [folder / "a.amc", folder / "a.asf"]


def _read_acclaim(path: Path) -> None:
    if path.suffix == ".asf":
        (path.parent / f"{path.stem}.amc").write_text(AMC)
        path = path.with_suffix(".amc")
    else:
        (path.parent / f"{path.stem}.asf").write_text(ASF)
    load_motion(path)


def _amass(folder: Path) -> list[Path]:
    rng = np.random.default_rng(0)
    path = folder / "amass.npz"
    np.savez(
        path,
        poses=0.1 * rng.standard_normal((5, 156)),
        trans=rng.standard_normal((5, 3)),
        betas=np.zeros(16),
        gender=np.array("neutral"),
        mocap_framerate=np.array(60.0),
    )
    return [path]


def _meshes(folder: Path) -> list[Path]:
    import trimesh

    box = trimesh.creation.box()
    for kind in ("obj", "stl", "ply", "glb"):
        box.export(folder / f"box.{kind}")
    return [folder / f"box.{kind}" for kind in ("obj", "stl", "ply", "glb")]


def _mesh(path: Path) -> None:
    from understudy.scene import load_mesh

    load_mesh(path)


def _of_documents(documents: Callable[[Path], list[tuple[Path, Any]]], use: Callable[[Path], object]) -> Family:
    """Values of valid JSON and TOML documents changed, and now and then their bytes."""

    def prepare(folder: Path) -> Case:
        found = documents(folder)

        def case(rng: Rng) -> None:
            path, values = found[int(rng.integers(len(found)))]
            changed = copy.deepcopy(values)
            for _ in range(int(rng.integers(1, 4))):
                changed = mutated_value(changed, rng)
            text = _text(path, changed, rng)
            path.write_bytes(mutated_bytes(text, rng) if rng.random() < 0.25 else text)
            use(path)

        return case

    return prepare


def _text(path: Path, values: Any, rng: Rng) -> bytes:
    try:
        if path.suffix == ".toml" and isinstance(values, dict):
            with suppress(FormatError):  # TOML has no null
                return toml_text(values).encode()
        return json.dumps(values, indent=2 if rng.random() < 0.2 else None).encode()
    except RecursionError:
        return b"[" * 100_000


def _toml(path: Path) -> Any:
    return tomllib.loads(path.read_text())


def _scenes(folder: Path) -> list[tuple[Path, Any]]:
    found = []
    for source in sorted((EXAMPLES / "scenes").rglob("*.toml")):
        values = _toml(source)
        if ".bvh" not in source.read_text() and ".glb" not in source.read_text():
            found += [(folder / f"scene{ending}", values) for ending in (".toml", ".json")]
    return found


def _scene(path: Path) -> None:
    from understudy.scene import load_scene, save_scene

    scene = load_scene(path)
    save_scene(scene, path.with_name("again.toml"))


def _mappings(folder: Path) -> list[tuple[Path, Any]]:
    return [(folder / f"map{ending}", {"hips": "Hips", "head": "Head"}) for ending in (".toml", ".json")]


def _mapping(path: Path) -> None:
    from understudy.core.recognition.mapping_file import load_mapping

    load_mapping(path)


def _task_files(folder: Path) -> list[tuple[Path, Any]]:
    walk = {"name": "walk", "do": "performer", "clip": "walk", "duration_s": 4, "seed": 1}
    drawn = {
        "name": "b",
        "do": "performer",
        "draw": 3,
        "clip": {"choice": ["walk", "jog"]},
        "speed_mps": {"low": 1.0, "high": 1.4},
    }
    return [(folder / f"tasks{ending}", {"job": [walk, drawn]}) for ending in (".toml", ".json")]


def _task_file(path: Path) -> None:
    from understudy.batch.task_file import load_tasks

    load_tasks(path)


def _indices(folder: Path) -> list[tuple[Path, Any]]:
    clip = {"file": "a-1.bvh", "bytes": 12, "sha256": "f00", "characters": []}
    task = {"name": "a-1", "job": "a", "status": "solved", "reason": "", "seed": 7, "clips": [clip]}
    new = {"version": 2, "total": 1, "counts": {"solved": 1}, "tasks": [task]}
    old = {**new, "version": 1, "tasks": [{**task, "clips": ["a-1.bvh"]}]}
    record = {"status": "solved", "reason": "", "task": {"seed": 7}, "clips": [clip]}
    (folder / "records").mkdir()
    return [(folder / "index.json", new), (folder / "index.json", old), (folder / "records" / "a-1.json", record)]


def _index(path: Path) -> None:
    from understudy.batch import load_index
    from understudy.batch.ledger import Ledger

    folder = path.parent.parent if path.parent.name == "records" else path.parent
    Ledger(folder).done("a-1")
    load_index(folder)


def _projects(folder: Path) -> list[tuple[Path, Any]]:
    """Interaction projects that name no recordings."""
    found = []
    for source in sorted((EXAMPLES / "projects").glob("*.toml")):
        found.append((folder / source.name, _toml(source)))
    return found


def _project(path: Path) -> None:
    from understudy.interaction import Session
    from understudy.interaction.project import load_project

    project = load_project(path)
    assert project.play.duration_s >= 0.0
    if project.saved is not None or project.controls is not None:
        Session.resumed(project)


def _certificates(folder: Path) -> list[tuple[Path, Any]]:
    import understudy as us

    path = folder / "clip.bvh"
    motion = builtin_clips("walk")[0]
    us.save(us.retarget(motion, motion.skeleton.scaled(0.9)), path)
    beside = path.with_name(path.name + ".claim.json")
    return [(beside, json.loads(beside.read_text()))]


def _certificate(path: Path) -> None:
    from understudy.formats.certificates import find_certificate
    from understudy.verify.certificate import read_certificate

    found = find_certificate(path.with_name(path.name.removesuffix(".claim.json")))
    if found is not None:
        read_certificate(found[0], str(path))


def _studio_documents(folder: Path) -> list[tuple[Path, Any]]:
    from understudy.studio.project import Mark, Project, Verdict
    from understudy.studio.store import Store

    clip = _clip(30)
    scene = _scene_with(clip)
    store = Store(folder)
    own = {"own:1": {"root": [0.0, 1.0, 0.0], "rotations": [[1.0, 0.0, 0.0, 0.0]] * len(clip.skeleton)}}
    store.save(
        Project(
            scene=scene,
            mode="limbs",
            ghosts={"anna": clip},
            verdict=Verdict(status="verified", text="verified"),
            marks=(Mark(track="anna", kind="contact", start_s=0.1, end_s=0.4, text="left foot"),),
            lines=({"kind": "path", "points": [(0.0, 0.0, 1.0)]},),
            settings={
                "walk": {"character": "anna", "aims": {"anna": {"start": (0.0, 0.0), "goal": (1.0, 2.0), "via": []}}},
                "postures": {"keys": ["sit", "own:1"], "own": own, "falloff": 3, "pins": [], "editing": 1},
            },
        )
    )
    path = store.folder / "project.json"
    values = json.loads(path.read_text())
    named = store.folder / values["scene"]
    return [(path, values), (path, values), (named, _toml(named))]


def _scene_with(clip: Motion) -> Any:
    from understudy.scene import Box, Scene

    table = Box(size_m=(1.0, 0.7, 0.5))
    return (
        Scene(name="saved").with_object("table", table, position=(1.0, 0.35, 2.0)).with_character("anna", motion=clip)
    )


class _Studio:
    """A saved project opened and used, whatever became of one of its files."""

    def __init__(self) -> None:
        from understudy.studio.assets import Assets

        self._whole: dict[Path, bytes] = {}
        self._assets = Assets()

    def __call__(self, path: Path) -> None:
        from understudy.errors import UnderstudyError
        from understudy.studio import app  # noqa: F401 - registers all edits
        from understudy.studio.edits import run_edit
        from understudy.studio.shelf import Shelf
        from understudy.studio.store import Store
        from understudy.studio.view import view

        others = {one: one.read_bytes() for one in path.parent.iterdir() if one.is_file() and one != path}
        self._whole = self._whole or {**others, path: path.read_bytes()}
        for one, data in self._whole.items():
            if one != path and one.suffix in (".json", ".toml") and one.name != path.name:
                one.write_bytes(data)
        project = Store(path.parent.parent).load()
        view(project, self._assets)
        shelf = Shelf()
        for name, values in (("postures.show", {"key": 1}), ("walk.search", {"method": "maps"}), ("limbs.reset", None)):
            with suppress(UnderstudyError):
                run_edit(name, values, project, shelf)


def _messages(folder: Path) -> Case:
    """What a page may send: any JSON at all."""
    import asyncio

    from understudy.studio.app import _Routes
    from understudy.studio.desk import Desk
    from understudy.studio.edits import edit_arguments
    from understudy.studio.project import Project

    desk = Desk(Project(scene=_scene_with(_clip(30)), mode="limbs"))
    routes = _Routes(desk)
    names = [name for name in edit_arguments() if name not in ("open", "tasks.run")]
    values = {
        "character": "anna",
        "goal": [1.0, 2.0],
        "key": 0,
        "keys": ["sit"],
        "name": "table",
        "position": [0, 0, 0],
    }

    def case(rng: Rng) -> None:
        message = {"id": 1, "do": names[int(rng.integers(len(names)))], "with": values, "drag": "a"}
        text = _text(folder / "x.json", mutated_value(mutated_value(message, rng), rng), rng)
        asyncio.run(routes._answered(text.decode("utf-8", errors="replace")))
        desk.do("cancel")

    return case


def _of_arrays(files: Callable[[Path], list[Path]], use: Callable[[Path], object]) -> Family:
    """One number of an archive changed; its checksums are right."""

    def prepare(folder: Path) -> Case:
        found = []
        for path in files(folder):
            with np.load(path) as held:
                found.append((path, {key: held[key].copy() for key in held.files}))
            use(path)  # kernels are compiled now

        def case(rng: Rng) -> None:
            path, arrays = found[int(rng.integers(len(found)))]
            if "header" in arrays and rng.random() < 0.3:
                header = mutated_value(json.loads(arrays["header"].tobytes()), rng)
                try:
                    text = json.dumps(header).encode()
                except RecursionError:
                    text = b"[" * 100_000
                arrays = {**arrays, "header": np.frombuffer(text, dtype=np.uint8)}
            else:
                arrays = mutated_arrays(arrays, rng)
            target = path.with_name(f"damaged-{path.name}")
            written_arrays(target, arrays)
            use(target)

        return case

    return prepare


def _skins(folder: Path) -> list[Path]:
    from understudy.core.body_fit import fit_body
    from understudy.core.skin.body_mesh import body_mesh
    from understudy.formats.glb_skin import OwnSkin
    from understudy.studio.skins import save_skin

    skeleton = _clip().skeleton
    mesh = body_mesh(fit_body(skeleton))
    own = OwnSkin(names=skeleton.names, mesh=mesh, colors=np.zeros((len(mesh.vertices), 3)))
    save_skin(own, folder / "skin.npz")
    return [folder / "skin.npz"]


def _skin(path: Path) -> None:
    from understudy.studio.assets import skin_block
    from understudy.studio.skins import load_skin

    own = load_skin(path)
    skeleton = _clip().skeleton
    if own.fits(skeleton):
        skin_block(own.mesh, skeleton, own.colors)


def _states(folder: Path) -> list[Path]:
    from understudy.interaction import BallAt, Session
    from understudy.interaction.project import load_project
    from understudy.interaction.saving import save_project

    session = Session(load_project(EXAMPLES / "projects" / "passing.toml").play)
    session.settle()
    handle = BallAt(ball=session.play.ways[0].ball.name, time_s=0.5 * session.play.duration_s)
    session.drag(handle, session.where(handle) + np.array([0.0, 0.02, 0.0]))
    written = save_project(session, folder / "play.toml")
    return [path for path in written if path.suffix == ".npz"]


def _state(path: Path) -> None:
    whole = path.with_name(path.name.removeprefix("damaged-"))
    kept = whole.read_bytes()
    try:
        whole.write_bytes(path.read_bytes())
        _project(path.with_name("play.toml"))
    finally:
        whole.write_bytes(kept)


def _kept(folder: Path) -> list[Path]:
    from understudy.formats.stored_values import write_value

    clip = _clip(30)
    write_value(folder / "kept.npz", _scene_with(clip), {"skeleton": clip.skeleton})
    return [folder / "kept.npz"]


def _keeping(path: Path) -> None:
    from understudy.formats.checked_arrays import write_checked
    from understudy.formats.stored_values import read_value
    from understudy.scene import Scene

    with np.load(path) as held:
        arrays = {key: held[key] for key in held.files if key != "digest"}
    write_checked(path, arrays)  # somebody who makes the digest right, too
    read_value(path, Scene, {"skeleton": _clip().skeleton})


def _libraries(folder: Path) -> list[Path]:
    from understudy.library import build_library, save_library
    from understudy.locomotion.published.maps.motion_maps import MapOptions, with_maps
    from understudy.locomotion.published.sampling import with_jumps

    library = build_library(builtin_clips("walk")[:3])
    full = with_maps(with_jumps(library), MapOptions(clips=4, fan=3, early_fan=3))
    return [save_library(full, folder / "full.usl")]


def _library(path: Path) -> None:
    from understudy.library import load_library

    load_library(path)


def _walked(path: Path) -> None:
    """Everything that kernels do with a library."""
    import understudy as us
    from understudy.library import load_library

    library = load_library(path)
    for method in ("maps", "beam", "astar", "channel", "sample"):
        us.walk(library, None, start=(0.0, 0.0), goal=(0.6, 2.5), options=us.WalkOptions(method=method, deadline_s=1.5))


FAMILIES: dict[str, Family] = {
    "bvh": _of_bytes(_saved("clip.bvh"), _read),
    "acclaim": _of_bytes(_acclaim, _read_acclaim),
    "glb": _of_bytes(_saved("clip.glb"), _read),
    "gltf": _of_documents(lambda folder: [_gltf(folder)], _read),
    "fbx": _of_bytes(_saved("clip.fbx"), _read),
    "usd": _of_bytes(_saved("clip.usda", "clip.usdc"), _read),
    "npz": _of_arrays(_saved("clip.npz"), _read),
    "npz bytes": _of_bytes(_saved("clip.npz"), _read),
    "amass": _of_arrays(_amass, _read),
    "meshes": _of_bytes(_meshes, _mesh),
    "scenes": _of_documents(_scenes, _scene),
    "mappings": _of_documents(_mappings, _mapping),
    "task files": _of_documents(_task_files, _task_file),
    "batch lists": _of_documents(_indices, _index),
    "interaction projects": _of_documents(_projects, _project),
    "interaction states": _of_arrays(_states, _state),
    "certificates": _of_documents(_certificates, _certificate),
    "studio projects": _of_documents(_studio_documents, _Studio()),
    "studio meshes": _of_arrays(_skins, _skin),
    "studio messages": _messages,
    "kept tasks": _of_arrays(_kept, _keeping),
    "libraries": _of_arrays(_libraries, _library),
    "walked libraries": _of_arrays(_libraries, _walked),
}


def _gltf(folder: Path) -> tuple[Path, Any]:
    path = save_motion(_clip(), folder / "clip.gltf")
    return path, json.loads(path.read_text())
