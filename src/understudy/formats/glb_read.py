"""Motions from a glTF 2.0 file: one per skinned character (``gltf_characters`` says how rest poses are found)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion, Origin
from understudy.errors import MotionError
from understudy.formats.gltf_animation import Animation, FrameGrid, choose_animation, frame_grid
from understudy.formats.gltf_characters import Character, find_characters
from understudy.formats.gltf_document import GltfDocument, load_document
from understudy.formats.gltf_nodes import NodeTree, Similarity, load_nodes
from understudy.formats.gltf_skeleton import RiggedCharacter, conversion, metres_per_unit, rigged
from understudy.formats.options import ReadOptions
from understudy.typing import FloatArray

#: Joints times frames a file may ask for; a bound on memory, 46 minutes of 60 joints at 60 fps.
_MOST_VALUES = 10_000_000

#: [m] a bone whose offset varies less than this has a fixed length.
_STILL_M = 1e-4


def read_motions(path: Path, options: ReadOptions) -> list[Motion]:
    """Every character's motion in a ``.glb`` or ``.gltf``.

    The first animation, or the one called ``options.take``, is read; ``options.fps`` resamples it.

    Raises:
        FormatError: The file is malformed, or holds no character.
    """
    document = load_document(path, options)
    tree = load_nodes(document)
    animation, others = choose_animation(document, options.take)
    characters = find_characters(document, tree, animation)
    notes = [f"the file holds {len(others) + 1} animations; also: {', '.join(others)}"] if others else []
    starts = [keys[0] for keys in (animation.key_times(moved_nodes(tree, c)) for c in characters) if len(keys)]
    motions: list[Motion] = []
    used = 0
    for character in characters:
        reader = _CharacterReader(document, tree, animation, character, options)
        motion = reader.motion(start_s=min(starts, default=0.0), budget=_MOST_VALUES - used, notes=notes)
        used += motion.rotations.size // 4
        motions.append(motion)
    return motions


def moved_nodes(tree: NodeTree, character: Character) -> set[int]:
    """The character's nodes and everything above them."""
    return {*character.nodes, *tree.path(character.nodes[0])}


class _CharacterReader:
    """Reads one character's motion; holds what all steps need."""

    def __init__(
        self,
        document: GltfDocument,
        tree: NodeTree,
        animation: Animation,
        character: Character,
        options: ReadOptions,
    ) -> None:
        self._document, self._tree, self._animation = document, tree, animation
        self._character, self._options = character, options
        self._notes: list[str] = []

    def motion(self, *, start_s: float, budget: int, notes: list[str]) -> Motion:
        """The motion, beginning at ``start_s`` of the animation."""
        grid = self._grid(start_s, budget)
        translations = self._bone_translations(grid)
        found = rigged(self._document, self._tree, self._character, self._options, translations)
        self._note_dropped(found.character)
        root_positions, root_rotations = self._root(found, grid)
        rotations = np.empty((len(grid.times_s), len(found.skeleton), 4))
        for joint, node in enumerate(found.character.nodes):
            rotations[:, joint] = self._values(node, "rotation", grid)
        rotations[:, 0] = root_rotations
        self._note_scales(found.character)
        origin = Origin(
            path=self._document.path,
            format=self._document.format_name,
            unit_m=metres_per_unit(self._options) * self._document.unit_m,
            up=self._options.up or self._document.up,
            unit_guessed=bool(self._document.remarks),
            notes=(*self._document.remarks, *notes, *self._notes),
        )
        try:
            return Motion(
                skeleton=found.skeleton,
                fps=grid.fps,
                root_positions=root_positions,
                rotations=rot.continuous(rot.normalize(rotations)),
                name=self._name(),
                origin=origin,
            )
        except MotionError as error:
            raise self._document.fault(str(error)) from error

    def _name(self) -> str:
        noted = self._character.notes.get("name")
        if isinstance(noted, str):
            return noted
        return self._animation.name or self._document.path.stem

    def _grid(self, start_s: float, budget: int) -> FrameGrid:
        keys = self._animation.key_times(moved_nodes(self._tree, self._character))
        if len(keys) == 0:
            self._notes.append("nothing animates this character; its rest pose is the only frame")
            return FrameGrid(fps=self._options.fps or 30.0, times_s=np.zeros(1), is_keyed=True)
        grid = frame_grid(keys, fps=self._options.fps, start_s=start_s, most=budget // len(self._character.nodes))
        if grid is None:
            raise self._document.fault(f"{keys[-1]:g} s of {len(self._character.nodes)} joints is too long to read")
        if start_s > 1e-6:
            self._notes.append(f"the animation begins at {start_s:.4g} s, which became time 0")
        if not grid.is_keyed and self._options.fps is None:
            self._notes.append(f"keys are sparse or uneven; sampled at {grid.fps:g} fps")
        noted = self._character.notes.get("fps")
        if isinstance(noted, float | int) and abs(noted - grid.fps) <= 1e-3 * grid.fps and self._options.fps is None:
            return FrameGrid(fps=float(noted), times_s=grid.times_s, is_keyed=True)
        return grid

    def _values(self, node: int, path: str, grid: FrameGrid) -> FloatArray:
        track = self._animation.tracks.get((node, path))
        if track is None:
            value: FloatArray = getattr(self._tree.local(node), path)
            return np.broadcast_to(value, (len(grid.times_s), len(value)))
        return track.at(grid.times_s, 1e-3 / grid.fps + 2e-7 * float(grid.times_s[-1]))

    def _bone_translations(self, grid: FrameGrid) -> dict[int, FloatArray]:
        """Mean translation of every animated joint; skeletons have bones of fixed length."""
        means = {}
        for node in self._character.nodes:
            if (node, "translation") in self._animation.tracks:
                means[node] = self._values(node, "translation", grid).mean(axis=0)
        return means

    def _root(self, found: RiggedCharacter, grid: FrameGrid) -> tuple[FloatArray, FloatArray]:
        """World positions and rotations of the root, through everything above it."""
        placed = conversion(self._options)
        for node in self._tree.path(found.character.nodes[0]):
            local = Similarity(
                translation=self._values(node, "translation", grid),
                rotation=self._values(node, "rotation", grid),
                scale=self._tree.local(node).scale,
            )
            placed = local.after(placed)
        self._note_stretching(found, grid)
        return placed.translation, placed.rotation

    def _note_stretching(self, found: RiggedCharacter, grid: FrameGrid) -> None:
        for joint, node in list(enumerate(found.character.nodes))[1:]:
            if (node, "translation") not in self._animation.tracks:
                continue
            spread = np.ptp(self._values(node, "translation", grid), axis=0).max() * found.scales[joint]
            if spread > _STILL_M:
                name = found.skeleton.names[joint]
                self._notes.append(f'joint "{name}" moves by up to {spread:.3g} m in its parent; its mean was kept')

    def _note_dropped(self, kept: Character) -> None:
        dropped = len(self._character.nodes) - len(kept.nodes)
        if dropped:
            name = self._tree.names[kept.nodes[0]]
            self._notes.append(f'{dropped} joints above or beside the hips "{name}" were folded into its motion')

    def _note_scales(self, character: Character) -> None:
        for node in sorted(moved_nodes(self._tree, character)):
            if not self._tree.is_even(node):
                self._notes.append(f'node "{self._tree.names[node]}" scales its axes differently; the mean was used')
            track = self._animation.tracks.get((node, "scale"))
            if track is not None and np.abs(track.keyed() - self._tree.local(node).scale).max() > 1e-3:
                self._notes.append(f'the animated scale of node "{self._tree.names[node]}" was ignored')
