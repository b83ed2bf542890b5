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
        trust: 1 where what it takes to go on straight ahead counts, 0 where heading for the goal does.
        steer: Share of their ranges jumps may be turned by.
        dearer: What every jump costs more than the tables of the library say [m].
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
    trust: float
    steer: float
    dearer: float


class Beam(NamedTuple):
    """A field and how it is gone along.

    Attributes:
        fields: Distance to the goal.
        limits: How wide and how long.
        entered: ``(frames, LEAD)`` where a take leads from a frame on, in its own axes.
        jumped: ``(edges, LEAD)`` where a jump leads, in the axes of the take it leaves.
        ahead: ``(frames,)`` the frame that a frame's lead is of.
        onward: ``(frames, headings)`` what it costs from there on, on an open floor [m].
        begin: ``(frames, headings)`` the same from a frame on that is jumped to [m].
        rate: What a metre costs beyond itself.
        leaving: ``(frames, headings)`` the least that jumping and going on take in a sector of headings [m].
        jumping: ``(frames,)`` the least that a jump itself costs [m]; infinite where none leaves a frame.
    """

    fields: Fields
    limits: BeamLimits
    entered: FloatArray
    jumped: FloatArray
    ahead: IntArray
    onward: FloatArray
    begin: FloatArray
    rate: float
    leaving: FloatArray
    jumping: FloatArray


#: Columns of a lead: root and heading a little ahead, the way there, what it takes, and the direction, zero for none.
LEAD_X, LEAD_Z, LEAD_YAW, LEAD_M, LEAD_COST, TOWARDS_X, TOWARDS_Z, LEAD = range(8)


class Frontier(NamedTuple):
    """Room for the beam's states.

    Attributes:
        items: ``(buckets, widest)`` states of every bucket.
        filled: ``(buckets,)`` how many there are.
        worst: ``(buckets,)`` score of the worst state of a full bucket; infinite before.
        numbers: ``(states, 9)`` where takes lie, what was walked, the score, where states lead, how jumps are turned.
        links: ``(states, 5)`` frame, state before, jump, leg of the way, frames since the start.
        counts: ``(3,)`` states made, solutions found, states expanded.
    """

    items: IntArray
    filled: IntArray
    worst: FloatArray
    numbers: FloatArray
    links: IntArray
    counts: IntArray
