"""Meshes that people brought along, kept in files of the project's folder."""

from __future__ import annotations

import hashlib
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from understudy.core.skin.capsule_mesh import SkinMesh
from understudy.errors import FormatError
from understudy.formats.atomic import replacing
from understudy.formats.glb_skin import OwnSkin

_PARTS = ("vertices", "normals", "faces", "joints", "weights")


def skin_name(own: OwnSkin) -> str:
    """The name of a mesh's file, made from everything in it."""
    digest = hashlib.blake2b(repr(own.names).encode() + own.colors.tobytes(), digest_size=12)
    for name in _PARTS:
        digest.update(getattr(own.mesh, name).tobytes())
    return f"skin-{digest.hexdigest()}.npz"


def save_skin(own: OwnSkin, path: Path) -> None:
    """Write a mesh."""
    arrays = {name: getattr(own.mesh, name) for name in _PARTS}
    with replacing(path) as temporary, temporary.open("wb") as file:
        np.savez_compressed(file, colors=own.colors, names=np.array(own.names), **arrays)


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
        raise FormatError("is not a studio mesh, or is damaged", path=path) from error
