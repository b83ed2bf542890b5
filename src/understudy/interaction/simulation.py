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
from understudy.interaction.meetings import Meetings
from understudy.interaction.play import End, Hold, Knock, Play, Start, Touch, Way
from understudy.interaction.projectiles import Cue, Projectile, Simulated, fallen, momentum, pointing
from understudy.interaction.simulated_scene import SimulatedScene
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
        self.scene = SimulatedScene(play, until_s, controls)
        self.play, self.until, self.controls = play, self.scene.until, controls
        self.notes: list[str] = []
        self.turning = any(cue.ball.length_m > 0.0 for cue in cues)
        self.meetings = Meetings(self.scene, rubs=self.turning)
        self.projectiles = [self._launched(cue) for cue in cues]

    def _launched(self, cue: Cue) -> Projectile:
        projectile = Projectile(cue, [], 0.0, np.zeros(3), np.zeros(3), np.zeros(3), list(cue.catches))
        if isinstance(cue.first, Start):
            first = cue.first
            projectile.time, projectile.place = first.time_s, np.array(first.position, dtype=np.float64)
            projectile.velocity, projectile.spin = (
                np.array(first.velocity, dtype=np.float64),
                np.array(first.spin, dtype=float),
            )
            projectile.legs.append(first)
            if projectile.rod:
                projectile.axis = np.array(first.axis, dtype=np.float64) / np.linalg.norm(first.axis)
                projectile.spin = momentum(cue.ball, projectile.spin, projectile.axis)
            self._check_outside(projectile)
        else:
            if cue.first.release_s is None:
                raise PlanningInputError(f'ball "{cue.ball.name}": its first hold never lets go')
            self._release(projectile, cue.first)
        return projectile

    def _check_outside(self, projectile: Projectile) -> None:
        for part in (*self.scene.parts, *self.scene.still):
            gap = self.meetings.gap(projectile, part, projectile.time)
            if gap < -1e-6:
                raise PlanningInputError(
                    f'ball "{projectile.cue.ball.name}" begins {1000 * -gap:.1f} mm inside {part} '
                    f"at {projectile.time:.2f} s"
                )

    def run(self) -> Simulated:
        """Handle contacts in order of time."""
        for projectile in self.projectiles:
            projectile.hit = self._next_hit(projectile)
        for _ in range(10_000):
            knock = self._first_knock()
            hits = [projectile for projectile in self.projectiles if not projectile.done and projectile.hit is not None]
            soonest = min(hits, key=lambda one: one.hit[0], default=None)  # type: ignore[index]
            if knock is not None and (soonest is None or knock[0] < soonest.hit[0]):  # type: ignore[index]
                self._knock(*knock)
            elif soonest is not None:
                self._meet(soonest)
            else:
                break
        for projectile in self.projectiles:
            self._finish(projectile)
        ways = tuple(Way(ball=projectile.cue.ball, legs=tuple(projectile.legs)) for projectile in self.projectiles)
        play = Play(actors=self.play.actors, ways=ways, scene=self.play.scene)
        system = System(play)
        unknowns = np.concatenate([np.zeros(system.control_count), system.layout.values])
        if self.controls is not None:
            unknowns[: system.control_count] = self.controls
        return Simulated(play=play, unknowns=system.spun(unknowns), notes=tuple(self.notes))

    def _finish(self, projectile: Projectile) -> None:
        name = projectile.cue.ball.name
        if projectile.catches:
            self.notes.append(f"{name} never met {projectile.catches[0].part}, which was to catch it")
        last = projectile.legs[-1]
        if isinstance(last, Hold) and last.release_s is None:
            return
        end = max(self.until, projectile.time + 1e-3)
        axis = pointing(projectile, np.array([end]))[0] if self.turning else None
        projectile.legs.append(End(time_s=end, position=fallen(projectile, end)[0], axis=axis))

    # Finding contacts.

    def _next_hit(self, projectile: Projectile) -> tuple[float, str, Node] | None:
        if projectile.done:
            return None
        hit = self.meetings.next_hit(projectile)
        return None if hit is None else (*hit, self.scene.node(hit[1]))

    def _first_knock(self) -> tuple[float, Projectile, Projectile] | None:
        """The first meeting of two balls that fly; their way relative to each other is straight."""
        best: tuple[float, Projectile, Projectile] | None = None
        flying = [one for one in self.projectiles if not one.done]
        for k, one in enumerate(flying):
            for two in flying[k + 1 :]:
                time = self._knock_time(one, two)
                last = min(
                    [self.until, *(projectile.hit[0] for projectile in (one, two) if projectile.hit is not None)]
                )
                time = time if time is not None and time < last else None
                if time is not None and (best is None or time < best[0]):
                    best = (time, one, two)
        return best

    def _knock_time(self, one: Projectile, two: Projectile) -> float | None:
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

    def _meet(self, projectile: Projectile) -> None:
        assert projectile.hit is not None
        time, part, node = projectile.hit
        place, _ = fallen(projectile, time)
        origin, turn, *_ = self.scene.frame(node, time)
        inside = turn.T @ (place - origin)
        if projectile.catches and projectile.catches[0].part == part:
            self._catch(projectile, time, inside)
            return
        ball = projectile.cue.ball
        axis = self._lies(projectile, node, time)
        after = self.meetings.struck(projectile, part, time)
        rate = self.meetings.rate(projectile, part, time)
        if -rate * ball.restitution < REST_MPS and node.player < 0:
            projectile.legs.append(Hold(part=part, catch_s=time, grip=inside, loose=True, axis=axis))
            projectile.done, projectile.hit = True, None
            self.notes.append(f"{ball.name} comes to rest on {part} at {time:.3f} s")
            return
        projectile.legs.append(Touch(part=part, time_s=time, point=inside, axis=axis))
        projectile.axis = pointing(projectile, np.array([time]))[0]
        projectile.time, projectile.place = time, place
        projectile.velocity, projectile.spin = after
        projectile.hit = self._next_hit(projectile)

    def _lies(self, projectile: Projectile, node: Node, time: float) -> FloatArray | None:
        """A capsule's axis in a surface's frame."""
        if not self.turning:
            return None
        return np.asarray(self.scene.frame(node, time)[1].T @ pointing(projectile, np.array([time]))[0])

    def _catch(self, projectile: Projectile, time: float, inside: FloatArray) -> None:
        hold = projectile.catches.pop(0)
        axis = self._lies(projectile, self.scene.node(hold.part), time)
        caught = Hold(part=hold.part, catch_s=time, release_s=hold.release_s, grip=inside, loose=True, axis=axis)
        if hold.release_s is None:
            projectile.legs.append(caught)
            projectile.done, projectile.hit = True, None
            return
        if hold.release_s <= time:
            raise PlanningInputError(
                f'ball "{projectile.cue.ball.name}" is to leave {hold.part} at {hold.release_s:.3f} s, '
                f"but comes only at {time:.3f} s"
            )
        self._release(projectile, caught)
        projectile.hit = self._next_hit(projectile)

    def _release(self, projectile: Projectile, hold: Hold) -> None:
        """Fly on from a hand with its velocity."""
        assert hold.release_s is not None
        player, joint, piece = self.play.surface_of(hold.part)
        if player < 0:
            raise PlanningInputError(f'only a body part can hold a ball; got "{hold.part}"')
        grip = hold.grip
        if grip is None:
            grip = default_grip(self.play, player, piece, projectile.cue.ball.radius_m)
        jets = self.scene.jets[player]
        jet(self.scene.players[player], hold.release_s, joint, np.asarray(grip, dtype=np.float64), jets, 0)
        projectile.time, projectile.place = hold.release_s, jets.place[0].copy()
        projectile.velocity, projectile.spin = jets.velocity[0].copy(), jets.spin[0].copy()
        if self.turning:
            own = axis_in(self.play.actors[player], piece) if hold.axis is None else np.asarray(hold.axis)
            projectile.axis = jets.frame[0] @ own / np.linalg.norm(own)
            projectile.spin = momentum(projectile.cue.ball, projectile.spin, projectile.axis)
        projectile.legs.append(hold)

    def _knock(self, time: float, one: Projectile, two: Projectile) -> None:
        after = (self.meetings.knocked(one, two, time), self.meetings.knocked(two, one, time))
        for projectile, other, (velocity, spin) in ((one, two, after[0]), (two, one, after[1])):
            place, _ = fallen(projectile, time)
            projectile.axis = pointing(projectile, np.array([time]))[0]
            axis = projectile.axis if self.turning else None
            projectile.legs.append(Knock(other=other.cue.ball.name, time_s=time, position=place, axis=axis))
            projectile.time, projectile.place, projectile.velocity, projectile.spin = time, place, velocity, spin
        for projectile in (one, two):
            projectile.hit = self._next_hit(projectile)
