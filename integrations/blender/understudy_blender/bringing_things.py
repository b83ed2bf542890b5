"""The path of a thing that a hand has taken, as a new action of its own."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from . import curves
from .axes import Y_UP, to_z_up
from .carried import Carried
from .gathering import Request
from .rotation_modes import TURNS, turn_property, turn_values
from .sampling import numbered, sampled_object


def brought_thing(context: bpy.types.Context, one: Any, path: Carried, request: Request, name: str) -> Any:
    """Give an object a new action with its path in it; an action it has stays as it is.

    Args:
        context: Blender's.
        one: The object.
        path: Where it is, away from how it was sent.
        request: What was sent.
        name: Of the new action.
    """
    frames = numbered(context.scene, request.frames.start, len(path.places), request.package.clip.fps)
    places, own = sampled_object(context, one, frames)
    wanted = np.tile(np.eye(4), (len(frames), 1, 1))
    wanted[:, :3, :3] = Y_UP.T @ path.places[:, :3, :3] @ Y_UP @ places[0, :3, :3]
    wanted[:, :3, 3] = to_z_up(path.places[:, :3, 3], request.source.unit_m)
    # What its parents add to an object is what its own part leaves of its place.
    wanted = np.linalg.solve(places @ np.linalg.inv(own), wanted)
    before, slot = (one.animation_data.action if one.animation_data else None), curves.slot_name(one)
    action = curves.duplicated(one, name) if before else curves.empty_action(one, name)
    curves.assign(one, action, slot if before else "")
    every = curves.curves(one)
    for curve in [curve for curve in every if curve.data_path in ("location", *TURNS)]:
        every.remove(curve)
    scales = np.linalg.norm(wanted[:, :3, :3], axis=1)
    curves.key(one, "location", "Object Transforms", frames, wanted[:, :3, 3])
    turned = turn_values(one.rotation_mode, wanted[:, :3, :3] / scales[:, None, :])
    curves.key(one, turn_property(one.rotation_mode), "Object Transforms", frames, turned)
    if before is not None:
        before.use_fake_user = True  # else it would be gone from the saved file
    return action
