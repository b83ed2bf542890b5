"""Materials of an FBX file: their colour, and the picture on them where it is in or beside the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from understudy.formats.fbx.scene import FbxObject, FbxScene
from understudy.formats.gltf_builder import GltfBuilder
from understudy.formats.gltf_document import Object

_PICTURES = {b"\x89PNG": "image/png", b"\xff\xd8\xff\xe0": "image/jpeg", b"\xff\xd8\xff\xe1": "image/jpeg"}
_COLOR_SLOTS = ("DiffuseColor", "Maya|baseColor", "3dsMax|Parameters|base_color_map")
#: [byte] a picture beside the file may have.
_LARGEST = 1 << 26


class Materials:
    """Materials that are used, each once.

    Args:
        path: The file; pictures are looked for in and below its folder only.
        scene: Its objects.
        made: Where they go.
    """

    def __init__(self, path: Path, scene: FbxScene, made: GltfBuilder) -> None:
        self._path, self._scene, self._made = path, scene, made
        self._numbers: dict[Any, int] = {}

    def of(self, model: FbxObject, number: int) -> int | None:
        """The glTF material of a model's material; ``None`` when it has none."""
        listed = self._scene.sources(model.key, "Material")
        if not listed:
            return None
        material = listed[number if 0 <= number < len(listed) else 0]
        if material.key not in self._numbers:
            self._numbers[material.key] = self._made.add("materials", self._entry(material))
        return self._numbers[material.key]

    def _entry(self, material: FbxObject) -> Object:
        color = material.vector("DiffuseColor", (0.8, 0.8, 0.8)) * material.number("DiffuseFactor", 1.0)
        surface: Object = {"metallicFactor": 0.0, "roughnessFactor": 0.85}
        texture = self._texture(material)
        if texture is None:
            surface["baseColorFactor"] = [*np.clip(color, 0.0, 1.0).tolist(), 1.0]
        else:
            surface["baseColorTexture"] = {"index": texture}
        return {"name": material.name, "pbrMetallicRoughness": surface, "doubleSided": True}

    def _texture(self, material: FbxObject) -> int | None:
        for key, slot in self._scene.below.get(material.key, ()):
            texture = self._scene.objects.get(key)
            if texture is None or texture.kind != "Texture" or slot not in _COLOR_SLOTS:
                continue
            content = self._picture(texture)
            kind = next((one for mark, one in _PICTURES.items() if content.startswith(mark)), None)
            if kind is None:
                continue
            view = self._made.buffer.view(np.frombuffer(content, dtype=np.uint8))
            image = self._made.add("images", {"name": texture.name, "bufferView": view, "mimeType": kind})
            return self._made.add("textures", {"source": image})
        return None

    def _picture(self, texture: FbxObject) -> bytes:
        """A texture's picture; empty when it is not at hand."""
        names = [texture.record.child(name).text() for name in ("RelativeFilename", "FileName")]
        for video in self._scene.sources(texture.key, "Video"):
            content = video.record.child("Content").values[:1]
            if content and isinstance(content[0], bytes) and len(content[0]) > 8:
                return content[0]
            names += [video.record.child(name).text() for name in ("RelativeFilename", "Filename")]
        folder = self._path.parent.resolve()
        for name in (one.replace("\\", "/") for one in names if one and "\0" not in one):
            leaf = name.rsplit("/", 1)[-1]
            for target in (folder / name, folder / leaf, folder / f"{self._path.stem}.fbm" / leaf):
                try:
                    target = target.resolve()
                    if target.is_relative_to(folder) and target.is_file() and target.stat().st_size <= _LARGEST:
                        return target.read_bytes()
                except (OSError, ValueError):
                    continue
        return b""
