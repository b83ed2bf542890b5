"""Forward simulation: exact parabolas between contacts found one by one.

What it finds is written as a play whose arcs fit to rounding, so that states at any time and their derivatives by all
controls come from the same equations that edits use (``sensitivity``).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy.errors import PlanningInputError
from understudy.interaction._curve_kernels import jet
from understudy.interaction._impact_kernels import Law, impact
from understudy.interaction._scan_kernels import capsule_track, first_meeting, still_meeting
from understudy.interaction._surface_kernels import surface
from understudy.interaction.contact_places import Node, default_grip, put_surface
from understudy.interaction.flyers import Cue, Flyer, Simulated, fallen
from understudy.interaction.jets import new_jets
from understudy.interaction.play import FLOOR, Ball, End, Hold, Knock, Play, Start, Touch, Way
from understudy.interaction.system import System, players_with
from understudy.typing import FloatArray

#: [1/s] grid on which contacts are looked for before they are found exactly.
SCAN_HZ = 240.0
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
    return _Simulator(play, cues, until_s, controls).run()


class _Simulator:
    """State of one simulation."""

    def __init__(self, play: Play, cues: Sequence[Cue], until_s: float | None, controls: FloatArray | None) -> None:
        self.play = play
        self.controls = controls
        self.players = players_with(play, controls)
        self.until = play.duration_s if until_s is None else min(until_s, play.duration_s)
        count = round(self.until * SCAN_HZ) + 2
        self.grid = np.arange(count) / SCAN_HZ
        self.notes: list[str] = []
        self._surfaces()
        self.jets = [new_jets(1, one.chains.shape[1], len(one.weights)) for one in self.players]
        self.law = Law(np.empty((2, 3)), np.empty((5, 2, 3, 3)), np.empty((2, 3)))
        self.flyers = [self._launched(cue) for cue in cues]

    def _surfaces(self) -> None:
        """All capsules of bodies and implements over the grid, and the nodes of all still surfaces."""
        parts, tracks, radii = [], [], []
        for number, actor in enumerate(self.play.actors):
            names = [*actor.fitted_body.capsule_names, *(one.name for one in actor.implements)]
            found = [actor.part(name) for name in names]
            joints = np.array([one[0] for one in found], dtype=np.int64)
            starts, ends = np.array([one[1] for one in found]), np.array([one[2] for one in found])
            track = np.empty((len(self.grid), len(found), 2, 3))
            capsule_track(self.players[number], self.grid, joints, starts, ends, track)
            tracks.append(track)
            radii += [one[3] for one in found]
            parts += [f"{actor.name}.{name}" for name in names]
        self.parts, self.radii = parts, np.array(radii)
        self.track = np.ascontiguousarray(np.concatenate(tracks, axis=1))
        self.still = [FLOOR] if self.play.scene.floor else []
        self.still += [thing.name for thing in self.play.scene.objects]

    def _launched(self, cue: Cue) -> Flyer:
        flyer = Flyer(cue, [], 0.0, np.zeros(3), np.zeros(3), np.zeros(3), list(cue.catches))
        if isinstance(cue.first, Start):
            first = cue.first
            flyer.time, flyer.place = first.time_s, np.array(first.position, dtype=np.float64)
            flyer.velocity, flyer.spin = np.array(first.velocity, dtype=np.float64), np.array(first.spin, dtype=float)
            flyer.legs.append(first)
            self._check_outside(flyer)
        else:
            if cue.first.release_s is None:
                raise PlanningInputError(f'ball "{cue.ball.name}": its first hold never lets go')
            self._release(flyer, cue.first)
        return flyer

    def _check_outside(self, flyer: Flyer) -> None:
        for part in (*self.parts, *self.still):
            gap, *_ = self._gap(flyer, self._node(part, flyer.cue.ball), flyer.time)
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
        flyer.legs.append(End(time_s=end, position=fallen(flyer, end)[0]))

    # Finding contacts.

    def _node(self, part: str, ball: Ball) -> Node:
        player, joint, piece = self.play.surface_of(part)
        node = Node(label=part, time=0.0, point=np.zeros(3), player=player, joint=joint)
        put_surface(self.play, node, piece, ball.radius_m)
        return node

    def _gap(self, flyer: Flyer, node: Node, time: float) -> tuple[float, float, FloatArray, FloatArray, FloatArray]:
        """Gap to a surface [m], its rate [m/s], the ball's centre in the surface's frame, world normal, velocity."""
        place, velocity = fallen(flyer, time)
        origin, turn, moving, spin = self._frame(node, time)
        inside = turn.T @ (place - origin)
        normal, bend = np.empty(3), np.empty((3, 3))
        gap = surface(node.surface, node.shape, inside, normal, bend)
        world = turn @ normal
        at = moving + np.cross(spin, place - origin)
        return gap, float(world @ (velocity - at)), inside, world, at

    def _frame(self, node: Node, time: float) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        if node.player < 0:
            return node.still_place, node.still_turn, np.zeros(3), np.zeros(3)
        jets = self.jets[node.player]
        jet(self.players[node.player], time, node.joint, np.zeros(3), jets, 0)
        return jets.place[0].copy(), jets.frame[0].copy(), jets.velocity[0].copy(), jets.spin[0].copy()

    def _next_hit(self, flyer: Flyer) -> tuple[float, str, Node] | None:
        if flyer.done:
            return None
        radii = self.radii + flyer.cue.ball.radius_m
        interval, capsule = first_meeting(self.grid, self.track, radii, flyer.place, flyer.velocity, flyer.time)
        found: list[tuple[float, str, Node]] = []
        if capsule >= 0:
            node = self._node(self.parts[capsule], flyer.cue.ball)
            low, high = max(flyer.time, float(self.grid[max(interval, 0)])), float(self.grid[interval + 1])
            found.append((self._root(flyer, node, low, high), self.parts[capsule], node))
        limit = found[0][0] if found else self.until
        for part in self.still:
            hit = self._still_hit(flyer, part, limit)
            if hit is not None:
                found.append(hit)
        best = min(found, key=lambda one: one[0], default=None)
        return None if best is None or best[0] > self.until else best

    def _still_hit(self, flyer: Flyer, part: str, limit: float) -> tuple[float, str, Node] | None:
        node = self._node(part, flyer.cue.ball)
        step = 1.0 / SCAN_HZ
        flight = np.stack([flyer.place, flyer.velocity])
        time = still_meeting(
            node.surface, node.shape, node.still_place, node.still_turn, flight, flyer.time, limit, step
        )
        if time < 0.0:
            return None
        return self._root(flyer, node, max(flyer.time, time - step), time), part, node

    def _root(self, flyer: Flyer, node: Node, low: float, high: float) -> float:
        """The time of contact, by Newton's method kept within its bracket."""
        time = high
        for _ in range(60):
            gap, rate, *_ = self._gap(flyer, node, time)
            if gap > 0.0:
                low = time
            else:
                high = time
            newton = time - gap / rate if rate < -1e-9 else low - 1.0
            following = newton if low < newton < high else 0.5 * (low + high)
            if abs(following - time) < 1e-15 * max(1.0, time):
                break
            time = following
        return time

    def _first_knock(self) -> tuple[float, Flyer, Flyer] | None:
        """The first meeting of two balls that fly; their way relative to each other is straight."""
        best: tuple[float, Flyer, Flyer] | None = None
        flying = [one for one in self.flyers if not one.done]
        for k, one in enumerate(flying):
            for two in flying[k + 1 :]:
                time = self._knock_time(one, two)
                if time is not None and (best is None or time < best[0]):
                    best = (time, one, two)
        return best

    def _knock_time(self, one: Flyer, two: Flyer) -> float | None:
        start = max(one.time, two.time)
        (a, va), (b, vb) = fallen(one, start), fallen(two, start)
        apart, rate = a - b, va - vb
        reach = one.cue.ball.radius_m + two.cue.ball.radius_m
        c, h, k = apart @ apart - reach**2, apart @ rate, rate @ rate
        if h >= 0.0 or h * h - k * c < 0.0 or c < -1e-9:
            return None
        time = start + float(c / (-h + np.sqrt(h * h - k * c)))
        last = min([self.until, *(flyer.hit[0] for flyer in (one, two) if flyer.hit is not None)])
        return time if time < last else None

    # What contacts do.

    def _meet(self, flyer: Flyer) -> None:
        assert flyer.hit is not None
        time, part, node = flyer.hit
        _, rate, inside, normal, at = self._gap(flyer, node, time)
        if flyer.catches and flyer.catches[0].part == part:
            self._catch(flyer, time, inside)
            return
        place, velocity = fallen(flyer, time)
        ball = flyer.cue.ball
        spin = self._frame(node, time)[3]
        state = np.stack([velocity, flyer.spin, at, spin, normal])
        impact(state, ball.restitution, ball.friction, ball.inertia, ball.radius_m, self.law)
        if -rate * ball.restitution < REST_MPS and node.player < 0:
            flyer.legs.append(Hold(part=part, catch_s=time, grip=inside, loose=True))
            flyer.done, flyer.hit = True, None
            self.notes.append(f"{ball.name} comes to rest on {part} at {time:.3f} s")
            return
        flyer.legs.append(Touch(part=part, time_s=time, point=inside))
        flyer.time, flyer.place = time, place
        flyer.velocity, flyer.spin = self.law.out[0].copy(), self.law.out[1].copy()
        flyer.hit = self._next_hit(flyer)

    def _catch(self, flyer: Flyer, time: float, inside: FloatArray) -> None:
        hold = flyer.catches.pop(0)
        caught = Hold(part=hold.part, catch_s=time, release_s=hold.release_s, grip=inside, loose=True)
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
        jets = self.jets[player]
        jet(self.players[player], hold.release_s, joint, np.asarray(grip, dtype=np.float64), jets, 0)
        flyer.time, flyer.place = hold.release_s, jets.place[0].copy()
        flyer.velocity, flyer.spin = jets.velocity[0].copy(), jets.spin[0].copy()
        flyer.legs.append(hold)

    def _knock(self, time: float, one: Flyer, two: Flyer) -> None:
        (a, va), (b, vb) = fallen(one, time), fallen(two, time)
        normal = (a - b) / np.linalg.norm(a - b)
        m1, m2 = one.cue.ball.mass_kg, two.cue.ball.mass_kg
        speed = float((va - vb) @ normal)
        for flyer, other, place, velocity, share, sign in (
            (one, two, a, va, m2 / (m1 + m2), 1.0),
            (two, one, b, vb, m1 / (m1 + m2), -1.0),
        ):
            flyer.legs.append(Knock(other=other.cue.ball.name, time_s=time, position=place))
            flyer.time, flyer.place = time, place
            flyer.velocity = velocity - sign * (1.0 + flyer.cue.ball.restitution) * share * speed * normal
        for flyer in (one, two):
            flyer.hit = self._next_hit(flyer)
