"""Animations of a glTF document: their channels, their frame rate, and values at any time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from understudy import rotations as rot
from understudy.errors import nearest_name
from understudy.formats.gltf_accessors import accessor_array
from understudy.formats.gltf_document import GltfDocument, Object
from understudy.typing import FloatArray

_KINDS = {"translation": "VEC3", "rotation": "VEC4", "scale": "VEC3"}

#: Frame rates that key spacing is taken to mean when it is within a few parts in ten thousand.
COMMON_FPS = (24.0, 25.0, 30.0, 60.0, 120.0, 12.0, 15.0, 48.0, 50.0, 90.0, 100.0, 240.0, 23.976, 29.97, 59.94, 119.88)

#: Keys farther apart than this are poses to interpolate, not frames.
_SLOWEST_FPS = 5.0
_FASTEST_FPS = 1000.0

#: Numbers one animation may decode to; accessors may share bytes, so the file's size alone does not bound them.
_MOST_NUMBERS = 40_000_000


@dataclass(frozen=True, eq=False, kw_only=True)
class Track:
    """One animated property of one node.

    Attributes:
        times_s: ``(keys,)`` strictly increasing.
        values: ``(keys, width)``, or ``(keys, 3, width)`` (in-tangent, value, out-tangent) when cubic.
        mode: ``"LINEAR"``, ``"STEP"`` or ``"CUBICSPLINE"``.
        turns: Whether values are rotations, wxyz.
    """

    times_s: FloatArray
    values: FloatArray
    mode: str
    turns: bool

    def keyed(self) -> FloatArray:
        """``(keys, width)`` values at the keys."""
        return self.values[:, 1] if self.mode == "CUBICSPLINE" else self.values

    def at(self, times_s: FloatArray, slack_s: float) -> FloatArray:
        """``(times, width)`` values; a time within ``slack_s`` of a key gives that key's value bit for bit."""
        keys, last = self.times_s, len(self.times_s) - 1
        on_key = np.clip(np.searchsorted(keys, times_s - slack_s), 0, last)
        exact = np.abs(keys[on_key] - times_s) <= slack_s
        before = np.clip(np.searchsorted(keys, times_s, side="right") - 1, 0, max(last - 1, 0))
        after = np.minimum(before + 1, last)
        span = np.where(after > before, keys[after] - keys[before], 1.0)
        share = np.clip((times_s - keys[before]) / span, 0.0, 1.0)
        between = self._between(before, after, share, span)
        return np.where(exact[:, None], self.keyed()[on_key], between)

    def _between(self, before: Any, after: Any, share: FloatArray, span: FloatArray) -> FloatArray:
        keyed, u = self.keyed(), share[:, None]
        if self.mode == "STEP":
            return np.where(u >= 1.0, keyed[after], keyed[before])
        if self.mode == "LINEAR":
            if self.turns:
                return rot.slerp(keyed[before], rot.aligned(keyed[after], keyed[before]), share)
            return keyed[before] + u * (keyed[after] - keyed[before])
        out, into = self.values[before, 2] * span[:, None], self.values[after, 0] * span[:, None]
        u2, u3 = u * u, u * u * u
        start, end = 2 * u3 - 3 * u2 + 1, 3 * u2 - 2 * u3
        value = start * keyed[before] + (u3 - 2 * u2 + u) * out + end * keyed[after] + (u3 - u2) * into
        return rot.normalize(value) if self.turns else value


@dataclass(frozen=True, eq=False, kw_only=True)
class Animation:
    """The tracks of one animation.

    Attributes:
        name: As the file spells it; may be empty.
        tracks: ``(node, property)`` -> track; properties are translation, rotation, scale.
    """

    name: str = ""
    tracks: dict[tuple[int, str], Track] = field(default_factory=dict)

    def key_times(self, nodes: Iterable[int]) -> FloatArray:
        """Every key time of the given nodes, sorted, each once."""
        wanted = set(nodes)
        found = {id(track.times_s): track.times_s for (node, _), track in self.tracks.items() if node in wanted}
        return np.unique(np.concatenate(list(found.values()))) if found else np.empty(0)


def choose_animation(document: GltfDocument, take: str | None) -> tuple[Animation, list[str]]:
    """Decode the animation called ``take``, or the first one; also the names of the others.

    Raises:
        FormatError: There is none of that name, or it is malformed.
    """
    entries = document.entries("animations")
    names = [document.text(entry, "name", f"animation_{i}") for i, entry in enumerate(entries)]
    if take is not None and take not in names:
        raise document.fault(f'no animation "{take}"; {nearest_name(take, names) or "the file has none"}')
    if not entries:
        return Animation(), []
    chosen = 0 if take is None else names.index(take)
    others = names[:chosen] + names[chosen + 1 :]
    name = document.text(entries[chosen], "name")
    return Animation(name=name, tracks=_tracks(document, entries[chosen], names[chosen])), others


