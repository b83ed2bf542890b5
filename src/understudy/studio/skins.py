"""Meshes that people brought along, kept in files of the project's folder."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np

from understudy.core.skin.capsule_mesh import SkinMesh
from understudy.errors import FormatError
from understudy.formats.atomic import replacing
from understudy.formats.glb_skin import OwnSkin
from understudy.formats.npz_archive import opened, write_arrays

#: Arrays of a mesh: kinds of numbers, and shape.
_PARTS: dict[str, tuple[str, tuple[int | None, ...]]] = {
    "vertices": ("f", (None, 3)),
    "normals": ("f", (None, 3)),
    "faces": ("iu", (None, 3)),
    "joints": ("iu", (None, 4)),
    "weights": ("f", (None, 4)),
}


def skin_name(own: OwnSkin) -> str:
    """The name of a mesh's file, made from everything in it."""
    digest = hashlib.blake2b(repr(own.names).encode() + own.colors.tobytes(), digest_size=12)
    for name in _PARTS:
        digest.update(getattr(own.mesh, name).tobytes())
    return f"skin-{digest.hexdigest()}.npz"


def save_skin(own: OwnSkin, path: Path) -> None:
    """Write a mesh."""
    arrays = {"colors": own.colors, "names": np.array(own.names), **{key: getattr(own.mesh, key) for key in _PARTS}}
    with replacing(path) as temporary:
        write_arrays(temporary, arrays.items())


def load_skin(path: Path) -> OwnSkin:
    """Read a mesh back.

    Raises:
        FormatError: It is missing or damaged.
    """
    try:
        with opened(path) as held:
            arrays = {key: held.array(key, kinds=kinds, shape=shape) for key, (kinds, shape) in _PARTS.items()}
            names, colors = tuple(held.words("names")), held.array("colors", kinds="f", shape=(None, None))
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", path=path) from error
    own = OwnSkin(names=names, mesh=SkinMesh(**arrays), colors=colors)
    fault = _fault_in(own)
    if fault:
        raise FormatError(f"is not a studio mesh, or is damaged: {fault} cannot be", path=path)
    return own


def _fault_in(own: OwnSkin) -> str:
    """What of a mesh does not fit the rest; empty when everything does."""
    mesh, count = own.mesh, len(own.mesh.vertices)
    numbers = (mesh.vertices, mesh.normals, mesh.weights, own.colors)
    faults = {
        "a number": not all(np.isfinite(one).all() for one in numbers),
        "the number of vertices": any(len(one) != count for one in (mesh.normals, mesh.joints, mesh.weights)),
        "its colours": len(own.colors) not in (0, count) or own.colors.shape[1] != 3,
        "a face": mesh.faces.size > 0 and not 0 <= mesh.faces.min() <= mesh.faces.max() < count,
        "a joint": mesh.joints.size > 0 and not 0 <= mesh.joints.min() <= mesh.joints.max() < len(own.names),
    }
    return next((what for what, wrong in faults.items() if wrong), "")
