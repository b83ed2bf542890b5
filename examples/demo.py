"""The demo: people, a scene, a judge. Leaves pictures, files and a report in out/demo/.

Run it with ``make demo``.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import understudy as us
from understudy.pictures.show import show
from understudy.scene import Box, Cylinder, Sphere, Track

Made = TypeVar("Made")


class Stages:
    """Runs the demo's stages and prints what each one took."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def run(self, name: str, work: Callable[[], Made]) -> Made:
        started = time.perf_counter()
        result = work()
        self.seconds[name] = time.perf_counter() - started
        print(f"  {name:<44} {self.seconds[name]:6.2f} s", flush=True)
        return result


def furnished_room() -> us.Scene:
    """A table and a shelf in the way, a post, and a ball that bobs over the table."""
    bob = Track(
        times_s=[0.0, 1.5, 3.0],
        positions=[[-0.6, 1.2, 2.0], [-0.6, 1.7, 2.0], [-0.6, 1.2, 2.0]],
        loop=True,
    )
    return (
        us.Scene(name="demo")
        .with_object("table", Box(size_m=(1.2, 0.74, 0.8)), position=(-0.6, 0.37, 2.0))
        .with_object("shelf", Box(size_m=(2.0, 1.8, 0.4)), position=(-1.5, 0.9, 4.4))
        .with_object("post", Cylinder(radius_m=0.1, height_m=1.9), position=(0.5, 0.95, 5.0))
        .with_object("ball", Sphere(radius_m=0.14), placement=bob)
    )


def walkers(library: us.Library, scene: us.Scene) -> list[us.Motion]:
    """An adult who walks around the furniture to an exact spot, and the same walk on a child a few steps aside."""
    planned = us.walk(library, scene, start=(0, 0), goal=(-2.5, 5.8))
    if not planned.status or planned.motion is None:
        raise SystemExit(f"no walk found: {planned.reason}")
    adult = planned.motion
    child = us.retarget(adult, adult.skeleton.scaled(0.72)).motion
    aside = us.PlanarTransform(x_m=2.6, z_m=0.4, yaw_rad=math.radians(30))
    return [adult.renamed("anna"), child.placed(aside).renamed("ben")]


def main(folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    stages = Stages()
    print("Understudy demo (the first run compiles its kernels, which takes about a minute)")
    scene = stages.run("furnish a room", furnished_room)
    clips = stages.run("perform walking clips", lambda: us.builtin_clips("walk"))
    library = stages.run("build a motion library of them", lambda: us.build_library(clips))
    people = stages.run("plan a walk, put it on two people", lambda: walkers(library, scene))
    named = [(motion.name, motion) for motion in people]
    report = stages.run("judge both in the room", lambda: us.verify(named, scene))
    stages.run("write demo.glb", lambda: us.save_motion(people, folder / "demo.glb", scene=scene))
    for motion in people:
        stages.run(
            f"write {motion.name}.bvh", lambda motion=motion: us.save_motion(motion, folder / f"{motion.name}.bvh")
        )
    props = scene.props(end_s=people[0].duration_s)
    stages.run("draw demo.png", lambda: show(people, folder / "demo.png", props=props, style="strobe", title="demo"))
    stages.run("draw plan.png", lambda: show(people, folder / "plan.png", props=props, style="top", title="demo"))
    stages.run("make demo.html", lambda: show(people, folder / "demo.html", props=props, title="demo"))
    document = {"verify": report.to_json(), "seconds": stages.seconds}
    (folder / "report.json").write_text(json.dumps(document, indent=2))
    print(report.table())
    print(f"\nresults in {folder}/: open demo.html in a browser, demo.glb in Blender or any glTF viewer")
    return 0 if report.ok else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out/demo"))
    raise SystemExit(main(parser.parse_args().out))
