"""From what is selected in Blender to what a job works on."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import bpy
import numpy as np

from .axes import to_y_up, uniform_scale
from .errors import JobError
from .jobs import Package
from .names import thing_names
from .sampling import frame_rate, frames_of, rig_of, sampled, unit_of
from .settings import preferences
from .transfer import Recording, Sent, sent
from .visible import surroundings


@dataclass(eq=False)
class Request:
    """Everything about one job that is known before it runs.

    Attributes:
        armature: The object's name.
        source: What was sent, and the way back.
        package: What the job works on.
        frames: The frames that were sent.
        names: Object name -> name in the scene file.
        remarks: What could not be sent as it is.
    """

    armature: str
    source: Sent
    package: Package
    frames: range
    names: dict[str, str]
    remarks: list[str] = field(default_factory=list)

    def seconds(self, frame: float) -> float:
        """When a frame is, in the motion's time [s]."""
        return (frame - self.frames.start) / self.package.clip.fps


def chosen_armature(context: bpy.types.Context) -> bpy.types.Object | None:
    """The active object if it is an armature, else the one armature that is selected."""
    active = context.view_layer.objects.active
    if active is not None and active.type == "ARMATURE":
        return active
    armatures = [one for one in context.view_layer.objects if one.type == "ARMATURE" and one.select_get()]
    return armatures[0] if len(armatures) == 1 else None


def gathered(context: bpy.types.Context, frames: range | None = None) -> Request:
    """The chosen armature and its surroundings over frames, those of the settings unless given.

    Raises:
        JobError: No armature is chosen, or it cannot be sent.
    """
    armature = chosen_armature(context)
    if armature is None:
        raise JobError("choose one armature: make it the active object, or select it and no other armature")
    scene, settings, wishes = context.scene, context.scene.understudy, preferences(context)
    frames = frames_of(context, armature, settings.span) if frames is None else frames
    if len(frames) < 2:
        raise JobError(f'the action of "{armature.name}" has one frame; a motion needs two at least')
    name = thing_names([armature.name])[armature.name]
    around = surroundings(context, armature, name)
    poses, places, elsewhere = sampled(context, armature, frames, around.objects)
    if any(uniform_scale(place) is None for place in places[[0, -1]]):
        raise JobError(f'"{armature.name}" is scaled unevenly or mirrored; apply its scale (Ctrl A) first')
    unit_m = unit_of(scene)
    source = sent(Recording(rig_of(armature), poses, places, frame_rate(scene), unit_m))
    options = ["--seed", str(settings.seed)]
    if wishes.deadline > 0.0:
        options += ["--deadline", f"{wishes.deadline:g}"]
    package = Package(
        folder=Path(tempfile.mkdtemp(prefix="understudy-")),
        clip=source.clip,
        things=around.things(elsewhere, unit_m),
        character=name,
        options=options,
    )
    return Request(armature.name, source, package, frames, around.names, [*source.remarks, *around.remarks])


def point_of(context: bpy.types.Context, place: str, one: bpy.types.Object | None) -> np.ndarray:
    """``(3,)`` [m], Y up: where the cursor or an object is.

    Raises:
        JobError: There is no such object.
    """
    if place == "CURSOR":
        where = context.scene.cursor.location
    elif one is not None:
        where = one.matrix_world.translation
    else:
        raise JobError("choose an object as the goal")
    return to_y_up(np.array(where), unit_of(context.scene))


def heading_of(context: bpy.types.Context, place: str, one: bpy.types.Object | None) -> float:
    """The way the -Y axis of the cursor or an object points, in degrees: 0 is Understudy's +Z, 90 its +X."""
    matrix = context.scene.cursor.matrix if place == "CURSOR" or one is None else one.matrix_world
    ahead = to_y_up(-np.array(matrix)[:3, 1], 1.0)
    return float(np.rad2deg(np.arctan2(ahead[0], ahead[2])))
