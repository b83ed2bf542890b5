"""The limb scenes of ``examples/`` on recorded motion: the same furniture and tasks, other people.

Walks are put together from recorded clips, because no recording is as long as a kitchen; the walk that turns into a run
takes the one transition from a fast walk to a run that the clips have. Whoever stands is taken from where a recording
stands still, which is three seconds at most, so grasping happens earlier. What was in the way of the performer's hands
is put where these hands pass.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

import understudy as us
from understudy.core import Motion, PlanarTransform
from understudy.library import unroll
from understudy.locomotion import WalkOptions
from understudy.scene import Scene
from understudy.scene.placements import Static, Track

SCENES = Path(__file__).parents[2] / "examples" / "scenes" / "limbs"
#: Clips of calm, ordinary and fast walks, and of a walk and a run.
_CALM = tuple(f"69_{number}" for number in ("01", "03", "13", "20", "22", "24", "25", "28", "30", "31"))
_PLAIN = tuple(f"16_{number}" for number in ("16", "47", "31", "32", "33", "11", "13", "58"))
_FAST = ("16_21", "16_24", "16_26")
_RUN = ("16_31", "16_47", "16_21", "16_24", "16_35", "16_36")
#: Clips of the last library, in order: walk, fast walk, and from its veering on running.
_WALK_TO_RUN = (0, 4, 5, 1, 8, 9, 11, 16, 17, 15, 14, 15, 14, 16)
#: [m] what a transition to a run needs; walks are far below it.
_RUN_THRESHOLD_M = 0.2
#: Who stands where in which recording [s].
_STANDING = {"anna": ("137_26", 9.9), "bob": ("137_26", 9.6)}
#: [s] when standing people grasp.
_GRASP_S = 1.7


def recorded_walk(folder: Path, names: tuple[str, ...], length_m: float, speed: tuple[float, float] | None) -> Motion:
    """A straight walk of recorded clips, from the origin towards +Z."""
    mirrored = names is not _CALM
    library = us.build_library(
        [us.load_motion(folder / f"{name}.bvh") for name in names], options=us.LibraryOptions(mirror=mirrored)
    )
    options = WalkOptions(speed_mps=speed)
    result = us.walk(library, start=(0.0, 0.0, 0.0), goal=(0.0, length_m), options=options)
    if result.motion is None:
        raise RuntimeError(f"no walk: {result.reason}")
    return result.motion


def walk_to_run(folder: Path) -> Motion:
    """A recorded walk that becomes faster and then a run, from the origin towards +Z on the whole."""
    clips = [us.load_motion(folder / f"{name}.bvh") for name in _RUN]
    library = us.build_library(clips, options=us.LibraryOptions(mirror=True, threshold_m=_RUN_THRESHOLD_M))
    motion = unroll(library, _WALK_TO_RUN, name="walk_to_run").motion
    east, _, north = motion.root_positions[-1] - motion.root_positions[0]
    return motion.placed(PlanarTransform(yaw_rad=-float(np.arctan2(east, north))))


def standing(folder: Path, name: str, since_s: float, spot: tuple[float, float]) -> Motion:
    """Three seconds of somebody who stands, at a place, looking towards +Z."""
    motion = us.load_motion(folder / f"{name}.bvh").resampled(60.0)
    motion = motion.slice(since_s, min(since_s + 3.2, motion.duration_s))
    places, _ = motion.skeleton.placed_joints(motion.root_positions[0], motion.rotations[0])
    hips = (places[motion.skeleton.humanoid[f"{side}UpperLeg"]] for side in ("left", "right"))
    left, right = hips
    across = left - right
    facing = float(np.arctan2(-across[2], across[0]))
    turned = motion.placed(PlanarTransform(yaw_rad=-facing))
    x, _, z = turned.root_positions[0]
    return turned.placed(PlanarTransform(x_m=spot[0] - float(x), z_m=spot[1] - float(z)))


def kitchen(folder: Path) -> Scene:
    """The kitchen as it is, walked through calmly."""
    return _scene("kitchen").with_motion("anna", recorded_walk(folder, _CALM, 15.0, (0.3, 0.98)))


def umbrella(folder: Path, name: str) -> Scene:
    """The posts as they are."""
    return _scene(name).with_motion("anna", recorded_walk(folder, _CALM, 7.0, None))


def bar(folder: Path, name: str) -> Scene:
    """The bar where the right hand passes after 3.5 s."""
    scene = _scene(name).with_motion("anna", recorded_walk(folder, _CALM, 6.0, None))
    hand, _ = scene.character("anna").joint("right_hand", [3.5])
    x, y, z = hand[0].tolist()
    return scene.placed("bar", Static(position=(x - 0.22, y, z)))


def hat(folder: Path) -> Scene:
    """An ordinary walk overtaken by a fast one, nearer than the performers are."""
    slow = recorded_walk(folder, _PLAIN, 9.0, None).placed(PlanarTransform(x_m=-0.42, z_m=1.3))
    return _scene("hat_thief").with_motion("bob", slow).with_motion("anna", recorded_walk(folder, _FAST, 11.0, None))


def ring_run(folder: Path) -> Scene:
    """A ring that travels beside the runner, on straight lines between where she is every 1.5 s."""
    motion = walk_to_run(folder)
    times = np.arange(0.0, motion.duration_s, 1.5)
    roots, _ = motion.sample(times)
    beside = np.stack([roots[:, 0] - 0.5, np.full(len(times), 1.15), roots[:, 2] + 0.3], axis=1)
    return _scene("ring_run").with_motion("anna", motion).placed("ring", Track(times_s=times, positions=beside))


def ring_idle(folder: Path) -> Scene:
    """The ring comes by sooner."""
    scene = _scene("ring_idle").with_motion("anna", standing(folder, *_STANDING["anna"], (0.0, 0.0)))
    track = scene.object("ring").placement
    assert isinstance(track, Track)
    sooner = _GRASP_S / float(scene.tasks[0].at_s or _GRASP_S)
    return _at_once(scene.placed("ring", replace(track, times_s=track.times_s * sooner)))


def two_at_once(folder: Path) -> Scene:
    """Two people who stand."""
    scene = _scene("two_at_once")
    for name, spot in (("anna", (-0.4, 0.0)), ("bob", (0.4, 0.0))):
        scene = scene.with_motion(name, standing(folder, *_STANDING[name], spot))
    return _at_once(scene)


RECORDED: Mapping[str, Callable[[Path], Scene]] = {
    "umbrella_post": lambda folder: umbrella(folder, "umbrella_post"),
    "umbrella_two_posts": lambda folder: umbrella(folder, "umbrella_two_posts"),
    "low_arm": lambda folder: bar(folder, "low_arm"),
    "high_arm": lambda folder: bar(folder, "high_arm"),
    "ring_idle": ring_idle,
    "ring_run": ring_run,
    "hat_thief": hat,
    "two_at_once": two_at_once,
    "kitchen": kitchen,
}


def _scene(name: str) -> Scene:
    return us.load_scene(SCENES / f"{name}.toml")


def _at_once(scene: Scene) -> Scene:
    """The scene with every task at the moment when standing people grasp."""
    return replace(scene, tasks=tuple(replace(task, at_s=_GRASP_S) for task in scene.tasks))
