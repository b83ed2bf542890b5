"""What is asked of ``understudy``, step by step.

A job is a generator: it yields the arguments of a command, is sent the answer, and returns what was found.
Nobody but the one who runs it knows whether that happens in a thread, at once, or in a test.
"""

from __future__ import annotations

import tomllib
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .bvh import Clip, bvh_text, read_bvh
from .carried import Carried, carried
from .command import Answer
from .errors import JobError
from .facing import stands
from .scene_files import write_scene
from .task_text import checked_tasks
from .things import Thing


@dataclass(frozen=True, eq=False)
class Found:
    """The motion a job ends with, and the paths of things that hands have taken meanwhile."""

    clip: Clip
    carried: tuple[Carried, ...] = ()


Job = Generator[list[str], Answer, Found]

#: The add-on knows what it wrote; nothing has to be guessed, and every frame is kept.
_READING = ["--in-units", "m", "--in-up", "y", "--tpose", "keep"]
#: Legs that differ less than this from those of the library walk its paths in its own size.
_SAME_SIZE = 0.01


@dataclass(frozen=True, eq=False)
class Package:
    """What a job works on.

    Attributes:
        folder: For files.
        clip: The armature's motion.
        things: What stands and moves around it.
        character: The armature's name in scene files.
        options: Of every planning command, such as ``["--seed", "1"]``.
    """

    folder: Path
    clip: Clip
    things: Sequence[Thing]
    character: str
    options: Sequence[str] = field(default_factory=tuple)

    def motion(self) -> str:
        """The motion file, written."""
        path = self.folder / "motion.bvh"
        path.write_text(bvh_text(self.clip), encoding="utf-8")
        return str(path)

    def scene(self, tasks: str = "") -> str:
        """The scene file, written."""
        who = self.character if tasks else ""
        path = write_scene(self.folder / "scene.toml", self.things, fps=self.clip.fps, character=who, tasks=tasks)
        return str(path)

    def out(self, name: str) -> str:
        """A file for an answer."""
        return str(self.folder / f"{name}.bvh")


@dataclass(frozen=True)
class Goal:
    """Where a walk ends: floor point [m], heading [deg] unless it does not matter, and whether it ends standing."""

    x: float
    z: float
    heading_deg: float | None = None
    stop: bool = False


def correct(package: Package, limbs: Sequence[str] = ()) -> Job:
    """Plan limbs around what they touch."""
    arguments = ["correct", package.motion(), package.scene(), "-o", package.out("answer"), *_READING, *package.options]
    answer = yield [*arguments, *(word for limb in limbs for word in ("--limb", limb))]
    return Found(_solved(answer))


def reach(package: Package, hand: str, target: str, at_s: float) -> Job:
    """Bring a palm to a target, an object's name or ``x,y,z``, at a time [s]."""
    arguments = ["reach", package.motion(), package.scene(), "-o", package.out("answer"), *_READING, *package.options]
    answer = yield [*arguments, "--hand", hand, f"--target={target}", "--at", f"{at_s:.9f}"]
    return Found(_solved(answer))


def perform(package: Package, tasks: str) -> Job:
    """Do the tasks of a text on top of the motion."""
    scene = package.scene(checked_tasks(tasks, package.character))
    motion = f"{package.character}={package.motion()}"
    answer = yield ["perform", scene, "-o", package.out("answer"), "--motion", motion, *_READING, *package.options]
    clip = _solved(answer)
    after = tomllib.loads(Path(answer.document["scene"]).read_text("utf-8")) if answer.document.get("scene") else {}
    if not after.get("attachment"):
        return Found(clip)
    roles = yield from _roles(answer.document["motion"])
    return Found(clip, tuple(carried(after, clip, roles)))


