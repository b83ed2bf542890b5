"""Binary things the page fetches once: clips, skins and meshes, named by what is in them."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from understudy.core.body import Body
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.core.skin.body_mesh import body_mesh
from understudy.core.skin.capsule_mesh import SkinMesh
from understudy.formats.glb_skin import OwnSkin
from understudy.formats.glb_write import inverse_binds
from understudy.scene.characters import Character
from understudy.typing import FloatArray, IntArray

Thing = TypeVar("Thing")

#: Bytes kept; the least recently named go first.
_MOST_BYTES = 512 * 1024 * 1024


class Assets:
    """Blocks of bytes under names made from their content; safe to use from several threads."""

    def __init__(self) -> None:
        self._blocks: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()
        self._clips: WeakKeyDictionary[Motion, str] = WeakKeyDictionary()
        self._skins: WeakKeyDictionary[Body | Skeleton, str] = WeakKeyDictionary()
        self._own_skins: WeakKeyDictionary[OwnSkin, WeakKeyDictionary[Skeleton, str]] = WeakKeyDictionary()

    def put(self, block: bytes) -> str:
        """Keep a block; the same bytes have the same name."""
        name = hashlib.blake2b(block, digest_size=16).hexdigest()
        with self._lock:
            if name in self._blocks:
                self._blocks.move_to_end(name)
                return name
            self._blocks[name] = block
            self._bytes += len(block)
            while self._bytes > _MOST_BYTES and len(self._blocks) > 1:
                _, dropped = self._blocks.popitem(last=False)
                self._bytes -= len(dropped)
        return name

    def get(self, name: str) -> bytes | None:
        """A block, or ``None`` when there is none of that name (any more)."""
        with self._lock:
            return self._blocks.get(name)

    def all(self) -> list[tuple[str, bytes]]:
        """Every block with its name."""
        with self._lock:
            return list(self._blocks.items())

    def clip(self, motion: Motion) -> str:
        """A motion: float32 ``(frames, 3 + 4 * joints)``, root position [m] and local rotations wxyz."""
        return self._kept(self._clips, motion, lambda: clip_block(motion))

    def skin(self, person: Character, own: OwnSkin | None = None) -> str:
        """Skin and bones of a moving character; see :func:`skin_block`. The character's own skin is used if it fits."""
        skeleton = person.world_motion.skeleton
        if own is not None and own.fits(skeleton):
            known = self._own_skins.setdefault(own, WeakKeyDictionary())
            return self._kept(known, skeleton, lambda: skin_block(own.mesh, skeleton, own.colors))
        # Planners keep the skeleton and fit a body of their own, so the skeleton says who it is.
        return self._kept(
            self._skins,
            person.body or skeleton,
            lambda: skin_block(body_mesh(person.fitted_body), person.fitted_body.skeleton),
        )

    def mesh(self, vertices: FloatArray, faces: IntArray) -> str:
        """A mesh: two counts, float32 vertices, uint32 faces."""
        return self.put(_counts(len(vertices), len(faces)) + _floats(vertices) + _wholes(faces, "<u4"))

    def floats(self, values: FloatArray) -> str:
        """Plain float32 numbers."""
        return self.put(_floats(values))

    def _kept(self, known: WeakKeyDictionary[Thing, str], one: Thing, make: Callable[[], bytes]) -> str:
        name = known.get(one)
        if name is None or self.get(name) is None:
            name = known[one] = self.put(make())
        return name


def clip_block(motion: Motion) -> bytes:
    """The bytes of a clip."""
    flat = motion.rotations.reshape(len(motion), -1)
    return _floats(np.concatenate([motion.root_positions, flat], axis=1))


def skin_block(mesh: SkinMesh, skeleton: Skeleton, colors: FloatArray | None = None) -> bytes:
    """Counts of vertices, faces, bones and colours, then everything else.

    Vertices, normals, joints x 4, weights x 4, faces; parents, offsets, binds; colours, as many as vertices or none.
    Offsets are from parent to child [m]; binds are ``(bones, 16)`` world to bone in the rest pose, column by column.
    """
    colors = np.zeros((0, 3)) if colors is None else colors
    binds = np.swapaxes(inverse_binds(skeleton), 1, 2).reshape(len(skeleton), 16)
    return b"".join(
        [
            _counts(len(mesh.vertices), len(mesh.faces), len(skeleton), len(colors)),
            _floats(mesh.vertices),
            _floats(mesh.normals),
            _wholes(mesh.joints, "<u4"),
            _floats(mesh.weights),
            _wholes(mesh.faces, "<u4"),
            _wholes(skeleton.parents, "<i4"),
            _floats(skeleton.offsets),
            _floats(binds),
            _floats(colors),
        ]
    )


def _counts(*counts: int) -> bytes:
    return np.array(counts, dtype="<u4").tobytes()


def _floats(values: npt.ArrayLike) -> bytes:
    return np.ascontiguousarray(values, dtype="<f4").tobytes()


def _wholes(values: npt.ArrayLike, kind: str) -> bytes:
    return np.ascontiguousarray(values).astype(kind).tobytes()
