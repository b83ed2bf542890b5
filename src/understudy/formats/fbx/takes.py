"""The takes of an FBX file: which curves move which model, layer over layer, and the values they give together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from understudy import rotations as rot
from understudy.formats.fbx.curves import Curve
from understudy.formats.fbx.keys import curve_of_channel, curve_of_record
from understudy.formats.fbx.placing import DEFAULTS, ROTATION, SCALING, Placing, placed, rotation_order, turned
from understudy.formats.fbx.records import MalformedError, Record
from understudy.formats.fbx.scene import FbxObject, FbxScene
from understudy.typing import FloatArray

_ADDITIVE, _OVERRIDE = 0, 1
#: Key times nearer than this are one.
_SAME_S = 1e-5
_CHANNELS = {"T": "Lcl Translation", "R": "Lcl Rotation", "S": "Lcl Scaling"}


@dataclass(eq=False)
class Channel:
    """The three numbers of one property.

    Attributes:
        values: ``(3,)`` where there are no keys.
        curves: Of x, y, z.
    """

    values: FloatArray
    curves: list[Curve | None] = field(default_factory=lambda: [None, None, None])

    def at(self, times_s: FloatArray) -> FloatArray:
        """``(times, 3)``."""
        columns = [
            np.full(len(times_s), value) if curve is None else curve.at(times_s)
            for value, curve in zip(self.values, self.curves, strict=True)
        ]
        return np.stack(columns, axis=1)


@dataclass(eq=False)
class Layer:
    """One layer of a take.

    Attributes:
        channels: ``(model key, property)`` -> its numbers.
        mode: How it goes over the layers below: 0 is added, 1 replaces them, 2 is blended with them.
        weight: How much it counts, in [0, 1].
        weights: Per cent over time instead, where it is animated.
        by_component: Whether angles are added as numbers, not as turns.
    """

    channels: dict[tuple[Any, str], Channel] = field(default_factory=dict)
    mode: int = _ADDITIVE
    weight: float = 1.0
    weights: Curve | None = None
    by_component: bool = False

    def share(self, times_s: FloatArray) -> FloatArray:
        """``(times, 1)`` how much it counts."""
        if self.weights is None:
            return np.full((len(times_s), 1), self.weight)
        return np.clip(self.weights.at(times_s) / 100.0, 0.0, 1.0)[:, None]


@dataclass(eq=False)
class Take:
    """One animation of the file.

    Attributes:
        name: As the file spells it.
        layers: Bottom first.
        span_s: Start and end that the file states; ``None`` when it states none.
    """

    name: str
    layers: list[Layer]
    span_s: tuple[float, float] | None

    def key_times(self) -> FloatArray:
        """Every key time, once."""
        curves = [one for layer in self.layers for channel in layer.channels.values() for one in channel.curves if one]
        keys = np.unique(np.concatenate([curve.times_s for curve in curves])) if curves else np.empty(0)
        # The same moment is not rounded alike in every curve.
        return keys[np.append(True, np.diff(keys) > _SAME_S)[: len(keys)]]

    def frame_times(self, fps: float, most: int) -> FloatArray:
        """Times of its frames: on the keys where these lie at a steady rate, else at the file's rate.

        Raises:
            MalformedError: There would be more than ``most``.
        """
        keys = self.key_times()
        start, end = self.span_s or (keys[0], keys[-1])
        start, end = max(start, keys[0]), min(end, keys[-1])
        if not end > start:
            start, end = keys[0], keys[-1]
        inside = keys[(keys >= start - _SAME_S) & (keys <= end + _SAME_S)]
        rate, origin = fps, start
        if len(inside) > 1:
            steady = 1.0 / float(np.median(np.diff(inside)))
            steady = max(round((inside[-1] - inside[0]) * steady), 1) / (inside[-1] - inside[0])
            place = (inside - inside[0]) * steady
            if np.abs(place - np.rint(place)).max() < 0.02:
                rate = steady * max(np.ceil(fps / steady - 0.01), 1.0)
                origin = inside[0] - np.floor((inside[0] - start) * rate + 0.01) / rate
        count = (end - origin) * rate
        if not count < most:
            raise MalformedError(f'take "{self.name[:40]}" would have {count:.0f} frames; at most {most} are read')
        return np.asarray(origin + np.arange(int(count + 0.01) + 1) / rate)

    def models(self) -> dict[Any, set[str]]:
        """Models that have curves -> their properties that have."""
        found: dict[Any, set[str]] = {}
        for layer in self.layers:
            for (key, name), channel in layer.channels.items():
                if any(channel.curves):
                    found.setdefault(key, set()).add(name)
        return found

    def placed(self, model: FbxObject, times_s: FloatArray) -> Placing:
        """A model's local transforms at some times."""
        order = rotation_order(model)
        values: dict[str, FloatArray] = {}
        for name, default in DEFAULTS.items():
            rest = np.broadcast_to(model.vector(name, default), (len(times_s), 3))
            values[name] = turned(rest, order) if name == ROTATION else rest
            angles = rest
            for number, layer in enumerate(self.layers):
                channel = layer.channels.get((model.key, name))
                if channel is None:
                    continue
                given, share = channel.at(times_s), layer.share(times_s)
                if name == ROTATION and (number == 0 or layer.mode == _OVERRIDE or layer.by_component):
                    angles = given if number == 0 else _blended(name, angles, given, layer, share)
                    values[name] = turned(angles, order)
                elif name == ROTATION:
                    values[name] = _blended_turns(values[name], turned(given, order), layer, share)
                else:
                    values[name] = given if number == 0 else _blended(name, values[name], given, layer, share)
        return placed(model, *values.values())


