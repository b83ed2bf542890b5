"""Everyday things that somebody takes, carries and puts down: every kind drawn at random, asked of ``perform``, judged.

``KINDS[name](rng)`` draws a scene with one person and two tasks. Furniture stands apart with floor around it, and
things are small and light, so whatever comes back unsolved is ours to answer for. Nothing is tuned on these draws.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import understudy as us
from understudy import rotations as rot
from understudy.limbs.handling import HandlingOptions
from understudy.scene.scene import Scene
from understudy.scene.shapes import Box, Cylinder, Shape

#: [s] for one program by the clock: enough on a busy machine.
_DEADLINE_S = 400.0
#: [m] between a thing and what it stands on at first.
_REST_M = 0.0005
_UP = np.array([0.0, 1.0, 0.0])
_Top = tuple[float, float, float]


def _floats(values: Any) -> Any:
    return tuple(float(value) for value in values)


def _cup(rng: np.random.Generator) -> Shape:
    return Cylinder(radius_m=float(rng.uniform(0.033, 0.045)), height_m=float(rng.uniform(0.08, 0.12)))


def _bottle(rng: np.random.Generator) -> Shape:
    return Cylinder(radius_m=float(rng.uniform(0.03, 0.04)), height_m=float(rng.uniform(0.2, 0.3)))


def _carton(rng: np.random.Generator) -> Shape:
    return Box(size_m=_floats(rng.uniform([0.05, 0.08, 0.05], [0.1, 0.2, 0.1])))


def _flat_book(rng: np.random.Generator) -> Shape:
    return Box(size_m=_floats(rng.uniform([0.12, 0.02, 0.16], [0.17, 0.045, 0.24])))


def _upright_book(rng: np.random.Generator) -> Shape:
    return Box(size_m=_floats(rng.uniform([0.025, 0.18, 0.12], [0.045, 0.25, 0.17])))


_SMALL = (_cup, _bottle, _carton, _flat_book, _upright_book)


def _tall(shape: Shape) -> float:
    return shape.size_m[1] if isinstance(shape, Box) else shape.height_m  # type: ignore[union-attr]


def _places(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Two pieces of furniture 2 to 3 m from each other."""
    angle = rng.uniform(-np.pi, np.pi)
    away = 0.5 * rng.uniform(2.0, 3.0) * np.array([np.sin(angle), np.cos(angle)])
    return -away, away


def _table(scene: Scene, name: str, at: np.ndarray, height: float, rng: np.random.Generator, *, kind: str) -> Scene:
    """A block, a round pillar, or a board on a post; turned anyhow."""
    turn = rot.from_axis_angle(_UP, float(rng.uniform(-np.pi, np.pi)))
    if kind == "round":
        top: Shape = Cylinder(radius_m=float(rng.uniform(0.25, 0.4)), height_m=height)
        return scene.with_object(name, top, position=_floats([at[0], 0.5 * height, at[1]]))
    wide, deep = rng.uniform([0.5, 0.4], [1.1, 0.7])
    if kind == "block":
        block = Box(size_m=_floats([wide, height, deep]))
        return scene.with_object(name, block, position=_floats([at[0], 0.5 * height, at[1]]), rotation=turn)
    board = Box(size_m=_floats([wide, 0.03, deep]))
    scene = scene.with_object(name, board, position=_floats([at[0], height - 0.015, at[1]]), rotation=turn)
    post = Cylinder(radius_m=0.04, height_m=height - 0.035)
    return scene.with_object(f"{name} post", post, position=_floats([at[0], 0.5 * (height - 0.035), at[1]]))


def _near_edge(scene: Scene, name: str, rng: np.random.Generator, inset_m: float = 0.1) -> np.ndarray:
    """A point of a table's top near its edge ``(2,)``."""
    at, turn = (part[0] for part in scene.object_track(name, [0.0]))
    shape = scene.object(name).shape
    if isinstance(shape, Cylinder):
        angle, far = rng.uniform(-np.pi, np.pi), max(shape.radius_m - inset_m, 0.0)
        return at[[0, 2]] + far * np.array([np.sin(angle), np.cos(angle)])
    assert isinstance(shape, Box)
    half = 0.5 * np.array(shape.size_m) - inset_m
    own = np.array([rng.uniform(-half[0], half[0]), 0.0, rng.choice([-1.0, 1.0]) * half[2]])
    return (at + rot.rotate(turn, own))[[0, 2]]


