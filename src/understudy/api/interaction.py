"""``understudy.Interaction``: a session whose outcome the judge can look at, and plays kept in files."""

from __future__ import annotations

from understudy.interaction.session import Session
from understudy.verify.ballistics import Flight
from understudy.verify.bars import Bars
from understudy.verify.judge import verify
from understudy.verify.report import Report


class Interaction(Session):
    """A play under edit, with the judge at hand; see :class:`understudy.interaction.session.Session`."""

    def report(self, *, bars: Bars | None = None) -> Report:
        """The judge's report: exact flights, no ball inside a body, feet where the sources' feet are."""
        scene = self.scene()
        motions = [(person.name, person.world_motion) for person in scene.characters]
        sources = {actor.name: actor.motion for actor in self.play.actors}
        flights = [
            Flight(object=one.ball, times_s=one.times_s, positions=one.positions, mass_kg=one.mass_kg)
            for one in self.flights()
        ]
        bodies = {actor.name: actor.fitted_body for actor in self.play.actors}
        return verify(motions, scene, source=sources, body=bodies, flights=flights, bars=bars)
