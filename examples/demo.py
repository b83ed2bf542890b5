"""The demo: a minute in a flat. Two people, every planner once, one judge.

Run it with ``make demo``. The scene and what is to be done are in ``demo.toml``; results are in ``out/demo/``.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import numpy as np
from demo_skills import LibraryWalk, Toss, strike_posture
from PIL import Image

import understudy as us
from understudy.api import PerformResult
from understudy.kinematics import motion_world
from understudy.performer import action_examples
from understudy.pictures import cast, framing, staged
from understudy.pictures.camera import looking_from
from understudy.pictures.drawing import CapsuleGroup, assembled
from understudy.pictures.show import show
from understudy.scene import Box, SceneObject, Sphere, Static, Track
from understudy.skills.program.snapshot import snapshot
from understudy.verify.ballistics import Flight

HERE = Path(__file__).resolve().parent
Made = TypeVar("Made")


class Stages:
    """Runs the demo's stages and prints what each one took."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def run(self, name: str, work: Callable[[], Made]) -> Made:
        started = time.perf_counter()
        result = work()
        self.seconds[name] = time.perf_counter() - started
        print(f"  {name:<52} {self.seconds[name]:6.1f} s", flush=True)
        return result


def walks() -> us.Library:
    """A motion library of the built-in performer's walks."""
    return us.build_library([clip for clip in us.builtin_clips("walk") if clip.name != "idle"])


def performed(scene: us.Scene, library: us.Library, cache: Path) -> PerformResult:
    """Everything the scene file asks for, with three skills of the demo's own."""
    skills = {"walk_to": LibraryWalk(library), "between": strike_posture, "action": Toss()}
    done = {"tasks": -1, "since": time.perf_counter()}

    def tell(share: float, stage: str) -> None:
        number = min(int(share * len(scene.tasks) + 1e-6), len(scene.tasks) - 1)
        if number > done["tasks"]:
            done["tasks"] = number
            task = scene.tasks[number]
            after = time.perf_counter() - done["since"]
            print(f"    {after:5.1f} s  {task.character}: {task.do} {task.object or task.to_pose}", flush=True)

    result = us.perform(scene, skills=skills, cache=cache, options=us.HandlingOptions(progress=tell))
    if not result.status:
        raise SystemExit(f"not everything could be done: {result.reason}")
    return result


def with_drone(result: PerformResult, name: str = "anna", before_end_s: float = 0.9) -> us.Scene:
    """The scene with a toy drone that flies through where a hand hangs, and the arm out of its way."""
    motion = result.motions[name]
    world = motion_world(motion)
    frame = len(motion) - round(before_end_s * motion.fps)
    role = motion.skeleton.humanoid
    hand, hips = world.positions[frame, role["leftHand"]], world.positions[frame, role["hips"]]
    aside = (hand - hips) * [1.0, 0.0, 1.0]
    aside /= np.linalg.norm(aside)
    ahead = np.cross(aside, [0.0, 1.0, 0.0])
    at, meets_s = hand + 0.04 * aside, frame / motion.fps + result.scene.character(name).start_s
    route = [at + 3.0 * ahead + [0.0, 0.8, 0.0], at + 0.6 * ahead, at - 0.6 * ahead, at - 3.0 * ahead + [0.0, 0.8, 0.0]]
    track = Track(times_s=meets_s + np.array([-2.4, -0.4, 0.4, 2.4]), positions=np.array(route))
    scene = result.scene.with_object("drone", Sphere(radius_m=0.06), placement=track, color=(0.15, 0.15, 0.2))
    first = frame - round(3.0 * motion.fps)
    tail = motion.frames(first, len(motion))
    late = snapshot(scene, meets_s - (frame - first) / motion.fps, people=(name,)).with_motion(name, tail)
    freed = us.correct(tail, late, limbs=["left_arm"], character=name)
    if not freed.status or freed.motion is None:
        raise SystemExit(f"the arm could not be freed: {freed.reason}")
    whole = replace(
        motion,
        root_positions=np.concatenate([motion.root_positions[:first], freed.motion.root_positions]),
        rotations=np.concatenate([motion.rotations[:first], freed.motion.rotations]),
    )
    return scene.with_motion(name, whole, start_s=scene.character(name).start_s)


def flights(scene: us.Scene, ball: str = "ball") -> list[Flight]:
    """The ball in the air: from where a hand lets it go until one has it again."""
    holds = sorted((one for one in scene.attachments if one.object == ball), key=lambda one: one.start_s)
    found = []
    for one, following in pairwise(holds):
        keys = scene.object(ball).placement.times_s
        times = keys[(keys >= one.end_s) & (keys <= following.start_s)]
        if len(times) > 2:  # else one hold goes on as another, as when the ball is put down
            found.append(Flight(object=ball, times_s=times, positions=scene.object_track(ball, times)[0]))
    return found