def _with_thing(scene: Scene, shape: Shape, at: np.ndarray, top_m: float, rng: np.random.Generator) -> Scene:
    turn = rot.from_axis_angle(_UP, float(rng.uniform(-np.pi, np.pi)))
    place = _floats([at[0], top_m + 0.5 * _tall(shape) + _REST_M, at[1]])
    return scene.with_object("thing", shape, position=place, rotation=turn)


def _asked(scene: Scene, rng: np.random.Generator, target: Any, **more: Any) -> Scene:
    """Somebody a little aside, who takes the thing and puts it on the target."""
    angle = rng.uniform(-np.pi, np.pi)
    start = _floats(rng.uniform(2.6, 3.2) * np.array([np.sin(angle), np.cos(angle)]))
    scene = scene.with_character("anna", start=start)
    return scene.with_task("anna", "grab", object="thing", **more).with_task(
        "anna", "place", object="thing", target=target
    )


def _heights(rng: np.random.Generator, low: float = 0.65, high: float = 1.1) -> Any:
    return _floats(rng.uniform(low, high, 2))


def tables(rng: np.random.Generator) -> Scene:
    """Something small from one table to another, both round or turned."""
    scene, heights = Scene(), _heights(rng)
    for name, at, height in zip(("here", "there"), _places(rng), heights, strict=True):
        scene = _table(scene, name, at, height, rng, kind=str(rng.choice(["round", "block", "board"])))
    shape = _SMALL[int(rng.integers(len(_SMALL)))](rng)
    scene = _with_thing(scene, shape, _near_edge(scene, "here", rng), heights[0], rng)
    return _asked(scene, rng, "there")


def left(rng: np.random.Generator) -> Scene:
    """The same with the left hand."""
    scene = tables(rng)
    _, put = scene.tasks
    bare = Scene(objects=scene.objects, characters=scene.characters)
    return bare.with_task("anna", "grab", object="thing", hand="left").with_task(
        "anna", "place", object="thing", target=put.target
    )


def shelf(rng: np.random.Generator) -> Scene:
    """From a table onto a board with another one above it, or from there onto a table."""
    heights, (one, two) = _heights(rng, 0.75, 1.25), _places(rng)
    scene = _table(Scene(), "table", one, min(heights[0], 1.0), rng, kind=str(rng.choice(["round", "block"])))
    shape = _SMALL[int(rng.integers(len(_SMALL)))](rng)
    turn = rot.from_axis_angle(_UP, float(rng.uniform(-np.pi, np.pi)))
    room = _tall(shape) + float(rng.uniform(0.12, 0.25))
    for name, height in (("board", heights[1]), ("upper board", heights[1] + room + 0.03)):
        board = Box(size_m=(0.9, 0.03, 0.3))
        scene = scene.with_object(name, board, position=_floats([two[0], height - 0.015, two[1]]), rotation=turn)
    if rng.integers(2):
        scene = _with_thing(scene, shape, _near_edge(scene, "table", rng), min(heights[0], 1.0), rng)
        return _asked(scene, rng, "board")
    scene = _with_thing(scene, shape, _near_edge(scene, "board", rng, 0.11), heights[1], rng)
    return _asked(scene, rng, "table")


