"""Meshes a person sees around the armature."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from .names import thing_names
from .things import Thing, thing, without_floor

_SOLID = ("MESH", "CURVE", "SURFACE", "META", "FONT")


@dataclass
class Surroundings:
    """What is around an armature.

    Attributes:
        objects: Whose places have to be sampled.
        meshes: Vertices and faces of each, in its own space.
        names: Object name -> name in the scene file.
        copies: Instances of other objects, which stand where they are now: name, vertices, faces, place.
        remarks: What was left out.
    """

    objects: list[Any]
    meshes: list[tuple[np.ndarray, np.ndarray]]
    names: dict[str, str]
    copies: list[tuple[str, np.ndarray, np.ndarray, np.ndarray]]
    remarks: list[str]

    def things(self, places: np.ndarray, unit_m: float) -> list[Thing]:
        """Everything, with places ``(frames, objects, 4, 4)`` of the objects in Blender's world."""
        made = [
            thing(self.names[one.name], *mesh, places[:, column], unit_m)
            for column, (one, mesh) in enumerate(zip(self.objects, self.meshes, strict=True))
        ]
        made += [thing(self.names[name], *mesh, place[None], unit_m) for name, *mesh, place in self.copies]
        self.remarks += [
            f'"{one.name}" changes its size; that of the first frame is sent' for one in made if one.resized
        ]
        return [left for one in made if (left := without_floor(one)) is not None and len(left.faces)]


def surroundings(context: bpy.types.Context, armature: bpy.types.Object, taken: str) -> Surroundings:
    """Visible meshes that do not belong to the armature; ``taken`` is a name they must not have."""
    graph = context.evaluated_depsgraph_get()
    shapes = {bone.custom_shape for bone in armature.pose.bones if bone.custom_shape}
    around = Surroundings([], [], {}, [], [])
    for one in context.view_layer.objects:
        if one.type not in _SOLID or not one.visible_get() or one in shapes or _belongs(one, armature):
            continue
        if any(part.type == "ARMATURE" and part.object and part.show_viewport for part in one.modifiers):
            around.remarks.append(f'"{one.name}" is bent by another armature and is left out')
            continue
        mesh = _triangles(one.evaluated_get(graph))
        if mesh is not None:
            around.objects.append(one)
            around.meshes.append(mesh)
    around.copies.extend(_copies(graph, armature))
    everything = [*(one.name for one in around.objects), *(name for name, *_ in around.copies)]
    around.names.update(thing_names(everything, [taken]))
    return around


def _belongs(one: Any, armature: Any) -> bool:
    """Whether an object is the armature's skin or hangs on it."""
    if any(part.type == "ARMATURE" and part.object == armature for part in one.modifiers):
        return True
    while one.parent is not None:
        one = one.parent
        if one == armature:
            return True
    return False


def _copies(graph: Any, armature: Any) -> Iterator[tuple[str, np.ndarray, np.ndarray, np.ndarray]]:
    """Instances of collections and of geometry nodes."""
    count = 0
    for copy in graph.object_instances:
        if not copy.is_instance or copy.object.type not in _SOLID or copy.parent is None:
            continue
        owner = copy.parent.original
        if not owner.visible_get() or owner == armature or _belongs(owner, armature):
            continue
        if owner.type != "MESH" and copy.object.original == owner:
            continue  # Blender shows the surface of a curve or a text as a copy of itself
        mesh = _triangles(copy.object)
        if mesh is not None:
            count += 1
            yield f"{owner.name}/{copy.object.name}/{count}", *mesh, np.array(copy.matrix_world, dtype=np.float64)


def _triangles(evaluated: Any) -> tuple[np.ndarray, np.ndarray] | None:
    """Vertices ``(n, 3)`` and triangles ``(m, 3)`` in the object's own space; ``None`` without any."""
    mesh = evaluated.to_mesh()
    if mesh is None:
        return None
    try:
        mesh.calc_loop_triangles()
        vertices = np.empty(3 * len(mesh.vertices), dtype=np.float32)
        faces = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
        mesh.vertices.foreach_get("co", vertices)
        mesh.loop_triangles.foreach_get("vertices", faces)
    finally:
        evaluated.to_mesh_clear()
    if not len(faces):
        return None
    return vertices.reshape(-1, 3).astype(np.float64), faces.reshape(-1, 3).astype(np.int64)