def judged(result: PerformResult, played: us.Scene, people: list[us.Motion]) -> tuple[us.Report, us.Report]:
    """The judge on everything at once, twice.

    First against what hands and arms were laid over, frame by frame: nothing may jump that did not before. That motion
    was planned here too and would excuse itself, so feet and pace are also held to the performer's own clips.
    """
    named = [(motion.name, motion) for motion in people]
    ours = us.verify(named, played, source=dict(result.play.sources), flights=flights(played))
    clips = [*us.builtin_clips("locomotion"), *(one.motion for one in action_examples("throw_catch", count=6))]
    return ours, us.verify(named, played, source={motion.name: clips for motion in people})


def beside_clips(report: us.Report) -> tuple[str, bool]:
    """What feet and pace are beside the performer's clips, in words, and whether that passes."""
    words = []
    for person in report.characters:
        feet, smooth = person.foot_skate, person.smoothness
        words.append(
            f"{person.name} drifts {feet.stance_drift_mm:.1f} mm, speeds {smooth.velocity_ratio:.2f}, "
            f"accelerations {smooth.acceleration_ratio:.2f}"
        )
    # Which postures the joints of a take reach and how its steps land, only that take can tell.
    broken = set(report.broken) - {"joint_limits", "seams"}
    return f"beside the performer's clips: {'; '.join(words)}: {', '.join(sorted(broken)) or 'ok'}", not broken


def draw(result: PerformResult, played: us.Scene, path: Path) -> None:
    """Both people at the moments of their tasks and between them, from above, with walls cut off at the knee."""
    end = max(person.world_motion.duration_s for person in played.characters)
    shown = [thing for thing in played.objects if thing.name != "picture"]
    low = [_cut_wall(thing) if thing.name.startswith("wall") else thing for thing in shown]
    room = staged([], props=replace(played, objects=tuple(low)).props(end_s=end))
    groups, points = [], []
    for person in played.characters:
        deeds = [0.0] + [one.deed.time_s for one in result.tasks if one.deed and one.task.character == person.name]
        times = np.sort([*deeds, *(0.5 * (one + other) for one, other in pairwise(deeds))])
        actor = staged([person.world_motion])
        for age, moment in zip(np.linspace(0.4, 0.0, len(times)), times, strict=True):
            drawn = actor.groups(float(moment))
            groups += [CapsuleGroup(one.capsules, one.colors, casts=1.0 - age, fade=age) for one in drawn]
            points += [one.capsules[:, :3] for one in drawn]
    axes = looking_from(np.radians(158.0), np.radians(33.0))
    camera = framing(np.concatenate(points), axes, size_px=(1600, 760), margin=0.05)
    Image.fromarray(cast(assembled(groups, room.placed_props(end)), camera)).save(path)


def _cut_wall(wall: SceneObject) -> SceneObject:
    width, _, depth = wall.shape.size_m
    (x, _, z) = wall.placement.poses(np.zeros(1))[0][0]
    return replace(wall, shape=Box(size_m=(width, 0.4, depth)), placement=Static(position=(x, 0.2, z)))


def main(folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    stages = Stages()
    print("Understudy demo (the first run compiles its kernels, which takes a minute or two)")
    scene = us.load_scene(HERE / "demo.toml")
    library = stages.run("perform walking clips, build a motion library", walks)
    result = stages.run("do what the scene asks for", lambda: performed(scene, library, folder / "cache"))
    played = stages.run("get an arm out of a drone's way", lambda: with_drone(result))
    people = [person.world_motion.renamed(person.name) for person in played.characters]
    report, strict = stages.run("judge everybody and the ball", lambda: judged(result, played, people))
    stages.run("write demo.glb", lambda: us.save_motion(people, folder / "demo.glb", scene=played))
    for motion in people:
        us.save_motion(motion, folder / f"{motion.name}.bvh")
    props = played.props(end_s=max(motion.duration_s for motion in people))
    stages.run("draw demo.png", lambda: draw(result, played, folder / "demo.png"))
    stages.run("draw plan.png", lambda: show(people, folder / "plan.png", props=props, style="top", title="demo"))
    stages.run("make demo.html", lambda: show(people, folder / "demo.html", props=props, title="demo"))
    document = {"verify": report.to_json(), "beside_clips": strict.to_json(), "seconds": stages.seconds}
    (folder / "report.json").write_text(json.dumps(document, indent=2))
    said, passes = beside_clips(strict)
    print(f"{report.table()}\n{said}\n{max(motion.duration_s for motion in people):.0f} s of motion")
    print(f"\nresults in {folder}/: open demo.html in a browser, demo.glb in Blender or any glTF viewer")
    return 0 if report.ok and passes else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out/demo"))
    raise SystemExit(main(parser.parse_args().out))
