"""A body against itself where its source has the same frames: what :func:`search.search` does, compiled."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy.scene.contacts import ContactRule
from understudy.typing import BoolArray, IntArray
from understudy.verify._self_kernels import Clip, Pairs, search_window
from understudy.verify.forward import Performer, frozen, joints_with_all_above
from understudy.verify.search import ARC, COUNTED_M, DEPTH_STEP_M, MOST_ROUNDS, PairTrace, kept_traces, windows_of


def search_itself(
    performer: Performer,
    source: Performer,
    pairs: IntArray,
    rules: Sequence[ContactRule],
    near: BoolArray,
) -> list[PairTrace]:
    """Every self pair that comes within a millimetre of an overlap, with all moments that matter for it.

    A pair may overlap as deep as rules say, or as deep as the source at the same time.

    Args:
        performer: Who is judged.
        source: The same body doing the clip of the same frames it was made from.
        pairs: ``(pairs, 2)`` capsules.
        rules: Contacts that are meant.
        near: ``(n - 1, pairs)`` intervals between samples to look at; pairs are a millimetre apart in all others.
    """
    if len(pairs) == 0:
        return []
    labels = [(performer.part_name(int(a)), performer.part_name(int(b))) for a, b in pairs]
    clip, other, made = _clip(performer), _clip(source), _pairs(performer, pairs, rules, labels)
    best = np.full(len(pairs), np.inf)
    steps, items, values = np.array([ARC, COUNTED_M, DEPTH_STEP_M]), [], []
    for window in windows_of(near, len(pairs)):
        found, used = search_window(clip, other, made, near, window, best, steps, MOST_ROUNDS)
        items.append(found.items[:used])
        values.append(found.values[:used])
    return kept_traces(labels.__getitem__, np.concatenate(items), *np.concatenate(values).T) if items else []


def _clip(performer: Performer) -> Clip:
    motion = performer.motion
    return Clip(
        rotations=frozen(motion.rotations),
        clock=(float(motion.fps), float(performer.start_s)),
        times=frozen(performer.times_s),
        seen=frozen(performer.seen_from_root(performer.times_s)),
    )


def _pairs(
    performer: Performer, pairs: IntArray, rules: Sequence[ContactRule], labels: Sequence[tuple[str, str]]
) -> Pairs:
    body, skeleton = performer.body, performer.motion.skeleton
    parents = skeleton.parents.tolist()
    wanted = np.full((len(pairs), len(skeleton)), -1, dtype=np.int64)
    for row, joints in zip(wanted, body.capsule_joints[pairs].tolist(), strict=True):
        above = joints_with_all_above(parents, joints)
        row[: len(above)] = above
    about = [
        (number, rule.start_s, rule.end_s, rule.max_depth_m)
        for rule in rules
        for number, (a, b) in enumerate(labels)
        if rule.covers(a, b)
    ]
    return Pairs(
        parents=frozen(skeleton.parents, np.int64),
        offsets=frozen(skeleton.offsets),
        wanted=frozen(wanted, np.int64),
        joints=frozen(body.capsule_joints, np.int64),
        starts=frozen(body.capsule_starts),
        ends=frozen(body.capsule_ends),
        pairs=frozen(pairs, np.int64),
        radii=frozen(body.capsule_radii[pairs].sum(axis=1)),
        rules=frozen(np.array(about, dtype=np.float64).reshape(-1, 4)),
    )
