"""Meshes that people brought along, kept in files of the project's folder."""

from __future__ import annotations

import hashlib
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from understudy.errors import FormatError
from understudy.formats.atomic import replacing
from understudy.formats.capsule_mesh import SkinMesh
from understudy.formats.glb_skin import OwnSkin

_PARTS = ("vertices", "normals", "faces", "joints", "weights")


def save_skin(own: OwnSkin, folder: Path) -> str:
    """Write a mesh under a name made from what is in it, unless it is there.

    Returns:
        Its place beside the folder.
    """
    digest = hashlib.blake2b(own.mesh.vertices.tobytes() + own.colors.tobytes(), digest_size=12)
    path = folder / f"skin-{digest.hexdigest()}.npz"
    if not path.is_file():
        arrays = {name: getattr(own.mesh, name) for name in _PARTS}
        with replacing(path) as temporary, temporary.open("wb") as file:
            np.savez_compressed(file, colors=own.colors, names=np.array(own.names), **arrays)
    return f"{folder.name}/{path.name}"


def load_skin(path: Path) -> OwnSkin:
    """Read a mesh back.

    Raises:
        FormatError: It is missing or damaged.
    """
    try:
        with np.load(path, allow_pickle=False) as held:
            mesh = SkinMesh(**{name: held[name] for name in _PARTS})
            return OwnSkin(names=tuple(held["names"].tolist()), mesh=mesh, colors=held["colors"])
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise FormatError("is no mesh of the studio, or is damaged", path=path) from error
