"""What compiled unrolling reads and writes: plain arrays in named tuples."""

from __future__ import annotations

from typing import NamedTuple

from understudy.typing import BoolArray, FloatArray, IntArray


class FootageTable(NamedTuple):
    """Footage for kernels; see :class:`understudy.library.footage.Footage`.

    Attributes:
        roots: ``(frames, 3)`` [m].
        rotations: ``(frames, joints, 4)``.
        ankles: ``(frames, 2, 3)`` [m] left and right ankle in the take's axes.
        ankle_turns: ``(frames, 2, 4)`` and how they are turned there.
        middles: ``(frames, 2, 3)`` [m] middle of every foot, between ankle and ball.
        headings: ``(frames, 2)`` where the feet point [rad].
        planted: ``(frames, 2)`` whether they stand.
    """

    roots: FloatArray
    rotations: FloatArray
    ankles: FloatArray
    ankle_turns: FloatArray
    middles: FloatArray
    headings: FloatArray
    planted: BoolArray


class LegTable(NamedTuple):
    """Both legs, for leg IK.

    Attributes:
        parents: ``(joints,)``.
        offsets: ``(joints, 3)`` [m].
        chains: ``(2, n)`` joints from below the root to the ankle, filled up with -1.
        knees: ``(2, 3)`` hip, knee and ankle joint.
        hinges: ``(2, 3)`` axis the knee bends about, in the frame of the joint above it; positive turns flex.
    """

    parents: IntArray
    offsets: FloatArray
    chains: IntArray
    knees: IntArray
    hinges: FloatArray


class WayTable(NamedTuple):
    """Clips played one after another.

    Attributes:
        first: ``(clips,)`` footage frame each begins at.
        last: ``(clips,)`` footage frame each ends at.
        at: ``(clips, 3)`` where each clip's take lies in the world, rows (x, z, yaw).
        begins: ``(clips + 1,)`` frame of the motion each begins at, and the last frame.
        before: ``(clips - 1,)`` frames blended before every seam.
        after: ``(clips - 1,)`` frames blended after it.
        carriers: ``(clips - 1,)`` feet that carry at it: bits 1 left, 2 right.
    """

    first: IntArray
    last: IntArray
    at: FloatArray
    begins: IntArray
    before: IntArray
    after: IntArray
    carriers: IntArray


class BodyTable(NamedTuple):
    """What trials of seams measure against.

    Attributes:
        joints: ``(capsules,)`` joint of each capsule of the legs.
        ends: ``(capsules, 2, 3)`` both ends in the joint's frame [m].
        radii: ``(capsules,)`` [m].
        soles: ``(capsules,)`` whether it is a foot or toes.
        pairs: ``(pairs, 2)`` capsules of the left and the right leg that must not touch.
        gaps: ``(frames, pairs)`` their signed distance over the footage [m].
        alike: ``(n, 12)`` postures in which pairs overlap in the recordings: ends of both, seen from the root [m].
        alike_depths: ``(n,)`` how deep; deepest first for every pair [m].
        alike_starts: ``(pairs + 1,)`` where each pair's postures begin.
        jumps: ``(frames, capsules, 2)`` largest change of velocity of each end within two frames of the footage [m/s].
        limits: ``(joints,)`` largest angular acceleration [rad/s2], low-passed.
        taps: Weights of that low-pass over frames.
        slack_m: How much deeper legs may overlap than the recordings show in such a posture [m].
        sinks_m: How far a sole may be below the floor [m].
        jump_mps: A change of velocity up to this is not seen [m/s].
    """

    joints: IntArray
    ends: FloatArray
    radii: FloatArray
    soles: BoolArray
    pairs: IntArray
    gaps: FloatArray
    alike: FloatArray
    alike_depths: FloatArray
    alike_starts: IntArray
    jumps: FloatArray
    limits: FloatArray
    taps: FloatArray
    slack_m: float
    sinks_m: float
    jump_mps: float


class Troupe(NamedTuple):
    """Whose seams are tried: footage, legs and body with the same joints."""

    footage: FootageTable
    legs: LegTable
    body: BodyTable


class Seams(NamedTuple):
    """Transitions to be tried.

    Attributes:
        first: ``(n,)`` footage frame the earlier clip begins at.
        out: ``(n,)`` footage frame it is left at.
        into: ``(n,)`` footage frame the later clip begins at.
        last: ``(n,)`` footage frame it ends at.
        at: ``(n, 3)`` where the later clip's take lies in the earlier one's axes, rows (x, z, yaw).
        pivots: ``(n, 2)`` floor point (x, z) it may be turned about, in the same axes [m].
        before: ``(n,)`` frames blended before the seam.
        after: ``(n,)`` frames blended after it.
        carriers: ``(n,)`` feet that carry.
    """

    first: IntArray
    out: IntArray
    into: IntArray
    last: IntArray
    at: FloatArray
    pivots: FloatArray
    before: IntArray
    after: IntArray
    carriers: IntArray
