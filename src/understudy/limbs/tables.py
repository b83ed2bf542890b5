"""A limb, a window of its clip and the world around it as flat arrays, the form in which kernels see them."""

from __future__ import annotations

from typing import NamedTuple

from understudy.collision.tables import BroadArrays, SolidArrays, TrackArrays
from understudy.typing import FloatArray, IntArray

#: Columns of ``WindowArrays.pairs``.
PAIR_OWN, PAIR_OTHER, PAIR_KIND, PAIR_SOURCE = range(4)
#: What the other side of a pair is: a part that follows the clip, or another part of the limb.
WITH_REST, WITH_OWN = range(2)

#: Kinds of contact a kernel reports: none, limits, a pair of the body's parts, a part and a solid.
FREE, LIMIT, PAIR, SOLID = -1, 0, 1, 2


class SpaceArrays(NamedTuple):
    """A limb's joints and parameters (``space.LimbSpace``).

    Attributes:
        offsets: ``(joints, 3)`` [m] each joint in the frame of the one before; the first in the limb's parent.
        before: ``(joints, 4)`` quaternion before a joint's own turn.
        after: ``(joints, 4)`` quaternion after it.
        kinds: ``(joints,)`` of limits.
        low: ``(joints, 3)`` [rad].
        high: ``(joints, 3)`` [rad].
        spread: ``(3 joints, parameters)``.
    """

    offsets: FloatArray
    before: FloatArray
    after: FloatArray
    kinds: IntArray
    low: FloatArray
    high: FloatArray
    spread: FloatArray


class WindowArrays(NamedTuple):
    """A stretch of a clip on a grid of times, in the frame of the joint the limb hangs from.

    Between grid times everything is interpolated linearly. ``rates`` hold how fast it changes at most: for every power
    of two, for every cell the maximum over that many cells from it on. Their columns: joint coordinates [rad/s], the
    parent frame's speed [m/s] and turn [rad/s], parts of the rest [m/s], own parts against their joint [m/s], source
    distances [m/s], moving solids [m/s].

    Attributes:
        clock: First time [s], step [s], grid steps per frame.
        coordinates: ``(grid, 3 joints)`` [rad] of the clip.
        excess: ``(grid, joints)`` [rad] how far the clip itself is outside its limits.
        base: ``(grid, 7)`` position [m] and rotation of the limb's parent in the world.
        rest: ``(grid, rest, 6)`` [m] segments of parts that follow the clip.
        own: ``(grid, own, 6)`` [m] segments of the limb's parts in the frame of the joint that carries them.
        carriers: ``(own,)`` that joint, as an index into the chain.
        own_radii: ``(own,)`` [m].
        own_halves: ``(own,)`` [m] half the length of a segment.
        rest_halves: ``(rest,)`` [m].
        reach: ``(3 joints, own)`` [m/rad] farthest a coordinate moves a part.
        far: ``(own,)`` [m] farthest a part can be from the limb's parent.
        pairs: ``(pairs, 4)`` see the columns above; the last is the source distance's column or -1.
        sourced: Pairs with a source distance.
        gaps: ``(pairs,)`` [m] sum of both radii.
        sources: ``(grid, sourced pairs)`` [m] distance of a pair's segments in the source.
        depths: ``(own, solids)`` [m] how deep a part may be in a solid: 0 not at all, infinite any.
        solid_columns: ``(solids,)`` column of a solid's rate or -1 when it stands.
        rates: ``(levels, cells, columns)``.
    """

    clock: FloatArray
    coordinates: FloatArray
    excess: FloatArray
    base: FloatArray
    rest: FloatArray
    own: FloatArray
    carriers: IntArray
    own_radii: FloatArray
    own_halves: FloatArray
    rest_halves: FloatArray
    reach: FloatArray
    far: FloatArray
    pairs: IntArray
    sourced: IntArray
    gaps: FloatArray
    sources: FloatArray
    depths: FloatArray
    solid_columns: IntArray
    rates: FloatArray


class Setting(NamedTuple):
    """Everything a limb can meet in a window."""

    space: SpaceArrays
    window: WindowArrays
    solids: SolidArrays
    broad: BroadArrays
    tracks: TrackArrays


class Scratch(NamedTuple):
    """Room for one pose of a limb and the search for contacts on an edge.

    Attributes:
        turned: ``(joints, 4)`` rotations in the parent's frame.
        at: ``(joints, 3)`` [m].
        own: ``(own, 9)`` segments and middles in the parent's frame [m].
        world: ``(own, 9)`` the same in the world.
        rest: ``(rest, 9)``.
        rows: Solids at the time of the pose.
        bounds: ``(own,)`` radius of the ball about a part's middle [m].
        every: ``(own,)`` 0, 1, 2...
        found: Solids that are near.
        gaps: Stretches of an edge still to be looked at [s].
        speeds: Largest rates in a stretch.
        moves: ``(own,)`` [m/s] how fast parts move against the limb's parent.
        closing: ``(pairs,)`` [m/s] how fast both sides of a pair can approach each other.
        coordinates: ``(3 joints,)`` [rad] of the pose.
        turning: ``(3 joints,)`` [rad/s] rates of an edge.
        offset: ``(parameters,)`` [rad] of the pose.
        ends: ``(2, parameters)`` [rad] where an edge begins and ends.
        span: ``(2,)`` [s] when it does.
    """

    turned: FloatArray
    at: FloatArray
    own: FloatArray
    world: FloatArray
    rest: FloatArray
    rows: FloatArray
    bounds: FloatArray
    every: IntArray
    found: IntArray
    gaps: FloatArray
    speeds: FloatArray
    moves: FloatArray
    closing: FloatArray
    coordinates: FloatArray
    turning: FloatArray
    offset: FloatArray
    ends: FloatArray
    span: FloatArray


class Margin(NamedTuple):
    """Distance to keep [m]: ``least`` in between, less towards both ends of a window.

    Attributes:
        least_m: In the middle.
        start_m: At ``start_s``.
        end_m: At ``end_s``.
        slope: [m/s] how fast it grows from the ends.
        start_s: Start of the window [s].
        end_s: End of the window [s].
    """

    least_m: float
    start_m: float
    end_m: float
    slope: float
    start_s: float
    end_s: float
