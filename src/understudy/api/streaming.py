"""``understudy.stream_walk``: walks that play while they are searched, judged."""

from __future__ import annotations

from collections.abc import Sequence

import numpy.typing as npt

from understudy.api.evidence import takes_walked
from understudy.api.verdict import marked
from understudy.core.motion import Motion
from understudy.core.violations import Violation
from understudy.floor import Floor
from understudy.floor.questions import floor_point
from understudy.library import Library
from understudy.locomotion.completing import completed
from understudy.locomotion.dynamic_scene import DynamicScene
from understudy.locomotion.query import Spot, spot
from understudy.locomotion.stream_options import StreamOptions
from understudy.locomotion.streaming import Gate, WalkStream
from understudy.locomotion.trace import WalkTrace
from understudy.locomotion.trip_search import TripSearch
from understudy.locomotion.walker import walker_of
from understudy.scene.characters import Character
from understudy.scene.scene import Scene
from understudy.typing import IntArray
from understudy.verify.bars import Bars
from understudy.verify.claim import Claim, made_claim
from understudy.verify.goals import FloorGoal, Goal
from understudy.verify.judge import verify

#: Shares of a whole motion: they say nothing about a piece of it.
SHARES = frozenset({"foot_skate_gmd", "foot_skate_kimodo"})


def stream_walk(
    library: Library,
    scene: Scene | None = None,
    *,
    start: Spot | Sequence[float] | npt.ArrayLike,
    goal: Spot | Sequence[float] | npt.ArrayLike,
    via: Sequence[npt.ArrayLike] = (),
    floor: Floor | None = None,
    check: bool = True,
    bars: Bars | None = None,
    options: StreamOptions | None = None,
    name: str = "walker",
) -> WalkStream:
    """Walk to a goal, and play it while the rest is searched.

    Args:
        library: The clips to walk with.
        scene: What stands or moves in the way; ``None`` for nothing. Things and characters that move are avoided when
            and where they are.
        start: ``(x, z)`` [m], ``(x, z, degrees)``, or a :class:`understudy.locomotion.Spot` within a clip.
        goal: ``(x, z)`` [m] or ``(x, z, degrees)``; 0 degrees faces +Z, 90 faces +X.
        via: Points ``(x, z)`` the path leads through.
        floor: The scene's floor, when it was built before; saves building it again.
        check: Whether every piece is judged before it is handed out.
        bars: Bars to clear; the judge's own unless given.
        options: How to search.
        name: Who walks; a character of the scene without a motion, or somebody new.

    Returns:
        A stream of motions: ``for chunk in stream`` or ``async for chunk in stream``. A chunk's first frame follows the
        last one of the chunk before, in the world; no chunk is ever taken back. ``stream.result`` is there when it has
        ended: ``SOLVED`` only when the judge has passed the whole.

    Raises:
        PlanningInputError: A place is no place, or a clip is not in the library.
    """
    begin, end = spot(start, "start"), spot(goal, "goal")
    between = [floor_point(point, f"via {k}") for k, point in enumerate(via)]
    library = completed(library) if begin.still else library
    walker = walker_of(library)
    stage = DynamicScene(walker, scene or Scene(), [begin.point, end.point, *between], floor=floor)
    _ = stage.floor.distances, stage.floor.triangulation, walker.graph, walker.shadows
    search = TripSearch(
        walker=walker, stage=stage, start=begin, goal=end, options=options or StreamOptions(), via=between
    )
    gate = gate_for(library, name, bars=bars) if check else None
    return WalkStream(search, judge=StreamVerdict(library, name, bars), gate=gate, name=name)


class StreamVerdict:
    """Judges whole streamed walks, and remembers the last claim that passed.

    Args:
        library: The clips it walks with.
        name: Who walks.
        bars: Bars to clear; the judge's own unless given.
    """

    def __init__(self, library: Library, name: str, bars: Bars | None = None) -> None:
        self._library, self._name, self._bars = library, name, bars
        self.claim: Claim | None = None

    def __call__(
        self, motion: Motion, trace: WalkTrace, scene: Scene | None, start_s: float = 0.0
    ) -> Sequence[Violation]:
        """What is wrong with a walk that begins at a time; empty when nothing is."""
        name = self._name
        goal = FloorGoal(position=trace.goal.position, heading_rad=trace.goal.heading_rad, character=name)
        takes = takes_walked(self._library, trace.nodes)
        claim = stream_claim(takes, name, motion, cast(scene, name, start_s), goals=[goal], bars=self._bars)
        report = verify(claim)
        if report.ok:
            self.claim = marked(claim)
        return report.violations


def gate_for(library: Library, name: str, *, bars: Bars | None = None) -> Gate:
    """The judge of pieces, before they are handed out: everything a piece can break by itself, others included."""

    def gate(piece: Motion, nodes: IntArray, time_s: float, scene: Scene | None) -> Sequence[Violation]:
        staged = cast(_until(scene, time_s + piece.duration_s), name, time_s)
        report = verify(stream_claim(takes_walked(library, nodes), name, piece, staged, bars=bars))
        return [one for one in report.violations if one.kind not in SHARES]

    return gate


def cast(scene: Scene | None, name: str, start_s: float) -> Scene:
    """The scene with somebody in it who begins at a time and has no motion yet."""
    scene = scene or Scene()
    if any(person.name == name for person in scene.characters):
        scene = scene.without(name)
    return scene.with_character(Character(name=name, start_s=start_s))


def stream_claim(
    takes: Sequence[Motion],
    name: str,
    motion: Motion,
    scene: Scene,
    *,
    goals: Sequence[Goal] = (),
    bars: Bars | None = None,
) -> Claim:
    """What a streamed walk, or a piece of one, claims."""
    return made_claim(name, motion, scene, evidence=takes, goals=goals, bars=bars)


def _until(scene: Scene | None, end_s: float) -> Scene | None:
    """The scene with everybody's motion until a time: what they do after a piece is not the piece's affair."""
    for person in () if scene is None else scene.characters:
        if scene is None or person.motion is None or person.end_s <= end_s:
            continue
        motion = person.world_motion
        count = min(max(int((end_s - person.start_s) * motion.fps) + 1, 1), len(motion))
        scene = scene.with_motion(person.name, motion.frames(0, count), start_s=person.start_s)
    return scene
