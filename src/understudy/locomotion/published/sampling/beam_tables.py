"""What the beam reads and writes: fields, limits and room for its states, as compiled kernels take them."""

from __future__ import annotations

from typing import NamedTuple

from understudy.typing import FloatArray, IntArray


class Fields(NamedTuple):
    """Distance to the goal over the floor, one field for every leg of the way.

    Attributes:
        low: ``(2,)`` x and z of the low corner [m].
        cell: Width of a cell [m].
        values: ``(legs, nz, nx)`` to the end of the leg [m]; infinite where there is no way.
        ends: ``(legs, 2)`` where legs end (x, z) [m].
        rests: ``(legs,)`` length of all later legs [m].
    """

    low: FloatArray
    cell: float
    values: FloatArray
    ends: FloatArray
    rests: FloatArray


class BeamLimits(NamedTuple):
    """Numbers that steer the beam.

    Attributes:
        width: States kept in a bucket.
        early_width: The same in the first bucket; fewer and fewer in those after it.
        bucket: Frames of a bucket.
        longest: Most frames of a walk.
        stretch: Most frames between two jumps.
        states: Most states.
        solutions: Endings after which the beam may stop.
        turn_cost: Of a heading error at the goal [m/rad].
        aim_cost: Of heading straight away from the goal [m]; half of it across.
    """

    width: int
    early_width: int
    bucket: int
    longest: int
    stretch: int
    states: int
    solutions: int
    turn_cost: float
    aim_cost: float


class Beam(NamedTuple):
    """A field and how it is gone along.

    Attributes:
        fields: Distance to the goal.
        limits: How wide and how long.
        entered: ``(frames, LEAD)`` where a take leads from a frame on, in its own axes.
        jumped: ``(edges, LEAD)`` where a jump leads, in the axes of the take it leaves.
        jumping: ``(frames,)`` the least that a jump itself costs [m]; infinite where none leaves a frame.
    """

    fields: Fields
    limits: BeamLimits
    entered: FloatArray
    jumped: FloatArray
    jumping: FloatArray


#: Columns of a lead: root and heading a little ahead, the way there, what it takes, and the direction, zero for none.
LEAD_X, LEAD_Z, LEAD_YAW, LEAD_M, LEAD_COST, TOWARDS_X, TOWARDS_Z, LEAD = range(8)


class Frontier(NamedTuple):
    """Room for the beam's states.

    Attributes:
        items: ``(buckets, widest)`` states of every bucket.
        filled: ``(buckets,)`` how many there are.
        worst: ``(buckets,)`` score of the worst state of a full bucket; infinite before.
        numbers: ``(states, 8)`` where takes lie, what was walked, the score, where states lead.
        links: ``(states, 5)`` frame, state before, jump, leg of the way, frames since the start.
        counts: ``(3,)`` states made, solutions found, states expanded.
    """

    items: IntArray
    filled: IntArray
    worst: FloatArray
    numbers: FloatArray
    links: IntArray
    counts: IntArray
