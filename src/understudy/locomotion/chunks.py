"""Chunks: clips become motion piece by piece, each joined to the last frame that was handed out.

A chunk ends where the next transition's blend begins, so whatever comes next may still be chosen freely. A piece of the
walk around the new frames is unrolled each time: enough clips back that both feet have swung since (so that what holds
a foot is known), and those that are planned next. Where that differs from what was handed out, because the plan has
changed since or a leg needs room that nobody knew of, the difference fades within a fifth of a second.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.core.editing import smoothstep
from understudy.core.motion import Motion
from understudy.inspection.intervals import runs
from understudy.library import unroll
from understudy.library.planar_arrays import composed, inverted, transform
from understudy.library.unroll import BLEND_S, placed_footage
from understudy.locomotion.plan import Plan
from understudy.locomotion.walker import Walker
from understudy.typing import BoolArray, FloatArray, IntArray

#: [s] of what was handed out, so much is looked at again with what would follow.
_RECENT_S = 1.0
#: [s] a difference fades within this time.
FADE_S = 0.2
#: [s] a foot that does not stand for less than this has not swung.
_SWING_S = 0.15
#: Clips looked back at least and at most, and clips ahead.
_FEWEST_BACK, _MOST_BACK, _AHEAD = 2, 10, 2
#: Of a clip that is repeated, so many are looked back at.
_REPEATS = 3


class Chunker:
    """One walk's motion, as far as it is settled.

    Args:
        walker: Who walks.
        first_frame: Frame of the first clip at which the walk begins.
        name: Name of the motion.
    """

    def __init__(self, walker: Walker, *, first_frame: int = 0, name: str = "walk") -> None:
        self._walker = walker
        self._name = name
        self._plan = Plan()
        self._begins = np.zeros(1, dtype=np.int64)
        self._first = self._handed = int(first_frame)
        self._chunks: list[Motion] = []
        self.largest_fade_m = 0.0

    @property
    def settled(self) -> Plan:
        """All clips that were handed out, the last one all but its end."""
        return self._plan

    @property
    def chunks(self) -> tuple[Motion, ...]:
        """Everything that was handed out."""
        return tuple(self._chunks)

    @property
    def handed_s(self) -> float:
        """How much was handed out [s]."""
        return (self._handed - self._first) / self._walker.library.fps

    def motion(self) -> Motion | None:
        """Everything that was handed out as one motion; ``None`` before the first chunk."""
        return strung(self._chunks, self._name) if self._chunks else None

    def hand_out(self, plan: Plan, count: int, *, last: bool = False) -> Motion:
        """Settle the first clips of a plan, and hand out what is now certain.

        Args:
            plan: What comes next.
            count: How many of its clips are settled now.
            last: Whether the walk ends with them; then they are handed out to their last frame.
        """
        graph = self._walker.library.graph
        self._plan = self._plan.then(plan.first(count))
        lengths = graph.last[self._plan.nodes] - graph.first[self._plan.nodes]
        self._begins = np.concatenate([[0], np.cumsum(lengths)])
        end = int(self._begins[-1])
        stop = end + 1 if last else max(end - self._open_frames(int(lengths[-1])), self._handed + 1)
        chunk = self._raw(stop) if not self._chunks and len(self._plan) == 1 else self._blended(plan.after(count), stop)
        self._handed = stop
        self._chunks.append(chunk)
        return chunk

    def _open_frames(self, length: int) -> int:
        """Frames at the end of a clip so long that a blend with any next clip may change."""
        library = self._walker.library
        longest = max(round(BLEND_S * library.fps), library.half_window)
        return min(longest, max(length - 1, 0) // 2)

    def preview(self, plan: Plan, count: int) -> tuple[Motion, float]:
        """The last second handed out and what would follow it, and when that begins [s]; nothing is settled."""
        trial, fps = self._copy(), self._walker.library.fps
        trial.hand_out(plan, count, last=plan.arrives and count == len(plan))
        if not self._chunks:
            return strung(trial._chunks[-1:], self._name), 0.0
        recent = self._chunks[-1].frames(max(len(self._chunks[-1]) - round(_RECENT_S * fps), 0), len(self._chunks[-1]))
        return strung([recent, trial._chunks[-1]], self._name), self.handed_s - len(recent) / fps

    def ended(self, plan: Plan) -> tuple[Motion, Plan]:
        """The whole motion if it ended by a plan, and all its clips; nothing is settled."""
        trial = self._copy()
        trial.hand_out(plan, len(plan), last=True)
        return strung(trial._chunks, self._name), trial.settled

    def _copy(self) -> Chunker:
        trial = Chunker(self._walker, first_frame=self._first, name=self._name)
        trial._plan, trial._begins, trial._handed = self._plan, self._begins, self._handed
        trial._chunks = self._chunks.copy()
        return trial

    def _raw(self, stop: int) -> Motion:
        """The very first frames: nothing is blended yet."""
        library, node = self._walker.library, int(self._plan.nodes[0])
        frames = np.arange(self._first, stop)
        at = composed(self._plan.placements[0], inverted(library.graph.frames[node]))
        motion = placed_footage(library.footage, library.graph.first[node] + frames, np.tile(at, (len(frames), 1)))
        return replace(motion, rotations=rot.continuous(motion.rotations), name=self._name)

    def _blended(self, ahead: Plan, stop: int) -> Motion:
        kept = self._look_back()
        nodes = np.concatenate([self._plan.nodes[kept], ahead.nodes[:_AHEAD]])
        turns = np.concatenate([self._plan.turns_rad[kept[:-1] + 1], ahead.turns_rad[:_AHEAD]])
        at = transform(self._plan.placements[kept[0]])
        whole = unroll(self._walker.library, nodes.tolist(), turns_rad=turns.tolist(), start=at, name=self._name).motion
        begin = int(self._begins[-1] - np.diff(self._begins)[kept].sum())
        piece = whole.frames(max(self._handed - 1, self._first) - begin, stop - begin)
        if not self._chunks:
            return piece
        piece, off_m = joined(self._chunks[-1], piece)
        self.largest_fade_m = max(self.largest_fade_m, off_m)
        return piece

    def _look_back(self) -> IntArray:
        """The clips from which on both feet have swung before the new frames, and the trunk has settled.

        Somebody who waits repeats a clip in place; of that a few will do, and the feet stay where they stepped before.
        """
        nodes = self._plan.nodes
        graph, planted = self._walker.library.graph, self._walker.library.footage.planted
        least = round(_SWING_S * self._walker.library.fps)
        new = int(np.searchsorted(self._begins, self._handed, side="right")) - 1
        swung, kept, first = np.zeros(2, dtype=bool), list(range(len(nodes) - 1, new - 1, -1)), new
        fewest, most = len(kept) + _FEWEST_BACK, len(kept) + _MOST_BACK
        while first > 0 and len(kept) < most and not (swung.all() and len(kept) >= fewest):
            first -= 1
            node = int(nodes[first])
            if len(kept) >= _REPEATS and (nodes[kept[-_REPEATS:]] == node).all():
                continue
            kept.append(first)
            swung |= _swings(planted[graph.first[node] : graph.last[node]], least)
        return np.array(kept[::-1], dtype=np.int64)


def joined(before: Motion, piece: Motion, *, overlap: int = 1) -> tuple[Motion, float]:
    """A piece joined to what was handed out, without the frames they share, and how far it was off [m].

    The difference fades; where two frames are shared, so does the difference in velocity.
    """
    signs = np.where((before.rotations[-1] * piece.rotations[overlap - 1]).sum(axis=-1) < 0.0, -1.0, 1.0)[:, None]
    rotations, roots = signs * piece.rotations, piece.root_positions
    gaps = before.root_positions[-overlap:] - roots[:overlap]
    turns = rot.log(rot.multiply(before.rotations[-overlap:], rot.conjugate(rotations[:overlap])))
    share = np.arange(1, len(piece) - overlap + 1)[:, None] / (FADE_S * piece.fps)
    off_m = float(np.linalg.norm(gaps[-1]))
    rest = roots[overlap:] + _faded(gaps, share) if np.abs(gaps).max() > 0.0 else roots[overlap:]
    off = np.flatnonzero(np.abs(turns).max(axis=(0, 2)) > 1e-9)
    after = rotations[overlap:].copy()
    if len(off):
        after[:, off] = rot.multiply(rot.exp(_faded(turns[:, off], share[..., None])), after[:, off])
    whole = rot.continuous(np.concatenate([before.rotations[-1:], after]))
    return replace(piece, root_positions=rest, rotations=whole[1:]), off_m


def _faded(gaps: FloatArray, share: FloatArray) -> FloatArray:
    """What is left of the last gap ``(shared, ...)`` and of its growth from frame to frame, over shares of the fade."""
    s = np.minimum(share, 1.0)
    growth = (gaps[-1] - gaps[0]) / share.ravel()[0] if len(share) else 0.0
    return np.asarray((1.0 - smoothstep(s)) * gaps[-1] + s * (1.0 - s) ** 2 * growth)


def held(motion: Motion, frames: int) -> Motion:
    """The last frame of a motion, so many times."""
    return replace(
        motion,
        root_positions=np.repeat(motion.root_positions[-1:], frames, axis=0),
        rotations=np.repeat(motion.rotations[-1:], frames, axis=0),
    )


def strung(chunks: Sequence[Motion], name: str) -> Motion:
    """Chunks one after another."""
    return replace(
        chunks[0],
        root_positions=np.concatenate([chunk.root_positions for chunk in chunks]),
        rotations=np.concatenate([chunk.rotations for chunk in chunks]),
        name=name,
    )


def _swings(planted: BoolArray, least: int) -> BoolArray:
    """``(2,)`` which feet do not stand for so many frames on end."""
    return np.array([any(stop - first >= least for first, stop in runs(~planted[:, side])) for side in range(2)])
