"""``understudy.Interaction``: a session whose outcome the judge looks at, and its way into files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from understudy.api.verdict import marked
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.formats.registry import format_of, save_motion
from understudy.interaction.session import Session
from understudy.typing import PathLike
from understudy.verify.ballistics import Flight
from understudy.verify.bars import Bars
from understudy.verify.claim import Claim
from understudy.verify.judge import verify
from understudy.verify.report import Report


class Interaction(Session):
    """A play under edit, with the judge at hand; see :class:`understudy.interaction.session.Session`."""

    def report(self, *, bars: Bars | None = None) -> Report:
        """The judge's report: exact flights, no ball inside a body, feet where the sources' feet are."""
        return verify(self.claim(bars=bars))

    def claim(self, *, bars: Bars | None = None) -> Claim:
        """What the play claims: everybody's motion, made from their recorded sources, and every flight."""
        scene = self.scene()
        flights = [
            Flight(object=one.ball, times_s=one.times_s, positions=one.positions, mass_kg=one.mass_kg)
            for one in self.flights()
        ]
        claim = Claim(
            motions=tuple((person.name, person.world_motion) for person in scene.characters),
            scene=scene,
            evidence={actor.name: tuple(actor.sources) for actor in self.play.actors},
            activity="sport",
            bodies={actor.name: actor.fitted_body for actor in self.play.actors},
            flights=tuple(flights),
            bars=bars or Bars(),
        )
        return marked(claim)


def save_interaction(session: Session, path: PathLike, *, fps: float | None = None) -> list[Path]:
    """Write people and balls.

    GLB and USD hold everything in one file. BVH holds one skeleton a file: one file for each person and, with a
    single joint, for each ball (``out.anna.bvh``, ``out.ball0.bvh``), unless there is only one person and no ball.

    Args:
        session: What to write.
        path: Its ending chooses the format.
        fps: Frames per second; the motions' own unless given.

    Returns:
        The files written.
    """
    target = Path(path)
    motions = {name: motion.renamed(name) for name, motion in session.motions(fps=fps).items()}
    if isinstance(session, Interaction):
        return _certified(session, motions, target, fps)
    if format_of(target).together:
        return [save_motion(list(motions.values()), target, scene=session.scene(fps=fps))]
    for way in session.play.ways:
        motions[way.ball.name] = _ball_motion(session, way.ball.name, next(iter(motions.values())))
    if len(motions) == 1:
        return [save_motion(next(iter(motions.values())), target)]
    return [
        save_motion(motion, target.with_name(f"{target.stem}.{name}{target.suffix}"))
        for name, motion in motions.items()
    ]


def _certified(session: Interaction, motions: dict[str, Motion], target: Path, fps: float | None) -> list[Path]:
    """Files with certificates; balls that need files of their own claim nothing."""
    from understudy.api.saving import save

    claim = marked(replace(session.claim(), motions=tuple(motions.items()), scene=session.scene(fps=fps)))
    balls = () if format_of(target).together else session.play.ways
    alone = len(motions) == 1 and balls
    name = next(iter(motions))
    place = target.with_name(f"{target.stem}.{name}{target.suffix}") if alone else target
    files = list(dict.fromkeys(save(claim, place).files.values()))
    for way in balls:
        ball = _ball_motion(session, way.ball.name, motions[name])
        files.append(save_motion(ball, target.with_name(f"{target.stem}.{way.ball.name}{target.suffix}")))
    return files


def _ball_motion(session: Session, ball: str, like: Motion) -> Motion:
    """A ball as a skeleton of one joint."""
    skeleton = Skeleton(names=(ball,), parents=np.array([-1]), offsets=np.zeros((1, 3)))
    turns = np.zeros((len(like), 1, 4))
    turns[..., 0] = 1.0
    places = session.ball_track(ball, like.times_s)
    return Motion(skeleton=skeleton, fps=like.fps, root_positions=places, rotations=turns, name=ball)