def _tracks(document: GltfDocument, entry: Object, name: str) -> dict[tuple[int, str], Track]:
    what = f'animation "{name[:40]}"'
    samplers = document.objects(entry, "samplers", what)
    times: dict[int, FloatArray] = {}
    tracks: dict[tuple[int, str], Track] = {}
    total = 0
    for channel in document.objects(entry, "channels", what):
        target = document.object(channel, "target", what)
        path = target.get("path")
        # Morph weights and extension targets move no joint.
        if not isinstance(path, str) or path not in _KINDS or "node" not in target:
            continue
        node = document.index(target["node"], len(document.entries("nodes")), f"{what}: a target node")
        sampler = samplers[document.index(channel.get("sampler"), len(samplers), f"{what}: a sampler index")]
        if (node, path) not in tracks:
            tracks[node, path] = _track(document, sampler, path, times, what)
            total += tracks[node, path].values.size
            if total > _MOST_NUMBERS:
                raise document.fault(f"{what} holds more than {_MOST_NUMBERS} numbers; too long to read")
    return tracks


def _track(document: GltfDocument, sampler: Object, path: str, times: dict[int, FloatArray], what: str) -> Track:
    source = document.index(sampler.get("input"), len(document.entries("accessors")), f"{what}: sampler input")
    if source not in times:
        times[source] = _key_times(document, source, what)
    keys = times[source]
    mode = sampler.get("interpolation", "LINEAR")
    if mode not in ("LINEAR", "STEP", "CUBICSPLINE"):
        raise document.fault(f"{what}: unknown interpolation {mode!r:.40}")
    values = accessor_array(document, sampler.get("output"), _KINDS[path])
    per_key = 3 if mode == "CUBICSPLINE" else 1
    if len(values) != per_key * len(keys):
        raise document.fault(f"{what}: {len(values)} values for {len(keys)} keys of {path}")
    if path == "rotation":
        values = values[:, [3, 0, 1, 2]]
    if mode == "CUBICSPLINE":
        values = values.reshape(len(keys), 3, -1)
    if path == "rotation":
        values = _unit(document, values, mode, what)
    return Track(times_s=keys, values=values, mode=mode, turns=path == "rotation")


def _unit(document: GltfDocument, values: FloatArray, mode: str, what: str) -> FloatArray:
    keyed = values[:, 1] if mode == "CUBICSPLINE" else values
    lengths = np.linalg.norm(keyed, axis=-1, keepdims=True)
    if lengths.size and not (lengths.min() > 0.5 and lengths.max() < 2.0):
        raise document.fault(f"{what}: a rotation key is not a unit quaternion")
    if mode == "CUBICSPLINE":
        return values
    return values / lengths


def _key_times(document: GltfDocument, source: int, what: str) -> FloatArray:
    keys = accessor_array(document, source, "SCALAR")[:, 0]
    if len(keys) == 0 or not (np.diff(keys) > 0).all() or keys[0] < 0 or keys[-1] > 1e6:
        raise document.fault(f"{what}: key times must increase from 0 or later, and end within {1e6:g} s")
    return keys


@dataclass(frozen=True, eq=False, kw_only=True)
class FrameGrid:
    """The times at which an animation is read.

    Attributes:
        fps: Frames per second.
        times_s: ``(frames,)`` times within the animation.
        is_keyed: Whether every key lies on a frame.
    """

    fps: float
    times_s: FloatArray
    is_keyed: bool


def frame_grid(
    keys_s: FloatArray, *, fps: float | None = None, start_s: float | None = None, most: int
) -> FrameGrid | None:
    """Frames for keys that were recorded at a steady rate, or at a common rate for sparse and uneven keys.

    Args:
        keys_s: ``(keys,)`` increasing, at least one.
        fps: Use this rate instead of the keys' own.
        start_s: Time of the first frame; the first key's when ``None``.
        most: Frames that may be asked for.

    Returns:
        The frames, or ``None`` when there would be more than ``most``.
    """
    start = float(keys_s[0]) if start_s is None else start_s
    length = float(keys_s[-1]) - start
    if fps is None:
        rate, is_keyed = _key_rate(keys_s)
        # Frames sit on the keys; the declared rate is the common one that the keys stand for.
        declared = _snapped(rate)
    else:
        rate = declared = fps
        is_keyed = False
    if not length * rate < most:
        return None
    count = max(int(np.ceil(length * rate - 0.02)), 0) + 1
    return FrameGrid(fps=declared, times_s=start + np.arange(count) / rate, is_keyed=is_keyed)


def _key_rate(keys_s: FloatArray) -> tuple[float, bool]:
    if len(keys_s) < 2:
        return 30.0, True
    length = float(keys_s[-1] - keys_s[0])
    rate = max(round(length / float(np.median(np.diff(keys_s)))), 1) / length
    place = (keys_s - keys_s[0]) * rate
    # Key times are 32-bit floats, so allow for their rounding late in a long clip.
    slack = 0.02 + 2e-7 * float(keys_s[-1]) * rate
    if np.abs(place - np.rint(place)).max() < slack and _SLOWEST_FPS <= rate <= _FASTEST_FPS:
        return rate, True
    whole = [fps for fps in (30.0, *COMMON_FPS) if abs(length * fps - round(length * fps)) < 1e-3]
    return (whole[0] if whole else 30.0), False


def _snapped(rate: float) -> float:
    nearest = min(COMMON_FPS, key=lambda fps: abs(fps - rate))
    if abs(nearest - rate) <= 4e-4 * rate:
        return nearest
    return float(np.format_float_positional(rate, precision=6, fractional=False))
