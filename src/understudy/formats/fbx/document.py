"""An FBX file as a glTF document in memory, so that everything that reads glTF reads FBX.

Models become nodes under one node that turns the file's axes and unit into glTF's. Skins bind meshes to joints; where
no mesh tells the bind pose, the file's ``BindPose`` does. Takes become sampled animations, the longest first.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from understudy import rotations as rot
from understudy.core.documents import json_values
from understudy.core.recognition.joint_tree import JointTree
from understudy.errors import FormatError
from understudy.formats.fbx.materials import Materials
from understudy.formats.fbx.meshes import Cluster, clusters_of, followed, geometry_of, surface_of
from understudy.formats.fbx.placing import SCALING, TRANSLATION, Placing, at_rest, without_reflection
from understudy.formats.fbx.records import MalformedError
from understudy.formats.fbx.scene import FbxObject, FbxScene, load_scene
from understudy.formats.fbx.takes import Take, takes_of
from understudy.formats.fbx.units import person_unit
from understudy.formats.fbx.write import NOTES
from understudy.formats.gltf_accessors import ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER
from understudy.formats.gltf_builder import GltfBuilder
from understudy.formats.gltf_document import GltfDocument, Object
from understudy.formats.options import ReadOptions
from understudy.typing import FloatArray

_JOINTS = ("LimbNode", "Limb", "Root")
_NEVER_JOINTS = ("Camera", "CameraSwitcher", "Light", "Optical")
#: Values that one take, and all of them, may be sampled to; the first is 46 minutes of 60 joints at 60 fps.
_MOST_VALUES, _MOST_IN_ALL = 10_000_000, 20_000_000


def fbx_document(path: Path, options: ReadOptions) -> GltfDocument:
    """Read an FBX file.

    Args:
        path: The file.
        options: A unit and an up axis that it names are left to whoever converts the document.

    Raises:
        FormatError: It is malformed, or a version that is not read.
    """
    try:
        return _Builder(path, load_scene(path.read_bytes()), options).document()
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        reason = str(error) or type(error).__name__
        raise FormatError(reason if isinstance(error, MalformedError) else f"damaged: {reason}", path=path) from error


class _Builder:
    """Collects the parts of the document."""

    def __init__(self, path: Path, scene: FbxScene, options: ReadOptions) -> None:
        self._path, self._scene = path, scene
        self._guesses = options.unit_m is None
        self._remarks: tuple[str, ...] = ()
        self._unit_m = scene.unit_m if options.unit_m is None else 1.0
        self._turn = scene.turn if options.up is None else rot.identity()
        self._made = GltfBuilder(path)
        self._made.roots = [0]
        self._models = self._ordered()
        self._number = {model.key: index + 1 for index, model in enumerate(self._models)}
        self._sides: dict[Any, float] = {}
        self._rest = {model.key: at_rest(model) for model in self._models}
        self._materials = Materials(path, scene, self._made)
        self._nodes = self._made.parts.setdefault("nodes", [])
        self._bound: dict[Any, FloatArray] = {}

    def document(self) -> GltfDocument:
        """The whole of it."""
        self._add_nodes()
        self._add_meshes()
        self._add_skeletons()
        if self._guesses:
            self._settle_unit()
        values = 0
        for take in takes_of(self._scene):
            values += self._add_take(take)
            if values > _MOST_IN_ALL:
                break
        up = "y" if rot.rotate(rot.conjugate(self._turn), np.array([0.0, 1.0, 0.0]))[1] > 0.5 else "z"
        return GltfDocument(
            path=self._path,
            root=self._made.root(),
            binary=bytes(self._made.buffer.data),
            format_name="fbx",
            unit_m=self._unit_m,
            up=up,
            remarks=self._remarks,
        )

    def _parent(self, model: FbxObject) -> FbxObject | None:
        above = (self._scene.objects.get(key) for key, name in self._scene.above.get(model.key, ()) if not name)
        return next((one for one in above if one is not None and one.kind == "Model"), None)

    def _ordered(self) -> list[FbxObject]:
        """Every model, parents first."""
        models = self._scene.of_kind("Model")
        self._parents = {model.key: self._parent(model) for model in models}
        place = {model.key: index for index, model in enumerate(models)}
        above = [-1 if parent is None else place[parent.key] for parent in self._parents.values()]
        try:
            return [models[index] for index in JointTree(above).order]
        except ValueError:
            raise MalformedError("models are connected in a circle") from None

    def _add_nodes(self) -> None:
        turn = [float(value) for value in self._turn[[1, 2, 3, 0]]]
        self._nodes.append({"name": "RootNode", "rotation": turn, "scale": [self._unit_m] * 3, "children": []})
        for model in self._models:
            parent, rest = self._parents[model.key], self._upright(model, self._rest[model.key])
            name = model.name or f"model_{len(self._nodes)}"
            self._nodes.append(
                {
                    "name": name,
                    "translation": rest.translation.tolist(),
                    "rotation": rest.rotation[[1, 2, 3, 0]].tolist(),
                    "scale": rest.scale.tolist(),
                }
            )
            above = 0 if parent is None else self._number[parent.key]
            self._nodes[above].setdefault("children", []).append(len(self._nodes) - 1)

    def _upright(self, model: FbxObject, local: Placing) -> Placing:
        """A local transform without reflection, which glTF skeletons cannot have, and as scaled by its parent.

        Every node below an odd number of reflections is turned inside out through its own origin: this commutes with
        rotations, so only translations change sign, and a scale of (-1, 1, 1) leaves half a turn about x.
        """
        parent = self._parents[model.key]
        above = 1.0 if parent is None else self._sides[parent.key]
        signs = np.where(self._rest[model.key].scale < 0, -1.0, 1.0)
        self._sides[model.key] = above * float(signs.prod())
        half_turn = rot.from_matrix(np.diag(signs.prod() * signs))
        scale = local.scale * signs
        if parent is not None and model.number("InheritType", 1.0) == 2:
            size = np.abs(self._rest[parent.key].scale)
            scale = scale / np.where(size > 1e-12, size, 1.0)
        return Placing(above * local.translation, rot.multiply(local.rotation, half_turn), scale)

    def _add_meshes(self) -> None:
        for model in self._models:
            geometry = geometry_of(self._scene, model)
            if geometry is None:
                continue
            clusters = [one for one in clusters_of(self._scene, model, geometry) if one.joint in self._number]
            mesh = self._mesh(model, geometry, clusters)
            if mesh is None:
                continue
            node = self._nodes[self._number[model.key]]
            if clusters:
                node = {"name": f"{model.name} skinned", "skin": self._skin(model.name, clusters)}
                self._nodes.append(node)
                self._nodes[0]["children"].append(len(self._nodes) - 1)
            node["mesh"] = self._made.add("meshes", mesh)

    def _mesh(self, model: FbxObject, geometry: FbxObject, clusters: list[Cluster]) -> Object | None:
        place = clusters[0].mesh_to_world if clusters else np.diag([*[self._sides[model.key]] * 3, 1.0])
        surface = surface_of(model, geometry, place)
        if surface is None or not len(surface.faces):
            return None
        put = self._made.buffer.accessor
        attributes: Object = {"POSITION": put(surface.points.astype("<f4"), "VEC3", target=ARRAY_BUFFER, bounds=True)}
        if surface.normals is not None:
            attributes["NORMAL"] = put(surface.normals.astype("<f4"), "VEC3", target=ARRAY_BUFFER)
        if surface.places is not None:
            attributes["TEXCOORD_0"] = put(surface.places.astype("<f4"), "VEC2", target=ARRAY_BUFFER)
        if clusters:
            joints, weights = followed(clusters, int(surface.vertices.max()) + 1)
            attributes["JOINTS_0"] = put(joints[surface.vertices].astype("<u2"), "VEC4", target=ARRAY_BUFFER)
            attributes["WEIGHTS_0"] = put(weights[surface.vertices].astype("<f4"), "VEC4", target=ARRAY_BUFFER)
        primitives = []
        for kind in np.unique(surface.materials):
            corners = surface.faces[surface.materials == kind].reshape(-1, 1).astype("<u4")
            indices = put(corners, "SCALAR", target=ELEMENT_ARRAY_BUFFER)
            primitive = {"attributes": attributes, "indices": indices}
            material = self._materials.of(model, int(kind))
            primitives.append(primitive if material is None else {**primitive, "material": material})
        return {"name": geometry.name or model.name, "primitives": primitives}

    def _skin(self, name: str, clusters: list[Cluster]) -> int:
        links = [without_reflection(one.joint_to_world) for one in clusters]
        for one, link in zip(clusters, links, strict=True):
            self._bound.setdefault(one.joint, link)
        return self._add_skin(name, [one.joint for one in clusters], links)

    def _add_skin(self, name: str, joints: list[Any], bound: list[FloatArray]) -> int:
        entry: Object = {"name": name, "joints": [self._number[key] for key in joints]}
        notes = [one for key in joints if isinstance(one := self._notes(key), dict)]
        if notes:
            entry["extras"] = {"understudy": notes[0]}
        if bound:
            binds = np.linalg.inv(np.stack(bound)).transpose(0, 2, 1).reshape(-1, 16).astype("<f4")
            entry["inverseBindMatrices"] = self._made.buffer.accessor(binds, "MAT4")
        return self._made.add("skins", entry)

    def _notes(self, key: Any) -> Any:
        """What our own writer noted at a root joint."""
        text = next(iter(self._scene.objects[key].properties.get(NOTES, ())), "")
        with suppress(FormatError):
            return json_values(text, None, "note") if isinstance(text, str) and text else None
        return None

    def _add_skeletons(self) -> None:
        """A skin without mesh for every tree of joints: leaves that move no vertex are joints, too."""
        poses = self._bind_poses()
        trees: dict[Any, list[Any]] = {}
        top: dict[Any, Any] = {}
        for model in self._models:
            parent = self._parents[model.key]
            above = None if parent is None else top.get(parent.key)
            # A written end point is a limb with empty notes.
            is_joint = (model.type in _JOINTS or model.key in self._bound) and model.properties.get(NOTES) != ("",)
            top[model.key] = above if above is not None else model.key if is_joint else None
            if is_joint:
                trees.setdefault(top[model.key], []).append(model.key)
        for key, joints in trees.items():
            name = self._scene.objects[key].name
            posed = [one for one in joints if one in poses and one not in self._bound]
            if posed and not any(one in self._bound for one in joints):
                self._add_skin(name, posed, [poses[one] for one in posed])
            self._add_skin(name, joints, [])

    def _settle_unit(self) -> None:
        """Mend a stated unit that cannot be true of the largest skeleton."""
        listed: list[int] = max((skin["joints"] for skin in self._made.parts.get("skins", ())), key=len, default=[])
        joints = [model for model in self._models if self._number[model.key] in set(listed)]
        if not joints:
            return
        place = {model.key: index for index, model in enumerate(joints)}
        parents = [-1 if (one := self._parents[model.key]) is None else place.get(one.key, -1) for model in joints]
        worlds: dict[Any, FloatArray] = {}
        for model in self._models:
            above = self._parents[model.key]
            local = self._rest[model.key].matrix
            worlds[model.key] = local if above is None else worlds[above.key] @ local
        places = np.stack([worlds[model.key][:3, 3] for model in joints])
        names = [model.name for model in joints]
        self._unit_m, self._remarks = person_unit(names, parents, places, self._unit_m)
        self._nodes[0]["scale"] = [self._unit_m] * 3

    def _bind_poses(self) -> dict[Any, FloatArray]:
        found: dict[Any, FloatArray] = {}
        for pose in self._scene.of_kind("Pose"):
            for entry in pose.record.all("PoseNode") if pose.type == "BindPose" else ():
                key, matrix = entry.child("Node").values[:1], entry.child("Matrix").reals()
                if key and key[0] in self._number and len(matrix) == 16:
                    placed = matrix.reshape(4, 4).T
                    if abs(np.linalg.det(placed[:3, :3])) > 1e-30:
                        found.setdefault(key[0], without_reflection(placed))
        return found

    def _add_take(self, take: Take) -> int:
        moved = [one for one in self._models if one.key in (models := take.models()) and one.type not in _NEVER_JOINTS]
        if not moved:
            return 0
        times = take.frame_times(self._scene.fps, _MOST_VALUES // len(moved))
        # glTF animations begin at 0 or later; keys before that are moved.
        seconds = (times - min(times[0], 0.0)).astype("<f4")[:, None]
        keys = self._made.buffer.accessor(seconds, "SCALAR", bounds=True)
        for model in moved:
            placing = self._upright(model, take.placed(model, times))
            for kind, values in self._tracks(model, placing, models[model.key]):
                self._made.animate(self._number[model.key], keys, kind, values)
        self._made.end_animation(take.name)
        return len(times) * len(moved)

    def _tracks(self, model: FbxObject, placing: Placing, changed: set[str]) -> list[tuple[str, FloatArray]]:
        tracks = [("rotation", rot.continuous(placing.rotation))]
        if TRANSLATION in changed or np.ptp(placing.translation, axis=0).max() > 0:
            tracks.append(("translation", placing.translation))
        if SCALING in changed and np.ptp(placing.scale, axis=0).max() > 0:
            tracks.append(("scale", placing.scale))
        return tracks