def _blended(name: str, below: FloatArray, given: FloatArray, layer: Layer, share: FloatArray) -> FloatArray:
    """Numbers of a layer over those below it."""
    if layer.mode == _OVERRIDE:
        return given
    product = name == SCALING and not layer.by_component
    if layer.mode == _ADDITIVE:
        return np.asarray(below * np.abs(given) ** share if product else below + share * given)
    if product:
        return np.asarray(np.abs(below) ** (1 - share) * np.abs(given) ** share)
    return np.asarray(below + share * (given - below))


def _blended_turns(below: FloatArray, given: FloatArray, layer: Layer, share: FloatArray) -> FloatArray:
    """Rotations of a layer over those below it."""
    start = rot.identity((len(given),)) if layer.mode == _ADDITIVE else below
    part = rot.slerp(start, rot.aligned(given, start), share[:, 0])
    return rot.multiply(below, part) if layer.mode == _ADDITIVE else part


def takes_of(scene: FbxScene) -> list[Take]:
    """Every take that moves something, the longest first."""
    found = _stacks(scene) if scene.version >= 7000 else _old_takes(scene)
    moving = [take for take in found if len(take.key_times())]
    return sorted(moving, key=lambda take: -float(np.ptp(take.key_times())))


def _stacks(scene: FbxScene) -> list[Take]:
    curves = {one.key: curve_of_record(one.record, scene.ticks) for one in scene.of_kind("AnimationCurve")}
    takes = []
    for stack in scene.of_kind("AnimationStack"):
        layers = []
        for one in scene.sources(stack.key, "AnimationLayer"):
            weight = min(max(one.number("Weight", 100.0) / 100.0, 0.0), 1.0)
            added = bool(one.number("RotationAccumulationMode"))
            layer = Layer(mode=int(one.number("BlendMode")), weight=weight, by_component=added)
            for node in scene.sources(one.key, "AnimationCurveNode"):
                if (one.key, "Weight") in scene.above.get(node.key, ()):
                    keyed = (curves.get(source) for source, _ in scene.below.get(node.key, ()))
                    layer.weights = next((curve for curve in keyed if curve), None)
                channel = _channel(scene, node, curves)
                for target, name in scene.above.get(node.key, ()):
                    if name in DEFAULTS:
                        layer.channels[target, name] = channel
            layers.append(layer)
        start, end = (stack.number(name, np.nan) / scene.ticks for name in ("LocalStart", "LocalStop"))
        takes.append(Take(stack.name, layers, (start, end) if end > start else None))
    return takes


def _channel(scene: FbxScene, node: FbxObject, curves: Mapping[Any, Curve | None]) -> Channel:
    axes = ("d|X", "d|Y", "d|Z")
    channel = Channel(np.array([node.number(axis) for axis in axes]))
    for source, name in scene.below.get(node.key, ()):
        if name in axes and curves.get(source) is not None:
            channel.curves[axes.index(name)] = curves[source]
    return channel


def _old_takes(scene: FbxScene) -> list[Take]:
    takes = []
    for record in scene.root.child("Takes").all("Take"):
        layer = Layer()
        for model in record.all("Model"):
            transform = next((one for one in model.all("Channel") if one.text() == "Transform"), Record(""))
            for part in transform.all("Channel"):
                if part.text() in _CHANNELS:
                    layer.channels[model.text(), _CHANNELS[part.text()]] = _old_channel(part, scene.ticks)
        times = record.child("LocalTime")
        start, end = times.number(0) / scene.ticks, times.number(1) / scene.ticks
        takes.append(Take(record.text(), [layer], (start, end) if end > start else None))
    return takes


def _old_channel(part: Record, ticks: int) -> Channel:
    axes = {one.text(): one for one in part.all("Channel")}
    listed = [axes.get(letter, Record("")) for letter in "XYZ"]
    values = np.array([one.child("Default").number() for one in listed])
    return Channel(values, [curve_of_channel(one, ticks) for one in listed])