def walk(package: Package, library: str, goal: Goal) -> Job:
    """Walk from where the body is in the first frame to a goal, on the armature's own legs.

    The library's people may be larger or smaller than the armature. The walk is planned in a scene of their size, so
    that it fits the scene once it is put on the armature; what comes out of that is judged again.
    """
    motion = package.motion()
    size = yield from _size(package, library, motion)
    roles = yield from _roles(motion)
    x, z, heading = stands(package.clip, roles, 0)
    stage = [one.scaled(1.0 / size) for one in package.things]
    scene = write_scene(package.folder / "planning.toml", stage, fps=package.clip.fps)
    places = [f"--start={_spot(x, z, heading, size)}", f"--goal={_spot(goal.x, goal.z, goal.heading_deg, size)}"]
    planned = package.out("planned")
    arguments = ["walk", library, str(scene), *places, "-o", planned, *package.options]
    _solved((yield [*arguments, *(["--stop"] if goal.stop else [])]))
    own = package.out("own")
    _solved((yield ["retarget", planned, "--to", motion, "-o", own, "--scale", f"{size:.9f}"]))
    return (yield from _judged(package, own, package.scene()))


def _spot(x: float, z: float, heading_deg: float | None, size: float) -> str:
    """A floor point in a world that is so many times smaller."""
    return f"{x / size:.9f},{z / size:.9f}" + ("" if heading_deg is None else f",{heading_deg:.6f}")


def _size(package: Package, library: str, motion: str) -> Generator[list[str], Answer, float]:
    """How much larger the armature's legs are than those of the library's people."""
    probe = package.out("probe")
    if library == "builtin":
        yield ["performer", "walk", "-o", probe, "--duration", "4"]
    else:
        _solved((yield ["walk", library, "--start", "0,0", "--goal", "0,1.5", "-o", probe]))
    answer = yield ["retarget", probe, "--to", motion, "-o", package.out("probe-own")]
    size = float(answer.document["stats"]["scale"])
    return 1.0 if abs(size - 1.0) < _SAME_SIZE else size


def _roles(motion: str) -> Generator[list[str], Answer, dict[str, str]]:
    """Humanoid role -> joint name, once it is sure that understudy reads the file as it was meant."""
    answer = yield ["info", motion]
    entry = answer.document["files"][0]
    if abs(float(entry["unit_m"]) - 1.0) > 1e-6:
        raise JobError(
            f"the armature is {entry['height_m'] / entry['unit_m']:.2f} m tall, which is no size of a person; "
            "scale it, or set the scene's unit scale"
        )
    return dict(entry["humanoid"])


def _judged(package: Package, motion: str, scene: str) -> Job:
    """A motion at the scene's frame rate that the judge has passed there."""
    if abs(_read(motion).fps / package.clip.fps - 1.0) > 1e-6:
        resampled = package.out("resampled")
        reading = [*_READING, "--fps", f"{package.clip.fps:.9f}"]
        yield ["convert", motion, resampled, *reading]
        motion = resampled
    answer = yield ["verify", motion, scene, *_READING]
    if not answer.document.get("ok"):
        raise JobError(f"the judge did not pass the walk on this armature: {_broken(answer)}")
    return Found(_read(motion))


def _broken(answer: Answer) -> str:
    """What the judge objects to, in words."""
    document = answer.document
    found = ", ".join(str(one).replace("_", " ") for one in document.get("broken", ())) or "no reason was given"
    worst = (document.get("penetration") or {}).get("worst") or {}
    if worst:
        deep = 1000.0 * float(document["penetration"]["max_depth_m"])
        found += f" ({worst['a']} in {worst['b']} at {worst['time_s']:.2f} s, {deep:.0f} mm)"
    return found


def _read(path: str) -> Clip:
    return read_bvh(Path(path).read_text("utf-8"))


def _solved(answer: Answer) -> Clip:
    """The motion of an answer.

    Raises:
        JobError: There is none, with the reason.
    """
    document = answer.document
    if answer.code or document.get("status") != "solved" or not document.get("motion"):
        raise JobError(str(document.get("reason") or f"no motion was found ({document.get('status', 'no status')})"))
    return _read(str(document["motion"]))
