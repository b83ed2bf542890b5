"""The demo: half a minute in a room. Two people, one verdict.

Run it with ``make demo``. The scene and what is to be done are in ``demo.toml``; results are in ``out/demo/``.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import numpy as np
from PIL import Image

import understudy as us
from understudy.api import PerformResult
from understudy.api.warm_processes import Apart
from understudy.api.warming import KERNELS
from understudy.cli.compiling import announced, waited
from understudy.pictures import cast, framing, staged
from understudy.pictures.camera import looking_from
from understudy.pictures.drawing import CapsuleGroup, assembled
from understudy.pictures.show import show
from understudy.scene import Box, SceneObject, Static

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


def performed(scene: us.Scene, cache: Path) -> PerformResult:
    """Everything the scene file asks for."""
    done = {"tasks": -1, "since": time.perf_counter()}

    def tell(share: float, stage: str) -> None:
        number = min(int(share * len(scene.tasks) + 1e-6), len(scene.tasks) - 1)
        if number > done["tasks"]:
            done["tasks"] = number
            task = scene.tasks[number]
            after = time.perf_counter() - done["since"]
            print(f"    {after:5.1f} s  {task.character}: {task.do} {task.object or task.to_pose}", flush=True)

    options = us.HandlingOptions(progress=tell, deadline_s=math.inf)
    result = us.perform(scene, cache=cache, options=options)
    if not result.status:
        raise SystemExit(f"not everything could be done: {result.reason}")
    return result


def first_walk(scene: us.Scene, folder: Path) -> None:
    """One judged walk past the furniture and its picture, long before the whole scene is done."""
    room = replace(scene, characters=(), tasks=())
    library = us.build_library(us.builtin_clips("walk"))
    found = us.walk(library, room, start=(-0.4, 1.6), goal=(1.0, 3.2))
    if not found.status:
        raise SystemExit(f"no walk was found: {found.reason}")
    us.save(found, folder / "first.bvh")
    props = room.props(end_s=found.motion.duration_s)
    show(found.motion, folder / "first.png", props=props, style="strobe", title="a first walk")


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


def main(folder: Path, *, first_only: bool = False) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    print("Understudy demo (the first run compiles its kernels, which takes a minute or two)")
    # The kernels of the whole scene are compiled on another core while the first walk is made.
    rest = Apart([] if first_only else ["perform"])
    with closing(rest), announced(lambda text: print(f"  {text}", flush=True), KERNELS["walk"]):
        scene, stages = us.load_scene(HERE / "demo.toml"), Stages()
        stages.run("walk past the furniture, judge it, draw first.png", lambda: first_walk(scene, folder))
        if first_only:
            return 0
        stages.run("wait for the other kernels", lambda: waited(rest, KERNELS["perform"]))
        return everything(scene, folder, stages)


def everything(scene: us.Scene, folder: Path, stages: Stages) -> int:
    """The whole scene: done, judged, written, drawn and judged again from the file."""
    result = stages.run("do what the scene asks for, and judge it", lambda: performed(scene, folder / "cache"))
    played, report = result.scene, result.report
    people = [person.world_motion.renamed(person.name) for person in played.characters]
    stages.run("write demo.glb with its certificate", lambda: us.save(result, folder / "demo.glb"))
    for motion in people:
        us.save_motion(motion, folder / f"{motion.name}.bvh")
    props = played.props(end_s=max(motion.duration_s for motion in people))
    stages.run("draw demo.png", lambda: draw(result, played, folder / "demo.png"))
    stages.run("draw plan.png", lambda: show(people, folder / "plan.png", props=props, style="top", title="demo"))
    stages.run("make demo.html", lambda: show(people, folder / "demo.html", props=props, title="demo"))
    document = {"verify": report.to_json(), "seconds": stages.seconds}
    (folder / "report.json").write_text(json.dumps(document, indent=2))
    again = us.verify_file(folder / "demo.glb").report
    print(f"{report.table()}\nfrom the file alone: {'ok' if again.ok else again.reason}")
    print(f"{max(motion.duration_s for motion in people):.0f} s of motion")
    print(f"\nresults in {folder}/: open demo.html in a browser, demo.glb in Blender or any glTF viewer")
    return 0 if report.ok and again.ok else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out/demo"))
    parser.add_argument("--first", action="store_true", help="only the first walk and its picture")
    arguments = parser.parse_args()
    raise SystemExit(main(arguments.out, first_only=arguments.first))
