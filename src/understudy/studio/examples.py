"""What the start screen offers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

import numpy as np

from understudy.errors import OptionError, nearest_name
from understudy.kinematics.forward import motion_world
from understudy.performer import builtin_clips, performance
from understudy.scene.placements import Track
from understudy.scene.scene import Scene
from understudy.scene.scene_file import load_scene
from understudy.scene.shapes import Box, Cylinder, Sphere
from understudy.studio.example_scenes import example_scenes
from understudy.studio.importing import staged
from understudy.studio.messages import ExampleView
from understudy.studio.project import ModeName, Project
from understudy.studio.shelf import Shelf

#: Scene files are lists of tasks.
_SCENE_MODE: ModeName = "tasks"


@dataclass(frozen=True)
class Example:
    """A project to begin with.

    Attributes:
        name: How pages ask for it.
        title: For people.
        about: One sentence: what to try.
        mode: The working mode it belongs to.
        make: Makes it.
    """

    name: str
    title: str
    about: str
    mode: ModeName
    make: Callable[[Shelf], Project]


def example_list() -> list[ExampleView]:
    """All examples, for the start screen: those made here, then the scene files that come with the package."""
    made: list[ExampleView] = [
        {"name": one.name, "title": one.title, "about": one.about, "mode": one.mode} for one in EXAMPLES
    ]
    files: list[ExampleView] = [
        {"name": one.name, "title": one.title, "about": one.about, "mode": _SCENE_MODE} for one in example_scenes()
    ]
    return [*made, *files]


def open_example(name: str, shelf: Shelf) -> Project:
    """An example as a project.

    Raises:
        OptionError: There is none of that name.
    """
    for one in EXAMPLES:
        if one.name == name:
            return one.make(shelf)
    scenes = {one.name: one for one in example_scenes()}
    if name in scenes:
        project = staged(load_scene(scenes[name].path), shelf)
        return replace(project, mode=_SCENE_MODE).with_verdict(text="press Run")
    raise OptionError(f'no example "{name}"; {nearest_name(name, [*(one.name for one in EXAMPLES), *scenes])}')


def _room(shelf: Shelf) -> Project:
    """A furnished room with a person waiting in it."""
    bob = Track(
        times_s=np.array([0.0, 1.5, 3.0]),
        positions=np.array([[-0.6, 1.2, 2.0], [-0.6, 1.7, 2.0], [-0.6, 1.2, 2.0]]),
        loop=True,
    )
    scene = (
        Scene(name="room")
        .with_object("table", Box(size_m=(1.2, 0.74, 0.8)), position=(-0.6, 0.37, 2.0), color=(0.45, 0.28, 0.16))
        .with_object("shelf", Box(size_m=(2.0, 1.8, 0.4)), position=(-1.5, 0.9, 4.4), color=(0.3, 0.36, 0.42))
        .with_object("post", Cylinder(radius_m=0.1, height_m=1.9), position=(0.5, 0.95, 5.0))
        .with_object("ball", Sphere(radius_m=0.14), placement=bob, color=(0.8, 0.25, 0.1))
        .with_character("anna")
    )
    return staged(scene, shelf)


def _clutter(shelf: Shelf) -> Project:
    """Twelve boxes in a loose grid."""
    scene = Scene(name="clutter").with_character("anna")
    for k in range(12):
        row, column = divmod(k, 4)
        x, z = 1.5 * column - 2.25 + 0.3 * (row % 2), 1.6 * row + 1.4
        scene = scene.with_object(f"box{k + 1}", Box(size_m=(0.5, 0.9, 0.5)), position=(x, 0.45, z))
    return staged(scene, shelf)


def _posts(shelf: Shelf) -> Project:
    """A person walks past a post that is in the way of a hand."""
    walk = next(clip for clip in builtin_clips("walk") if clip.name == "walk")
    hand = motion_world(walk).positions[:, walk.skeleton.index("rightHand")]
    middle = hand[len(hand) // 2]
    scene = (
        Scene(name="posts")
        .with_object("post", Cylinder(radius_m=0.03, height_m=1.1), position=(middle[0] - 0.02, 0.55, middle[2]))
        .with_object("shelf", Box(size_m=(0.25, 0.04, 0.6)), position=(middle[0] - 0.45, 1.15, middle[2] + 1.2))
        .with_character("anna", motion=walk)
    )
    settings = {"limbs": {"character": "anna"}}
    return Project(scene=scene, mode="limbs", settings=settings).with_verdict(text="press Find to look for collisions")


def _eagle(shelf: Shelf) -> Project:
    """From standing into the eagle, and the motion between."""
    keys = {"keys": ["relaxed"], "pins": [], "falloff": 3, "spacetime": False, "character": "anna"}
    project = staged(Scene(name="eagle").with_character("anna"), shelf)
    return replace(project, mode="postures", settings={"postures": keys})


def _errand(shelf: Shelf) -> Project:
    """A cup to be taken from a narrow table and put down elsewhere on it."""
    idle = performance("idle", duration_s=8.0, fps=30.0).motion
    scene = (
        Scene(name="errand")
        .with_object("table", Box(size_m=(0.34, 1.0, 0.14)), position=(-0.3, 0.5, 0.45), color=(0.6, 0.42, 0.25))
        .with_object("cup", Cylinder(radius_m=0.035, height_m=0.1), position=(-0.22, 1.05, 0.44), color=(0.2, 0.4, 0.8))
        .with_character("anna", motion=idle)
        .with_task("anna", "grab", object="cup", hand="right", at_s=2.4)
        .with_task("anna", "place", object="cup", target=(-0.38, 1.0, 0.44), at_s=5.0)
    )
    return Project(scene=scene, mode="tasks").with_verdict(text="press Run")


def _play(name: str) -> Callable[[Shelf], Project]:
    """One of the plays of people and balls that come with the package."""

    def make(shelf: Shelf) -> Project:
        from understudy.studio.modes.interaction import begun
        from understudy.studio.playing import Playing

        shelf.kernels.wait("balls")
        return begun(Playing(Path(str(resources.files("understudy.studio") / "plays" / f"{name}.toml"))), shelf)

    return make


def _empty(shelf: Shelf) -> Project:
    return staged(Scene(name="empty").with_character("anna"), shelf)


EXAMPLES: tuple[Example, ...] = (
    Example("room", "A walk through a room", "Click the floor for a goal, then drag the furniture.", "walk", _room),
    Example("clutter", "A walk through clutter", "Twelve boxes: push them together and watch.", "walk", _clutter),
    Example("posts", "A hand in the way", "Find the collision, correct it, drag the hand elsewhere.", "limbs", _posts),
    Example("eagle", "Into a yoga posture", "Add the eagle and watch; hold a foot in place.", "postures", _eagle),
    Example(
        "juggling",
        "Juggling",
        "Drag a ball or a hand at any time; every catch follows.",
        "interaction",
        _play("juggling"),
    ),
    Example("soccer", "Keeping a ball up", "Drag the ball higher over a kick.", "interaction", _play("soccer")),
    Example("errand", "A cup to another place", "Run the two tasks, move the cup, run again.", "tasks", _errand),
    Example("empty", "An empty stage", "One person, waiting. Drop your own clip or scene on the page.", "walk", _empty),
)
