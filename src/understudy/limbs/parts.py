"""Which capsules belong to a limb, which follow the clip, and which of them must not touch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy.collision import World
from understudy.kinematics._inputs import frozen, frozen_indices
from understudy.limbs.space import LimbSpace
from understudy.limbs.stage import Load, Stage
from understudy.limbs.tables import WITH_OWN, WITH_REST
from understudy.scene.contacts import ContactRule
from understudy.typing import BoolArray, FloatArray, IntArray

#: [m] part of a permitted depth that is not used.
_DEPTH_KEPT_M = 5e-4
#: Share of a covering capsule's radius that the shape inside fills.
_FILLED = 0.65


class Parts:
    """Capsules of a limb, of what it carries, and of the rest of the body.

    Args:
        stage: The motion on its stage.
        space: The limb.
        loads: What the limb carries.
        start_s: Start of the interval whose contact rules count [s].
        end_s: Its end [s].

    Attributes:
        own: Indices of the body's capsules that belong to the limb.
        rest: Indices of the others.
        names: Names of the limb's parts: the body's, then what is carried.
        rest_names: Names of the others.
        radii: ``(own,)`` [m].
        joints: ``(own,)`` the joint each sits on.
        carriers: ``(own,)`` the nearest joint of the chain above it, as an index into the chain.
    """

    def __init__(self, stage: Stage, space: LimbSpace, loads: Sequence[Load], start_s: float, end_s: float) -> None:
        body = space.body
        self.stage, self.space, self.loads = stage, space, loads
        ruling = [k for k, rule in enumerate(stage.rules) if rule.start_s <= end_s and rule.end_s >= start_s]
        self.rules = [stage.rules[k] for k in ruling]
        self._key = (space.name, tuple(load.name for load in loads), tuple(stage.rules[k] for k in ruling))
        self.own, self.rest, self.rest_names = stage.of_body(("own and rest", space.name), self._own_and_rest)
        carried = [load.name for load in loads for _ in load.radii]
        self.names = (*(body.capsule_names[c] for c in self.own), *carried)
        self.radii = np.concatenate([body.capsule_radii[self.own], *(load.radii for load in loads)])
        joints = [*body.capsule_joints[self.own].tolist(), *(load.joint for load in loads for _ in load.radii)]
        self.joints = np.array(joints, dtype=np.int64)
        self.carriers = np.array([self._carrier(joint) for joint in joints], dtype=np.int64)

    def _own_and_rest(self) -> tuple[IntArray, IntArray, tuple[str, ...]]:
        """Capsules that the limb moves, the others, and the others' names."""
        body = self.space.body
        inside = np.isin(body.capsule_joints, self.space.moved)
        own, rest = np.flatnonzero(inside), np.flatnonzero(~inside)
        return own, rest, tuple(body.capsule_names[c] for c in rest)

    @property
    def still(self) -> bool:
        """Whether every part sits on a joint of the chain itself, where it does not move."""
        return bool(np.array_equal(np.array(self.space.joints)[self.carriers], self.joints))

    def _carrier(self, joint: int) -> int:
        while joint not in self.space.joints:
            joint = int(self.space.body.skeleton.parents[joint])
        return self.space.joints.index(joint)

    @property
    def ends(self) -> FloatArray:
        """``(own, 6)`` [m] segments on their joints."""
        body = self.space.body
        of_body = np.hstack([body.capsule_starts[self.own], body.capsule_ends[self.own]])
        return np.vstack([of_body, *(np.hstack([load.starts, load.ends]) for load in self.loads)])

    def rest_segments(self, places: FloatArray, turns: FloatArray) -> FloatArray:
        """``(grid, rest, 6)`` [m] in the frame of the limb's parent."""
        body = self.space.body
        ends = np.hstack([body.capsule_starts[self.rest], body.capsule_ends[self.rest]])
        parent = np.full(len(self.rest), self.space.parent)
        return seen(places, turns, body.capsule_joints[self.rest], ends, parent)

    def own_segments(self, places: FloatArray, turns: FloatArray) -> FloatArray:
        """``(grid, own, 6)`` [m] in the frames of the chain's joints that carry them."""
        chain = np.array(self.space.joints, dtype=np.int64)
        return seen(places, turns, self.joints, self.ends, chain[self.carriers])

    def body_pairs(self) -> tuple[IntArray, FloatArray, IntArray]:
        """Pairs of the body's own capsules as rows of ``WindowArrays.pairs``, sums of radii, and capsule indices."""
        return self.stage.of_body(("body pairs", self.space.name), self._body_pairs)

    def heeded_pairs(self) -> BoolArray:
        """Which of :meth:`body_pairs` have no part that is ignored."""
        _, _, capsules = self.body_pairs()
        named = np.array([name in self.stage.ignored for name in self.space.body.capsule_names], dtype=np.bool_)
        return np.asarray(~named[capsules].any(axis=1))

    def _body_pairs(self) -> tuple[IntArray, FloatArray, IntArray]:
        rows, gaps, capsules = [], [], []
        radii = self.space.body.capsule_radii
        own = {int(c): k for k, c in enumerate(self.own)}
        rest = {int(c): k for k, c in enumerate(self.rest)}
        for a, b in self.space.body.self_pairs.tolist():
            if a in own and b in own:
                m, other = sorted((own[a], own[b]), key=lambda part: int(self.carriers[part]))
                rows.append([m, other, WITH_OWN, -1])
            elif a in own or b in own:
                m, other = (own[a], rest[b]) if a in own else (own[b], rest[a])
                rows.append([m, other, WITH_REST, -1])
            else:
                continue
            gaps.append(float(radii[a] + radii[b]))
            capsules.append((a, b))
        pairs, both = (np.array(one, dtype=np.int64) for one in (rows, capsules))
        return pairs.reshape(-1, 4), np.array(gaps, dtype=np.float64), both.reshape(-1, 2)

    def load_pairs(self) -> tuple[IntArray, FloatArray]:
        """Pairs of carried things with the body, and sums of radii; what holds them may touch them."""
        return self.stage.shared(("load pairs", *self._key, self.stage.ignored), self._load_pairs)

    def _load_pairs(self) -> tuple[IntArray, FloatArray]:
        body, rows, gaps = self.space.body, [], []
        own = {int(c): k for k, c in enumerate(self.own)}
        rest = {int(c): k for k, c in enumerate(self.rest)}
        for m in range(len(self.own), len(self.names)):
            rules = self._rules_on(self.names[m])
            for part, name in enumerate(body.capsule_names):
                label = f"{self.stage.character}.{name}"
                if name in self.stage.ignored or any(rule.covers(self.names[m], label) for rule in rules):
                    continue
                share = 1.0
                if part in rest:
                    rows.append([m, rest[part], WITH_REST, -1])
                else:
                    low, high = sorted((m, own[part]), key=lambda one: int(self.carriers[one]))
                    rows.append([low, high, WITH_OWN, -1])
                    share = self._filled[m - len(self.own)]
                gaps.append(float(share * self.radii[m] + body.capsule_radii[part]))
        return np.array(rows, dtype=np.int64).reshape(-1, 4), np.array(gaps, dtype=np.float64)

    @property
    def _filled(self) -> list[float]:
        """Share of each load's capsule radius that its shape fills for certain: what is held is near the forearm."""
        return [1.0 if load.exact else _FILLED for load in self.loads for _ in load.radii]

    def depths(self, world: World) -> FloatArray:
        """``(own, solids)`` how deep each part may be in each solid [m]."""
        return self.stage.shared(("depths", *self._key, world.names), lambda: self._depths(world))

    def _depths(self, world: World) -> FloatArray:
        known: dict[str, FloatArray] = {}
        rules = {obstacle: self._rules_on(obstacle) for obstacle in world.names}
        for m, name in enumerate(self.names):
            if name not in known:
                label = f"{self.stage.character}.{name}" if m < len(self.own) else name
                known[name] = np.array([_depth(label, obstacle, rules[obstacle]) for obstacle in world.names])
        return np.array([known[name] for name in self.names]).reshape(len(self.names), len(world))

    def _rules_on(self, name: str) -> list[ContactRule]:
        """The rules that speak of something."""
        return [rule for rule in self.rules if rule.covers(name, rule.a) or rule.covers(name, rule.b)]


def _depth(label: str, obstacle: str, rules: Sequence[ContactRule]) -> float:
    """How deep one thing may be in another [m]."""
    allowed = max((rule.max_depth_m for rule in rules if rule.covers(label, obstacle)), default=0.0)
    return max(allowed - _DEPTH_KEPT_M, 0.0)


def seen(places: FloatArray, turns: FloatArray, joints: IntArray, ends: FloatArray, frames: IntArray) -> FloatArray:
    """Segments ``(grid, parts, 6)`` of ``ends`` on ``joints``, seen from the joints ``frames`` (-1: the world)."""
    from understudy.limbs._window_kernels import seen_segments

    out = np.empty((len(places), len(joints), 6))
    seen_segments(places, turns, frozen_indices(joints), frozen(ends), frozen_indices(frames), out)
    return out
