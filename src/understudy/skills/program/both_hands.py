"""What both hands carry: where one stands for it, and legs on which it stays before the chest, in both hands' grip.

The thing goes with the chest, without its sway; both arms follow it at every frame.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy.core.motion import Motion
from understudy.limbs.following import tracked
from understudy.limbs.handling import Span
from understudy.limbs.handling.fronting import before_chest
from understudy.limbs.handling.two_hands import with_arm
from understudy.limbs.window import window_of
from understudy.locomotion.footsteps.joining import fading
from understudy.scene.transforms import compose, seen_from
from understudy.skills.program.here import Here

#: [s] within which a difference in pace fades.
_FADE_S = 0.6


def held_by_both(here: Here) -> Span | None:
    """What both hands of somebody hold now."""
    return next((one for one in here.play.spans if one.object and one.start_s <= 0.0 < one.end_s), None)


def borne_by_both(here: Here, motion: Motion, span: Span) -> Motion | str:
    """A motion whose arms carry what both hold from where it is now; or why they cannot.

    Args:
        here: Who, and what was done before.
        motion: What the body does, continuing that; its arms are free.
        span: What is held.
    """
    assert here.before is not None
    last = here.before.frames(len(here.before) - 2, len(here.before))
    now = here.scene.with_motion(here.name, last, start_s=-1.0 / last.fps)
    joints = {hand: [part[0] for part in now.character(here.name).joint(f"{hand}_hand", [0.0])] for hand in span.hands}
    places, turns = now.object_track(span.object, [-1.0 / last.fps, 0.0])
    pose = (places[1], turns[1])
    scene = here.scene.with_motion(here.name, motion)
    stage = replace(here.play, scene=scene, sources={here.name: motion}).stage(here.name)
    frames = np.arange(len(motion))
    # The sway before it counts too.
    sway = here.before.frames(max(len(here.before) - round(_FADE_S * motion.fps), 0), len(here.before) - 1)
    longer = replace(
        motion,
        root_positions=np.concatenate([sway.root_positions, motion.root_positions]),
        rotations=np.concatenate([sway.rotations, motion.rotations]),
    )
    path = before_chest(stage.with_motion(longer), len(sway), pose)
    # It goes on as fast as it was.
    share = np.minimum(frames / (_FADE_S * motion.fps), 1.0)
    pace = fading(share, _FADE_S)[1][:, None] * motion.fps
    path[0][:] += pace * (places[1] - places[0] - path[0][1] + path[0][0])
    for hand in span.hands:
        poses = compose(*path, *seen_from(*pose, *joints[hand]))
        space = stage.space(f"{hand}_arm")
        window = window_of(stage, space, 0, len(motion) - 1)
        away = space.parameters(here.before.rotations[-1]) - space.parameters(motion.rotations[0])
        offsets = tracked(window, (away + np.pi) % (2.0 * np.pi) - np.pi, range(len(motion)), poses)
        if offsets is None:
            return f"the {hand} arm cannot follow what both hands carry"
        stage = with_arm(stage, window, offsets)
    return stage.motion
