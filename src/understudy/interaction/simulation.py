"""Forward simulation: exact parabolas between contacts found one by one.

What it finds is written as a play whose arcs fit to rounding, so that states at any time and their derivatives by all
controls come from the same equations that edits use (``sensitivity``).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy.errors import PlanningInputError
from understudy.interaction._curve_kernels import jet
from understudy.interaction.contact_places import Node, axis_in, default_grip
from understudy.interaction.flyers import Cue, Flyer, Simulated, fallen, momentum, pointing
from understudy.interaction.meetings import Meetings
from understudy.interaction.play import End, Hold, Knock, Play, Start, Touch, Way
from understudy.interaction.stage import Stage
from understudy.interaction.system import System
from understudy.typing import FloatArray

#: [m/s] a ball that would leave a still surface slower than this stays there.
REST_MPS = 0.02


def simulate(
    play: Play, cues: Sequence[Cue], *, until_s: float | None = None, controls: FloatArray | None = None
) -> Simulated:
    """Let balls fly, bounce and be caught.

    Args:
        play: Actors and scene; its ways are not used.
        cues: The balls.
        until_s: When to stop [s]; the end of the shortest motion unless given.
        controls: Control points and blend weights of all actors, one after the other; all zero unless given.

    Raises:
        PlanningInputError: A ball begins inside something, or a cue contradicts itself.
    """
    return Simulator(play, cues, until_s, controls).run()


class Simulator:
    """State of one simulation."""

    def __init__(self, play: Play, cues: Sequence[Cue], until_s: float | None, controls: FloatArray | None) -> None:
        self.stage = Stage(play, until_s, controls)
        self.play, self.until, self.controls = play, self.stage.until, controls
        self.notes: list[str] = []
        self.turning = any(cue.ball.length_m > 0.0 for cue in cues)
        self.meetings = Meetings(self.stage, rubs=self.turning)
        self.flyers = [self._launched(cue) for cue in cues]

    def _launched(self, cue: Cue) -> Flyer:
        flyer = Flyer(cue, [], 0.0, np.zeros(3), np.zeros(3), np.zeros(3), list(cue.catches))
        if isinstance(cue.first, Start):
            first = cue.first
            flyer.time, flyer.place = first.time_s, np.array(first.position, dtype=np.float64)
            flyer.velocity, flyer.spin = np.array(first.velocity, dtype=np.float64), np.array(first.spin, dtype=float)
            flyer.legs.append(first)
            if flyer.rod:
                flyer.axis = np.array(first.axis, dtype=np.float64) / np.linalg.norm(first.axis)
                flyer.spin = momentum(cue.ball, flyer.spin, flyer.axis)
            self._check_outside(flyer)
        else:
            if cue.first.release_s is None:
                raise PlanningInputError(f'ball "{cue.ball.name}": its first hold never lets go')
            self._release(flyer, cue.first)
        return flyer

    def _check_outside(self, flyer: Flyer) -> None:
        for part in (*self.stage.parts, *self.stage.still):
            gap = self.meetings.gap(flyer, part, flyer.time)
            if gap < -1e-6:
                raise PlanningInputError(
                    f'ball "{flyer.cue.ball.name}" begins {1000 * -gap:.1f} mm inside {part} at {flyer.time:.2f} s'
                )

    def run(self) -> Simulated:
        """Handle contacts in order of time."""
        for flyer in self.flyers:
            flyer.hit = self._next_hit(flyer)
        for _ in range(10_000):
            knock = self._first_knock()
            hits = [flyer for flyer in self.flyers if not flyer.done and flyer.hit is not None]
            soonest = min(hits, key=lambda one: one.hit[0], default=None)  # type: ignore[index]
            if knock is not None and (soonest is None or knock[0] < soonest.hit[0]):  # type: ignore[index]
                self._knock(*knock)
            elif soonest is not None:
                self._meet(soonest)
            else:
                break
        for flyer in self.flyers:
            self._finish(flyer)
        ways = tuple(Way(ball=flyer.cue.ball, legs=tuple(flyer.legs)) for flyer in self.flyers)
        play = Play(actors=self.play.actors, ways=ways, scene=self.play.scene)
        system = System(play)
        unknowns = np.concatenate([np.zeros(system.control_count), system.layout.values])
        if self.controls is not None:
            unknowns[: system.control_count] = self.controls
        return Simulated(play=play, unknowns=system.spun(unknowns), notes=tuple(self.notes))

    def _finish(self, flyer: Flyer) -> None:
        name = flyer.cue.ball.name
        if flyer.catches:
            self.notes.append(f"{name} never met {flyer.catches[0].part}, which was to catch it")
        last = flyer.legs[-1]
        if isinstance(last, Hold) and last.release_s is None:
            return
        end = max(self.until, flyer.time + 1e-3)
        axis = pointing(flyer, np.array([end]))[0] if self.turning else None
        flyer.legs.append(End(time_s=end, position=fallen(flyer, end)[0], axis=axis))

    # Finding contacts.

    def _next_hit(self, flyer: Flyer) -> tuple[float, str, Node] | None:
        if flyer.done:
            return None
        hit = self.meetings.next_hit(flyer)
        return None if hit is None else (*hit, self.stage.node(hit[1], flyer.cue.ball))

    def _first_knock(self) -> tuple[float, Flyer, Flyer] | None:
        """The first meeting of two balls that fly; their way relative to each other is straight."""
        best: tuple[float, Flyer, Flyer] | None = None
        flying = [one for one in self.flyers if not one.done]
        for k, one in enumerate(flying):
            for two in flying[k + 1 :]:
                time = self._knock_time(one, two)
                last = min([self.until, *(flyer.hit[0] for flyer in (one, two) if flyer.hit is not None)])
                time = time if time is not None and time < last else None
                if time is not None and (best is None or time < best[0]):
                    best = (time, one, two)
        return best

    def _knock_time(self, one: Flyer, two: Flyer) -> float | None:
        if one.rod or two.rod:
            return self.meetings.knock_time(one, two)
        start = max(one.time, two.time)
        (a, va), (b, vb) = fallen(one, start), fallen(two, start)
        apart, rate = a - b, va - vb
        reach = one.cue.ball.radius_m + two.cue.ball.radius_m
        c, h, k = apart @ apart - reach**2, apart @ rate, rate @ rate
        if h >= 0.0 or h * h - k * c < 0.0 or c < -1e-9:
            return None
        return start + float(c / (-h + np.sqrt(h * h - k * c)))

    # What contacts do.

    def _meet(self, flyer: Flyer) -> None:
        assert flyer.hit is not None
        time, part, node = flyer.hit
        place, _ = fallen(flyer, time)
        origin, turn, *_ = self.stage.frame(node, time)
        inside = turn.T @ (place - origin)
        if flyer.catches and flyer.catches[0].part == part:
            self._catch(flyer, time, inside)
            return
        ball = flyer.cue.ball
        axis = self._lies(flyer, node, time)
        after = self.meetings.struck(flyer, part, time)
        rate = self.meetings.rate(flyer, part, time)
        if -rate * ball.restitution < REST_MPS and node.player < 0:
            flyer.legs.append(Hold(part=part, catch_s=time, grip=inside, loose=True, axis=axis))
            flyer.done, flyer.hit = True, None
            self.notes.append(f"{ball.name} comes to rest on {part} at {time:.3f} s")
            return
        flyer.legs.append(Touch(part=part, time_s=time, point=inside, axis=axis))
        flyer.axis = pointing(flyer, np.array([time]))[0]
        flyer.time, flyer.place = time, place
        flyer.velocity, flyer.spin = after
        flyer.hit = self._next_hit(flyer)

    def _lies(self, flyer: Flyer, node: Node, time: float) -> FloatArray | None:
        """A capsule's axis in a surface's frame."""
        if not self.turning:
            return None
        return np.asarray(self.stage.frame(node, time)[1].T @ pointing(flyer, np.array([time]))[0])

    def _catch(self, flyer: Flyer, time: float, inside: FloatArray) -> None:
        hold = flyer.catches.pop(0)
        axis = self._lies(flyer, self.stage.node(hold.part, flyer.cue.ball), time)
        caught = Hold(part=hold.part, catch_s=time, release_s=hold.release_s, grip=inside, loose=True, axis=axis)
        if hold.release_s is None:
            flyer.legs.append(caught)
            flyer.done, flyer.hit = True, None
            return
        if hold.release_s <= time:
            raise PlanningInputError(
                f'ball "{flyer.cue.ball.name}" is to leave {hold.part} at {hold.release_s:.3f} s, '
                f"but comes only at {time:.3f} s"
            )
        self._release(flyer, caught)
        flyer.hit = self._next_hit(flyer)

    def _release(self, flyer: Flyer, hold: Hold) -> None:
        """Fly on from a hand with its velocity."""
        assert hold.release_s is not None
        player, joint, piece = self.play.surface_of(hold.part)
        if player < 0:
            raise PlanningInputError(f'only a body part can hold a ball; got "{hold.part}"')
        grip = hold.grip
        if grip is None:
            grip = default_grip(self.play, player, piece, flyer.cue.ball.radius_m)
        jets = self.stage.jets[player]
        jet(self.stage.players[player], hold.release_s, joint, np.asarray(grip, dtype=np.float64), jets, 0)
        flyer.time, flyer.place = hold.release_s, jets.place[0].copy()
        flyer.velocity, flyer.spin = jets.velocity[0].copy(), jets.spin[0].copy()
        if self.turning:
            own = axis_in(self.play.actors[player], piece) if hold.axis is None else np.asarray(hold.axis)
            flyer.axis = jets.frame[0] @ own / np.linalg.norm(own)
            flyer.spin = momentum(flyer.cue.ball, flyer.spin, flyer.axis)
        flyer.legs.append(hold)

    def _knock(self, time: float, one: Flyer, two: Flyer) -> None:
        after = (self.meetings.knocked(one, two, time), self.meetings.knocked(two, one, time))
        for flyer, other, (velocity, spin) in ((one, two, after[0]), (two, one, after[1])):
            place, _ = fallen(flyer, time)
            flyer.axis = pointing(flyer, np.array([time]))[0]
            axis = flyer.axis if self.turning else None
            flyer.legs.append(Knock(other=other.cue.ball.name, time_s=time, position=place, axis=axis))
            flyer.time, flyer.place, flyer.velocity, flyer.spin = time, place, velocity, spin
        for flyer in (one, two):
            flyer.hit = self._next_hit(flyer)
