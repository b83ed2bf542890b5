"""Small jobs that use the kernels of big ones: whoever has run them once need not wait for the compiler again."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from understudy.interaction import Actor
    from understudy.performer.actions import Example

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
    for _ in us.stream_walk(library, scene, start=(0.0, 0.0), goal=(2.0, 3.0)):
        pass
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
    post = '[[object]]\nname = "post"\nshape = {{ kind = "box", size = [0.05, 0.3, 0.05] }}\nat = [{}, {}, {}]\n'
    us.correct(clip, us.load_scene(_written(folder, post.format(x, y, z))))
    beside = us.load_scene(_written(folder, post.format(x - 0.15, y + 0.1, z + 0.1)))
    us.touch(clip, beside, "post", hand="right", at=middle / clip.fps)


def _between(folder: Path) -> None:
    import understudy as us

    us.between("relaxed", "eagle", scene=us.load_scene(_written(folder, _ROOM)))
    us.between("sit", "relaxed")
    us.between("relaxed", "arms_folded", options=us.BetweenOptions(fps=24.0, spacetime=True))


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
    session.drag(ball, session.where(ball) + np.array([0.0, 0.6, 0.0]))  # to where limits stop an arm
    session.report()
    _thrown_club(anna, toss)


def _thrown_club(anna: Actor, toss: Example) -> None:
    """A capsule that is thrown and caught, and one that falls on the floor and on somebody."""
    import numpy as np

    import understudy as us
    from understudy.interaction import Ball, BallAt, Cue, Hold, Play, Start, Way, simulate

    club = Ball(name="club", radius_m=0.02, length_m=0.3)
    left, right = [event for event in toss.events if event.thing == 0][:2]
    parts = ["anna.left_hand" if one.joint.startswith("left") else "anna.right_hand" for one in (left, right)]
    legs = (Hold(part=parts[0], release_s=left.time_s), Hold(part=parts[1], catch_s=right.time_s))
    session = us.Interaction(Play(actors=(anna,), ways=(Way(ball=club, legs=legs),)))
    session.settle()
    middle = BallAt(ball="club", time_s=0.5 * (left.time_s + right.time_s))
    session.drag(middle, session.where(middle) + np.array([0.0, 0.05, 0.0]))
    above, still = np.array([0.0, 2.2, 0.0]), np.zeros(3)
    first = Start(time_s=0.0, position=above, velocity=still, free=True)
    simulate(Play(actors=(anna,), ways=()), [Cue(ball=club, first=first)], until_s=1.0)


def _together(folder: Path) -> None:
    """People in each other's way, walks to a heading, searches that run out."""
    import understudy as us

    scene = us.load_scene(_written(folder, _ROOM))
    library = us.build_library(us.builtin_clips("walk"))
    us.walk_together(library, walks={"anna": ((0.0, 0.0), (0.0, 4.0)), "ben": ((0.0, 4.0), (0.0, 0.0))})
    us.walk(library, scene, start=(0.0, 0.0, 0.0), goal=(2.0, 3.0, 1.5))
    us.walk(library, scene, start=(0.0, 0.0), goal=(2.0, 3.0), options=us.WalkOptions(max_states=100))


def _methods(folder: Path) -> None:
    """The published methods of walking: maps, and sampling with its baseline."""
    import understudy as us
    from understudy.locomotion.published.maps.motion_maps import MapOptions, with_maps

    scene = us.load_scene(_written(folder, _ROOM))
    clips = [clip for name in ("walk_slow", "turn_left", "turn_right") for clip in us.builtin_clips(name)]
    library = us.build_library(clips, options=us.LibraryOptions(fps=30))
    for method in ("astar", "tight", "sample", "decoupled"):
        us.walk(library, scene, start=(0.0, 0.0), goal=(2.0, 4.0), options=us.WalkOptions(method=method))
    us.build_library(clips[:1], options=us.LibraryOptions(fps=30, graph="standard"))
    library = with_maps(library, MapOptions(clips=4))
    us.walk(library, scene, start=(0.0, 0.0), goal=(2.0, 4.0), options=us.WalkOptions(method="maps"))


def _checks(folder: Path) -> None:
    """Questions about one pose, one move, one path; meshes, and things that are carried."""
    import numpy as np

    import understudy as us
    from understudy.collision import Carried, Checker, CollisionBody, Obstacle, World
    from understudy.core.body_fit import fit_body
    from understudy.floor import build_floor
    from understudy.scene.shapes import Box, Mesh

    clip = us.builtin_clips("walk")[0]
    corners = np.array([[0.0, 0.0, 0.0], [0.3, 0.0, 0.0], [0.0, 0.3, 0.0], [0.0, 0.0, 0.3]])
    wedge = Mesh(vertices=corners, faces=np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]))
    tray = Carried(name="tray", shape=Box(size_m=(0.3, 0.02, 0.2)), joint="rightHand", touches=("right_hand",))
    world = World([Obstacle(name="wedge", shape=wedge, position=(0.0, 0.5, 1.0))])
    first, last = clip.pose(0), clip.pose(len(clip) // 2)
    checkers = [Checker(CollisionBody(fit_body(clip.skeleton), carried), world) for carried in ((), (tray,))]
    for checker in checkers:
        checker.collides_many(clip.rotations[:2], clip.root_positions[:2])
        checker.segment_is_free(first, last)
    checkers[-1].near(first.rotations, first.root_position)
    scene = us.load_scene(_written(folder, _ROOM)).with_object("wedge", wedge, position=(0.0, 0.5, 1.0))
    us.verify(clip, scene)
    floor = build_floor(scene)
    path = floor.path((0.0, 0.0), (2.0, 3.5), 0.3).path
    if path is not None:
        path.distance(np.zeros((1, 2)))
        floor.channel(path).holds(np.zeros((1, 2)))
    floor.path((0.0, 0.0), (0.0, 2.9), 0.3)  # too near to the shelf: what is there?


#: What can be warmed up, by name; each is handed an empty folder.
JOBS: Mapping[str, Callable[[Path], None]] = MappingProxyType(
    {
        "walk": _walk,
        "limbs": _limbs,
        "perform": _perform,
        "between": _between,
        "doors": _doors,
        "balls": _balls,
        "together": _together,
        "methods": _methods,
        "checks": _checks,
    }
)

#: About how many kernels each job compiles after those before it, from an empty cache; a bar shows how many are left.
KERNELS: Mapping[str, int] = MappingProxyType(
    {"walk": 250, "limbs": 145, "perform": 30, "between": 60, "doors": 30, "balls": 70, "together": 10}
    | {"methods": 110, "checks": 30}
)


def warm_up(job: str) -> None:
    """Do a small job of this kind, so that its kernels are compiled and kept."""
    with tempfile.TemporaryDirectory(prefix="understudy-warm-") as folder:
        JOBS[job](Path(folder))


def _written(folder: Path, text: str) -> Path:
    path = folder / "scene.toml"
    path.write_text(text, encoding="utf-8")
    return path
