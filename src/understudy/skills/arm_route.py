"""A way for an arm through time, clear of a moving door, walls and the own body.

First, every tenth of a second the arm takes one of some postures (its own in the walk, hanging, with the hand somewhere
around the trunk, off a lever) by dynamic programming; then the way is bent, by dynamic programming over small changes
of every posture at once, until nothing is too near and no joint too fast. Distances are exact. Where a hand is bound
(on a lever) the posture is given.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.core.editing import smoothstep
from understudy.limbs.space import LimbSpace, limb_space
from understudy.performer.actions.figure import Figure
from understudy.performer.smooth_way import KNOWN, smooth_way
from understudy.performer.smoothing import gaussian
from understudy.skills.arm_postures import around
from understudy.skills.arm_room import ArmRoom
from understudy.typing import FloatArray, IntArray

#: [s] between moments at which the arm decides.
_EVERY_S = 0.1
#: [s] after letting go in which the arm is looked at twice as often.
_CLOSE_S = 0.7
#: [s] smoothing of a way.
_SMOOTH_S = 0.12
#: [m] gap that is wanted, and least gap; [rad/s] speed of a joint beyond which a way is dear.
_WANTED_M, _LEAST_M, _FAST_RADPS = 0.03, 0.008, 2.0
#: What turning costs: squared angle over time; and what corners in a way cost.
_TURNING, _STIFF = 0.4, 8.0
#: [rad] sizes of the changes that bend a way, in turn.
_CHANGES = (0.3, 0.2, 0.14, 0.1, 0.07, 0.05, 0.1, 0.05, 0.03)
#: [s] over which coordinates that no parameter drives go over from the walk's to the given ones.
_LOOSE_S = 0.7
#: [Hz] what is faster is no motion of an arm that comes to a lever or leaves it.
_SMOOTH_HZ = 2.5
#: Random directions among the changes.
_MIXED = 8


@dataclass(frozen=True, eq=False, kw_only=True)
class Bound:
    """Frames in which an arm's posture is given, and postures near it that may be taken before and after.

    Attributes:
        first: First such frame.
        last: Last one.
        coordinates: ``(frames, 9)`` [rad] of shoulder, elbow and wrist there.
    """

    first: int
    last: int
    coordinates: FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Moving:
    """A body in motion whose arm is to be led.

    Attributes:
        figure: Who.
        root: ``(frames, 3)`` [m].
        local: ``(frames, joints, 4)``.
        fps: Frames per second.
    """

    figure: Figure
    root: FloatArray
    local: FloatArray
    fps: float


def routed(
    moving: Moving,
    room: ArmRoom,
    *,
    span: tuple[int, int],
    bound: Bound | None = None,
    offered: FloatArray | None = None,
    seed: int = 0,
) -> FloatArray:
    """Rotations ``(frames, joints, 4)`` with an arm that stays clear between two frames.

    Args:
        moving: The body.
        room: What is around the arm.
        span: First and last frame that may change.
        bound: Where the posture is given.
        offered: ``(frames, postures, 9)`` further postures [rad]; not a number where there is none.
        seed: Of the random directions of change.
    """
    space = limb_space(moving.figure.body, f"{room.side}_arm")
    keys = _keys(moving, span, bound)
    lead = _Lead(moving, room, space, keys, bound)
    # Who lets go is close to something that moves: with fewer looks a hand would slip through it unseen.
    often = keys if bound is None else _often(keys, bound, moving.fps)
    path = _Lead(moving, room, space, often, bound).first_way(offered)[np.isin(often, keys)]
    path = lead.bent(path, np.random.default_rng([seed, 41]))
    frames = np.arange(keys[0], keys[-1] + 1)
    own = space.coordinates(moving.local[frames])
    if bound is not None:
        # The given frames themselves, so that the way leaves them and comes to them with their velocity.
        held = np.arange(bound.first, bound.last + 1)
        outside = (keys < bound.first) | (keys > bound.last)
        rows = np.concatenate([keys[outside], held])
        path = np.concatenate([path[outside], bound.coordinates])[np.argsort(rows)]
        keys = np.sort(rows)
    offset = _spline(keys, np.unwrap(_unwound(path - own[keys - frames[0]]), axis=0), frames)
    stretches = [(0, len(frames))]
    if bound is not None:
        stretches = [(0, bound.first - frames[0]), (bound.last + 1 - frames[0], len(frames))]
    known = np.zeros((KNOWN, offset.shape[1]))
    padded = np.concatenate([known, offset, known])
    for first, stop in stretches:
        around = padded[first : first + KNOWN], padded[stop + KNOWN : stop + 2 * KNOWN]
        offset[first:stop] = smooth_way(offset[first:stop], *around, fps=moving.fps, cutoff_hz=_SMOOTH_HZ)
    wanted = own + offset
    out = moving.local.copy()
    out[frames] = space.with_coordinates(moving.local[frames], wanted)
    return out


def _keys(moving: Moving, span: tuple[int, int], bound: Bound | None) -> IntArray:
    first, last = max(span[0], 0), min(span[1], len(moving.local) - 1)
    step = max(1, round(_EVERY_S * moving.fps))
    if bound is None:
        return np.arange(first, last + 1, step)
    away = np.arange(0, len(moving.local), step)
    before, after = bound.first - away, bound.last + away
    held = np.round(np.linspace(bound.first, bound.last, max(2, 1 + round((bound.last - bound.first) / step))))
    keys = np.unique(np.concatenate([before[before >= first], held.astype(np.int64), after[after <= last]]))
    return np.asarray(keys, dtype=np.int64)


def _often(keys: IntArray, bound: Bound, fps: float) -> IntArray:
    """Keys with more of them after the hold."""
    close = np.flatnonzero((keys[:-1] >= bound.last) & (keys[:-1] < bound.last + _CLOSE_S * fps))
    return np.unique(np.concatenate([keys, (keys[close] + keys[close + 1]) // 2]))


class _Lead:
    """One arm on its way."""

    def __init__(self, moving: Moving, room: ArmRoom, space: LimbSpace, keys: IntArray, bound: Bound | None) -> None:
        self.moving, self.room, self.space, self.keys, self.bound = moving, room, space, keys, bound
        self.root, self.local = moving.root[keys], moving.local[keys]
        self.seconds = np.diff(keys) / moving.fps
        self.own = space.coordinates(self.local)
        self.fixed = np.zeros(len(keys), dtype=np.bool_)
        self.given = self.own.copy()
        if bound is not None:
            self.fixed = (keys >= bound.first) & (keys <= bound.last)
            self.given[self.fixed] = bound.coordinates[keys[self.fixed] - bound.first]
        self.loose = _loose(space)
        self.leads, self.led = self.own.copy(), np.zeros(len(keys))
        self._lead_on()
        self._let_loose()
        self.fixed[[0, -1]] = True
        own_gap = self._gaps(self.local[:, None])[:, 0, 1]
        #: The walk may come as near to its own trunk as it does.
        self.soft = np.clip(-own_gap, 0.0, 0.05)

    def _lead_on(self) -> None:
        """Just before and after the given postures the arm goes on as it does there, less and less."""
        if self.bound is None:
            return
        given, fps = self.bound.coordinates, self.moving.fps
        for edge, rate, frame in (
            (given[0], (given[3] - given[0]) / 3.0, self.bound.first),
            (given[-1], (given[-1] - given[-4]) / 3.0, self.bound.last),
        ):
            for k in np.flatnonzero(np.abs(self.keys - frame) <= 0.25 * fps):
                later = int(self.keys[k]) - frame
                if (later < 0) == (frame == self.bound.first) and later != 0 and not self.fixed[k]:
                    self.leads[k] = edge + rate * later * 0.8
                    self.led[k] = 12.0 if abs(later) < 0.15 * fps else 1.5

    def _let_loose(self) -> None:
        """Coordinates that no parameter drives go over from the walk's to the given ones and back."""
        times = self.keys / self.moving.fps
        if self.bound is None:
            return
        first, last = self.bound.first / self.moving.fps, self.bound.last / self.moving.fps
        for edge, share in (
            (self.bound.coordinates[0], smoothstep((times - first + _LOOSE_S) / _LOOSE_S) * (times < first)),
            (self.bound.coordinates[-1], smoothstep((last + _LOOSE_S - times) / _LOOSE_S) * (times > last)),
        ):
            away = _unwound(edge - self.own)[:, self.loose]
            self.given[:, self.loose] += share[:, None] * away

    def _gaps(self, postures: FloatArray) -> FloatArray:
        return self.room.gaps(self.root, self.local, self.keys / self.moving.fps, postures)

    def _cost(self, postures: FloatArray, coordinates: FloatArray) -> FloatArray:
        """Costs ``(keys, options)``."""
        gaps = self._gaps(postures)
        things, own = gaps[..., 0], gaps[..., 1] + self.soft[:, None]
        cost = _near(things, _WANTED_M) + _near(own, 0.012)
        cost += 400.0 * np.maximum(self.space.excess(coordinates / 0.97).max(axis=-1) - 1e-6, 0.0)
        away = _unwound(coordinates - self.own[:, None])
        cost += 0.025 * np.sum(away**2, axis=2)
        cost += self.led[:, None] * np.sum(_unwound(coordinates - self.leads[:, None]) ** 2, axis=2)
        return cost

    def first_way(self, offered: FloatArray | None) -> FloatArray:
        """Coordinates ``(keys, 9)`` of the cheapest way through postures around the body."""
        from understudy.skills._arm_kernels import cheapest

        postures = around(self.moving.figure, self.root, self.local, self.room.side)
        coordinates = self.space.coordinates(postures)
        there = np.ones(coordinates.shape[:2], dtype=np.bool_)
        if offered is not None:
            more = offered[self.keys]
            valid = np.asarray(np.isfinite(more).all(axis=2))
            more = np.where(valid[..., None], more, self.own[:, None])
            base = np.repeat(self.local[:, None], more.shape[1], axis=1)
            postures = np.concatenate([postures, self.space.with_coordinates(base, more)], axis=1)
            coordinates = np.concatenate([coordinates, more], axis=1)
            there = np.concatenate([there, valid], axis=1)
        coordinates[..., self.loose] = self.given[:, None, self.loose]
        cost = self._cost(postures, coordinates)
        cost = cost + 0.02 * (np.arange(cost.shape[1]) > 0) + 1e4 * (1.0 - there)
        self._pin(coordinates, cost)
        chosen = cheapest(np.ascontiguousarray(coordinates), cost, self.seconds, _FAST_RADPS, _TURNING)
        return np.asarray(coordinates[np.arange(len(chosen)), chosen])

    def bent(self, path: FloatArray, rng: np.random.Generator) -> FloatArray:
        """The way after small changes of all postures at once, until it is good."""
        from understudy.skills._arm_kernels import cheapest

        many = len(self.space)
        for size in _CHANGES:
            mixed = rng.standard_normal((_MIXED, many))
            mixed *= np.sqrt(many) / np.linalg.norm(mixed, axis=1, keepdims=True) * 0.6
            deltas = size * np.concatenate([np.zeros((1, many)), np.eye(many), -np.eye(many), mixed, -mixed])
            smooth = self._smoothed(path)
            options = path[:, None] + (deltas @ self.space.spread.T)[None]
            options = np.concatenate([options, np.stack([0.5 * (path + smooth), smooth], axis=1)], axis=1)
            postures = self.space.with_coordinates(np.repeat(self.local[:, None], options.shape[1], axis=1), options)
            cost = self._cost(postures, options)
            cost = cost + _STIFF * np.sum((options - smooth[:, None]) ** 2, axis=2)
            self._sweep(cost, options, path)
            self._pin(options, cost)
            chosen = cheapest(np.ascontiguousarray(options), cost, self.seconds, _FAST_RADPS, _TURNING)
            path = np.asarray(options[np.arange(len(chosen)), chosen])
        return path

    def _sweep(self, cost: FloatArray, options: FloatArray, path: FloatArray) -> None:
        """Add what postures half way to those before and after cost, shortly after letting go."""
        if self.bound is None:
            return
        last, fps = self.bound.last, self.moving.fps
        close = np.flatnonzero((self.keys > last) & (self.keys < last + _CLOSE_S * fps))
        close = close[close < len(self.keys) - 1]
        for other in (close - 1, close + 1):
            frames = (self.keys[close] + self.keys[other]) // 2
            local = self.moving.local[frames]
            half = options[close] + 0.5 * _unwound(path[other][:, None] - options[close])
            postures = self.space.with_coordinates(np.repeat(local[:, None], half.shape[1], axis=1), half)
            gaps = self.room.gaps(self.moving.root[frames], local, frames / fps, postures)
            cost[close] += 0.5 * _near(gaps[..., 0], _WANTED_M)

    def _smoothed(self, path: FloatArray) -> FloatArray:
        """A smoother way; given postures stay, and so does the walk's own swing."""
        offset = np.unwrap(_unwound(path - self.own), axis=0)
        smooth = gaussian(offset, _SMOOTH_S / _EVERY_S)
        return np.asarray(np.where(self.fixed[:, None], path, self.own + smooth))

    def _pin(self, coordinates: FloatArray, cost: FloatArray) -> None:
        coordinates[self.fixed] = self.given[self.fixed][:, None]
        cost[self.fixed] = 1e4
        cost[self.fixed, 0] = 0.0


def _near(gap_m: FloatArray, wanted_m: float) -> FloatArray:
    return np.asarray(
        2.0 * np.maximum(wanted_m - gap_m, 0.0) / wanted_m + 60.0 * np.maximum(_LEAST_M - gap_m, 0.0) / 0.01
    )


def _loose(space: LimbSpace) -> IntArray:
    """Coordinates that no parameter drives."""
    return np.flatnonzero(~(space.spread > 0).any(axis=1))


def _spline(keys: IntArray, values: FloatArray, frames: IntArray) -> FloatArray:
    """Values at keys made a smooth series, at rest at both ends."""
    from scipy.interpolate import CubicSpline

    return np.asarray(CubicSpline(keys, values, bc_type="clamped")(frames))


def _unwound(angles: FloatArray) -> FloatArray:
    return np.asarray((angles + np.pi) % (2.0 * np.pi) - np.pi)
