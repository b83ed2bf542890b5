"""How long a hand touches what it handles: a claim speaks of that time, and a moment before and after."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.collision import ShapePose, shape_distance
from understudy.scene.contacts import ContactRule
from understudy.scene.scene import Scene
from understudy.scene.shapes import Capsule

#: [m] a hand nearer than this touches; [s] kept before and after, and [Hz] how often one looks.
_TOUCHES_M, _AROUND_S, _LOOKS_HZ = 0.001, 0.1, 60.0


def lasting(scene: Scene, rule: ContactRule) -> ContactRule:
    """The rule of a part of somebody's body and an object, for as long as the two touch within its time."""
    if rule.b not in {one.name for one in scene.objects}:
        return rule  # somebody else's body part
    owner, _, part = rule.a.partition(".")
    person = scene.character(owner)
    body, shape = person.fitted_body, scene.object(rule.b).shape
    start_s, end_s = max(rule.start_s, person.start_s), min(rule.end_s, person.end_s)
    times = np.linspace(start_s, end_s, max(round((end_s - start_s) * _LOOKS_HZ), 1) + 1)
    number = body.capsule(part)
    starts, ends = (one[:, number] for one in body.capsule_segments(*person.joints(times)))
    limb = Capsule(radius_m=float(body.capsule_radii[number]), length_m=float(np.linalg.norm(ends[0] - starts[0])))
    places, turns = scene.object_track(rule.b, times)
    gaps = [
        shape_distance(
            limb,
            ShapePose(0.5 * (a + b), rot.shortest_arc(np.array([0.0, 1.0, 0.0]), b - a)),
            shape,
            ShapePose(at, turn),
        ).distance_m
        for a, b, at, turn in zip(starts, ends, places, turns, strict=True)
    ]
    touching = times[np.array(gaps) < _TOUCHES_M]
    if not len(touching):
        return rule
    first_s, last_s = float(touching[0]) - _AROUND_S, float(touching[-1]) + _AROUND_S
    return replace(rule, start_s=max(rule.start_s, first_s), end_s=min(rule.end_s, last_s))