def beside(rng: np.random.Generator) -> Scene:
    """Something that stands between two others, 3 to 8 cm apart, to another table."""
    scene, heights = Scene(), _heights(rng, 0.7, 1.0)
    for name, at, height in zip(("here", "there"), _places(rng), heights, strict=True):
        scene = _table(scene, name, at, height, rng, kind="block")
    shape = _SMALL[int(rng.integers(len(_SMALL)))](rng)
    at, turn = (part[0] for part in scene.object_track("here", [0.0]))
    half = np.array(scene.object("here").shape.size_m) * 0.5  # type: ignore[union-attr]
    wide = 2.0 * shape.radius_m if isinstance(shape, Cylinder) else shape.size_m[0]  # type: ignore[union-attr]
    for name, along in (("thing", 0.0), ("one", -1.0), ("other", 1.0)):
        solid: Shape = shape if name == "thing" else _cup(rng)
        aside = 0.0 if name == "thing" else along * (0.5 * wide + 0.045 + float(rng.uniform(0.03, 0.08)))
        place = at + rot.rotate(turn, np.array([aside, 0.0, half[2] - 0.12]))
        place[1] = heights[0] + 0.5 * _tall(solid) + _REST_M
        scene = scene.with_object(name, solid, position=_floats(place), rotation=turn)
    return _asked(scene, rng, "there")


def floor(rng: np.random.Generator) -> Scene:
    """Something from the floor onto a table, or from a table onto the floor."""
    height, (one, two) = _heights(rng)[0], _places(rng)
    scene = _table(Scene(), "table", one, height, rng, kind=str(rng.choice(["round", "block"])))
    shape = _SMALL[int(rng.integers(len(_SMALL)))](rng)
    if rng.integers(2):
        return _asked(_with_thing(scene, shape, two, 0.0, rng), rng, "table")
    scene = _with_thing(scene, shape, _near_edge(scene, "table", rng), height, rng)
    return _asked(scene, rng, _floats([two[0], 0.0, two[1]]))


def low(rng: np.random.Generator) -> Scene:
    """From a stool or a low table to another one."""
    scene, heights = Scene(), _heights(rng, 0.3, 0.65)
    for name, at, height in zip(("here", "there"), _places(rng), heights, strict=True):
        scene = _table(scene, name, at, height, rng, kind=str(rng.choice(["round", "block"])))
    shape = _SMALL[int(rng.integers(len(_SMALL)))](rng)
    scene = _with_thing(scene, shape, _near_edge(scene, "here", rng), heights[0], rng)
    return _asked(scene, rng, "there")


def _box(rng: np.random.Generator, low_m: float, high_m: float) -> Scene:
    """A box for both hands, at the edge of a table as wide as it is or wider."""
    scene, heights = Scene(), _heights(rng, low_m, high_m)
    for name, at, height in zip(("here", "there"), _places(rng), heights, strict=True):
        turn = rot.from_axis_angle(_UP, float(rng.uniform(-np.pi, np.pi)))
        block = Box(size_m=_floats([rng.uniform(0.5, 0.9), height, rng.uniform(0.4, 0.5)]))
        scene = scene.with_object(name, block, position=_floats([at[0], 0.5 * height, at[1]]), rotation=turn)
    box = Box(size_m=_floats(rng.uniform([0.24, 0.12, 0.2], [0.4, 0.3, 0.3])))
    at, turn = (part[0] for part in scene.object_track("here", [0.0]))
    deep = scene.object("here").shape.size_m[2]  # type: ignore[union-attr]
    place = at + rot.rotate(turn, np.array([0.0, 0.0, 0.5 * (deep - box.size_m[2]) - 0.02]))
    place[1] = heights[0] + 0.5 * box.size_m[1] + _REST_M
    return _asked(scene.with_object("thing", box, position=_floats(place), rotation=turn), rng, "there", hand="both")


def box(rng: np.random.Generator) -> Scene:
    """A box with both hands from a table to another."""
    return _box(rng, 0.75, 1.0)


def low_box(rng: np.random.Generator) -> Scene:
    """A box with both hands from a low table to another."""
    return _box(rng, 0.35, 0.75)


KINDS: dict[str, Callable[[np.random.Generator], Scene]] = {
    "tables": tables,
    "left hand": left,
    "shelf": shelf,
    "beside": beside,
    "low": low,
    "floor": floor,
    "box": box,
    "low box": low_box,
}


def household(kind: str) -> Callable[[int], Any]:
    """Problems of one kind, by seed."""

    def job(seed: int) -> Any:
        scene = KINDS[kind](np.random.default_rng([17, list(KINDS).index(kind), seed]))
        return us.perform(scene, options=HandlingOptions(deadline_s=_DEADLINE_S))

    return job
