"""Small jobs that use the kernels of big ones: whoever has run them once need not wait for the compiler again."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

_ROOM = """
[[object]]
name = "shelf"
shape = { kind = "box", size = [1.2, 0.95, 0.35] }
at = [0.0, 0.475, 3.0]

[[object]]
name = "book"
shape = { kind = "box", size = [0.04, 0.22, 0.15] }
at = [0.1, 1.061, 2.93]

[[object]]
name = "table"
shape = { kind = "box", size = [0.8, 0.04, 1.2] }
at = [2.5, 0.75, 0.5]
"""

_TASKS = """
[[character]]
name = "anna"
start = [0.0, 0.0]

[[task]]
character = "anna"
do = "grab"
object = "book"

[[task]]
character = "anna"
do = "place"
object = "book"
target = "table"
"""


def _walk(folder: Path) -> None:
    import understudy as us
    from understudy.pictures.show import show

    scene = us.load_scene(_written(folder, _ROOM))
    library = us.build_library(us.builtin_clips("walk"))
    found = us.walk(library, scene, start=(0.0, 0.0), goal=(2.0, 3.0))
    if found.motion is not None:
        show(found.motion, folder / "walk.png", props=scene.props(end_s=found.motion.duration_s), style="strobe")


def _limbs(folder: Path) -> None:
    import understudy as us
    from understudy.kinematics import motion_world

    clip = us.builtin_clips("walk")[0]
    wrist = motion_world(clip).positions[:, clip.skeleton.index("rightHand")]
    middle = len(clip) // 2
    us.reach(clip, hand="right", target=wrist[middle] + (0.05, 0.1, 0.05), at=middle / clip.fps)
    x, y, z = wrist[middle]
    post = f'[[object]]\nname = "post"\nshape = {{ kind = "box", size = [0.05, 0.3, 0.05] }}\nat = [{x}, {y}, {z}]\n'
    us.correct(clip, us.load_scene(_written(folder, post)))


def _between(folder: Path) -> None:
    import understudy as us

    us.between("relaxed", "eagle", scene=us.load_scene(_written(folder, _ROOM)))


def _perform(folder: Path) -> None:
    import understudy as us

    us.perform(us.load_scene(_written(folder, _ROOM + _TASKS)))


def _doors(folder: Path) -> None:
    import understudy as us
    from understudy.skills.door.room import door_room

    us.open_door(door_room(pushed=False), "door", start=(-0.4, -3.1), goal=(0.0, 2.4))


def _balls(folder: Path) -> None:
    import numpy as np

    import understudy as us
    from understudy.interaction import Actor, BallAt, Play
    from understudy.interaction.rhythm import thrown_as
    from understudy.performer import action_examples

    toss = action_examples("throw_catch", count=1)[0]
    anna = Actor(name="anna", motion=toss.motion, cutoff_hz=24.0)
    session = us.Interaction(Play(actors=(anna,), ways=thrown_as(toss, anna)))
    session.settle()
    ball = BallAt(ball="ball0", time_s=1.9)
    session.drag(ball, session.where(ball) + np.array([0.0, 0.1, 0.0]))
    session.report()


def _methods(folder: Path) -> None:
    """The published methods of walking: maps, and sampling with its baseline."""
    import understudy as us
    from understudy.locomotion.published.maps.motion_maps import MapOptions, with_maps

    scene = us.load_scene(_written(folder, _ROOM))
    clips = [clip for name in ("walk_slow", "turn_left", "turn_right") for clip in us.builtin_clips(name)]
    library = us.build_library(clips, options=us.LibraryOptions(fps=30))
    for method in ("astar", "tight", "sample", "decoupled"):
        us.walk(library, scene, start=(0.0, 0.0), goal=(2.0, 4.0), options=us.WalkOptions(method=method))
    library = with_maps(library, MapOptions(clips=4))
    us.walk(library, scene, start=(0.0, 0.0), goal=(2.0, 4.0), options=us.WalkOptions(method="maps"))


#: What can be warmed up, by name; each is handed an empty folder. Neighbours share few kernels.
JOBS: Mapping[str, Callable[[Path], None]] = MappingProxyType(
    {
        "walk": _walk,
        "limbs": _limbs,
        "perform": _perform,
        "between": _between,
        "doors": _doors,
        "balls": _balls,
        "methods": _methods,
    }
)

#: About how many kernels each job compiles from an empty cache; whoever waits is shown how many are left.
KERNELS: Mapping[str, int] = MappingProxyType({"walk": 250, "limbs": 235, "perform": 190, "between": 70})


def warm_up(job: str) -> None:
    """Do a small job of this kind, so that its kernels are compiled and kept."""
    with tempfile.TemporaryDirectory(prefix="understudy-warm-") as folder:
        JOBS[job](Path(folder))


def _written(folder: Path, text: str) -> Path:
    path = folder / "scene.toml"
    path.write_text(text, encoding="utf-8")
    return path
