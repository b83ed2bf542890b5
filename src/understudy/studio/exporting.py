"""Exporting the project as a file."""

from __future__ import annotations

import tempfile
import zipfile
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

from understudy.api.saving import save
from understudy.core.motion import Motion
from understudy.errors import OptionError, nearest_name
from understudy.scene import save_scene
from understudy.studio.project import Project
from understudy.verify.claim import Claim

#: The user waits while a video is drawn picture by picture; ``understudy show`` makes larger ones.
_VIDEO_PX = (640, 360)

KINDS = ("glb", "bvh", "usd", "npz", "toml", "png", "mp4", "html")


def exported(project: Project, kind: str) -> tuple[str, bytes]:
    """A file's name and content.

    Args:
        project: What to write.
        kind: One of :data:`KINDS`; ``toml`` is the scene file. GLB and USD hold their certificates. BVH and NPZ have no
            room for one, so they come in a ZIP file with their certificates beside them, one BVH for each person.

    Raises:
        OptionError: The kind is unknown, or no character has a motion.
    """
    if kind not in KINDS:
        raise OptionError(f'cannot export "{kind}"; {nearest_name(kind, KINDS)}')
    stem = "".join(letter if letter.isalnum() else "-" for letter in project.scene.name).strip("-") or "studio"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{stem}.{kind}"
        _write(project, path, kind)
        files = sorted(Path(folder).iterdir())
        return (path.name, path.read_bytes()) if files == [path] else (f"{path.name}.zip", _packed(files))


def _packed(files: list[Path]) -> bytes:
    """Files in one ZIP file."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.write(file, file.name)
    return packed.getvalue()


def _write(project: Project, path: Path, kind: str) -> None:
    scene = project.scene
    if kind == "toml":
        people = tuple(replace(one, motion=None, motion_file="", body=None) for one in scene.characters)
        save_scene(replace(scene, characters=people), path)
        return
    motions = _motions(project)
    if kind in ("png", "mp4", "html"):
        from understudy.pictures.show import show

        end = max(motion.duration_s for motion in motions)
        styles: dict[str, dict[str, Any]] = {"png": {"style": "strobe"}, "mp4": {"size_px": _VIDEO_PX}}
        show(motions, path, props=scene.props(end_s=end), **styles.get(kind, {}))
    else:
        save(_claim(project, motions), path)


def _claim(project: Project, motions: list[Motion]) -> Claim:
    """The claim about everything in the scene; recordings are their own evidence and stay recordings."""
    return Claim(
        motions=tuple((one.name, one) for one in motions),
        scene=project.scene,
        evidence={one.name: one.evidence for one in motions},
        activity="everyday" if project.play is None else "sport",
        recorded=not any(one.origin.made for one in motions),
    )


def _motions(project: Project) -> list[Motion]:
    people = [one for one in project.scene.characters if one.motion is not None]
    if not people:
        raise OptionError("there is no character yet; add a person or import a clip")
    return [one.world_motion.renamed(one.name) for one in people]
