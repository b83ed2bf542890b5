"""Reading triangle meshes from files."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import numpy as np

from understudy.errors import FormatError, SceneError, nearest_name
from understudy.scene.shapes import Mesh
from understudy.typing import FloatArray, IntArray, PathLike

#: File endings that can be read.
MESH_SUFFIXES: tuple[str, ...] = (".glb", ".gltf", ".fbx", ".obj", ".stl", ".ply")


def load_mesh(path: PathLike, *, scale: float = 1.0) -> Mesh:
    """A mesh from a GLB, glTF, FBX, OBJ, STL or PLY file, all its parts in one.

    Vertices at the same place become one, so that a mesh whose surface is closed is found to be closed; triangles
    without area go, unless they are what closes it. A surface that is open, or where more than two triangles share
    an edge, is accepted as a surface without inside (``mesh.closed`` is false). A closed mesh that is inside out is
    turned.

    Args:
        path: The file; its Y axis is up, as in glTF. FBX files say themselves which axis is up.
        scale: Metres per file unit; FBX files state their unit, and ``scale`` comes on top of it.

    Raises:
        SceneError: The file is missing, no mesh, or has no triangle with an area.
    """
    file = Path(path)
    if not (np.isfinite(scale) and scale > 0):
        raise SceneError(f'mesh "{file}": scale is {scale}; it must be a positive number')
    if file.suffix.lower() not in MESH_SUFFIXES:
        raise SceneError(f'mesh "{file}": unknown ending "{file.suffix}"; {nearest_name(file.suffix, MESH_SUFFIXES)}')
    if not file.is_file():
        raise SceneError(f'mesh "{file}": no such file{_nearby(file)}')
    vertices, faces = _read(file)
    vertices, faces = _welded(vertices * scale, faces, what=f'mesh "{file}"')
    mesh = Mesh(vertices=vertices, faces=faces, file=str(file.resolve()), scale=scale)
    if mesh.closed and _volume(vertices, faces) < 0:
        mesh = replace(mesh, faces=faces[:, ::-1])
    return mesh


def _read(file: Path) -> tuple[FloatArray, IntArray]:
    import trimesh

    from understudy.formats.gltf_document import load_document, packed_glb

    try:
        if file.suffix.lower() == ".fbx":
            document = load_document(file)
            content = io.BytesIO(packed_glb(document.root, document.binary or b""))
            whole = trimesh.load_scene(content, file_type="glb", process=False).to_mesh()
        else:
            whole = trimesh.load_scene(str(file), process=False).to_mesh()
        vertices, faces = np.array(whole.vertices, dtype=np.float64), np.array(whole.faces, dtype=np.int64)
    except FormatError as error:
        raise SceneError(f'mesh "{file}": cannot be read: {error.message}') from error
    except FileNotFoundError as error:
        lost = Path(error.filename or str(error)).name
        raise SceneError(f'mesh "{file}": needs "{lost}", which is not beside it; a .glb holds everything') from error
    except Exception as error:  # the reader raises whatever its parsers meet in a broken file
        reason = str(error).strip().split("\n")[0][:200] or type(error).__name__
        raise SceneError(f'mesh "{file}": cannot be read: {reason}') from error
    if vertices.ndim != 2 or vertices.shape[1] != 3 or faces.ndim != 2 or len(faces) == 0:
        raise SceneError(f'mesh "{file}": has no triangles')
    if faces.min() < 0 or faces.max() >= len(vertices):
        raise SceneError(f'mesh "{file}": a triangle uses a vertex that does not exist')
    if not np.isfinite(vertices[np.unique(faces)]).all():
        raise SceneError(f'mesh "{file}": holds points that are not finite')
    return vertices, faces


def _welded(vertices: FloatArray, faces: IntArray, *, what: str) -> tuple[FloatArray, IntArray]:
    """Exactly equal vertices joined; unused vertices and triangles without area dropped."""
    unique, place = np.unique(vertices + 0.0, axis=0, return_inverse=True)
    faces = place.reshape(-1)[faces]
    faces = faces[(faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])]
    corners = unique[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    solid = np.any(normals != 0.0, axis=1)
    if not solid.any():
        raise SceneError(f"{what}: has no triangle with an area")
    # A sliver between three corners on a line may be what closes the surface.
    if not solid.all() and not Mesh(vertices=unique, faces=faces).closed:
        faces = faces[solid]
    used, compact = np.unique(faces, return_inverse=True)
    return unique[used], compact.reshape(-1, 3).astype(np.int64)


def _volume(vertices: FloatArray, faces: IntArray) -> float:
    a, b, c = (vertices[faces[:, k]] - vertices.mean(axis=0) for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0)


def _nearby(file: Path) -> str:
    """A hint at a file of a similar name in the same folder."""
    try:
        names = [one.name for one in file.parent.iterdir() if one.suffix.lower() in MESH_SUFFIXES]
    except OSError:
        return ""
    hint = nearest_name(file.name, names)
    return f"; {hint}" if hint.startswith("did") else ""
