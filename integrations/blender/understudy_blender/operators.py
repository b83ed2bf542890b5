"""The four jobs as Blender's operators."""

from __future__ import annotations

import bpy

from . import jobs
from .errors import JobError
from .gathering import Request, chosen_armature, gathered, heading_of, point_of
from .job_operator import JobOperator


class UNDERSTUDY_OT_correct(JobOperator, bpy.types.Operator):  # noqa: N801
    """Lead limbs around what they touch, into a new action."""

    bl_idname, bl_label, verb = "understudy.correct", "Correct", "corrected"

    def job(self, context: bpy.types.Context, request: Request) -> jobs.Job:
        """Ask for limbs that touch nothing."""
        return jobs.correct(request.package, sorted(context.scene.understudy.limbs))


class UNDERSTUDY_OT_reach(JobOperator, bpy.types.Operator):  # noqa: N801
    """Bring a hand to the target at the current frame, in a new action."""

    bl_idname, bl_label, verb = "understudy.reach", "Reach", "reaching"

    def job(self, context: bpy.types.Context, request: Request) -> jobs.Job:
        """Ask for a hand at a place."""
        frame, sent = context.scene.frame_current, request.frames
        if not sent.start <= frame < sent.stop:
            raise JobError(f"the current frame {frame} is not one of those sent ({sent.start} to {sent.stop - 1})")
        settings = context.scene.understudy
        return jobs.reach(request.package, settings.hand, self._target(context, request), request.seconds(frame))

    def _target(self, context: bpy.types.Context, request: Request) -> str:
        settings, active = context.scene.understudy, context.view_layer.objects.active
        one = None
        if settings.reach_for == "OBJECT":
            one = settings.reach_object or (active if active != chosen_armature(context) else None)
            if one is None:
                raise JobError("choose the object to reach for, or make it the active one beside the selected armature")
            if one.name in request.names:
                return request.names[one.name]
        return ",".join(f"{value:.6f}" for value in point_of(context, settings.reach_for, one))


class UNDERSTUDY_OT_perform(JobOperator, bpy.types.Operator):  # noqa: N801
    """Do the tasks of a text on top of the action, in a new action."""

    bl_idname, bl_label, verb = "understudy.perform", "Perform", "performed"

    def job(self, context: bpy.types.Context, request: Request) -> jobs.Job:
        """Ask for tasks to be done."""
        text = context.scene.understudy.tasks
        if text is None:
            raise JobError("choose a text with [[task]] entries")
        return jobs.perform(request.package, text.as_string())


class UNDERSTUDY_OT_walk(JobOperator, bpy.types.Operator):  # noqa: N801
    """Walk from where the armature is now to the goal, in a new action that begins at the current frame."""

    bl_idname, bl_label, verb, afresh = "understudy.walk", "Walk", "walking", True

    def gather(self, context: bpy.types.Context) -> Request:
        """The armature as it stands, and its surroundings from the current frame on."""
        now = context.scene.frame_current
        return gathered(context, range(now, max(now + 2, context.scene.frame_end + 1)))

    def job(self, context: bpy.types.Context, request: Request) -> jobs.Job:
        """Ask for a walk."""
        settings = context.scene.understudy
        x, _, z = point_of(context, settings.walk_to, settings.walk_object)
        goal = [float(x), float(z)]
        heading = heading_of(context, settings.walk_to, settings.walk_object) if settings.face_goal else None
        library = settings.library.strip() or "builtin"
        if library != "builtin":
            library = bpy.path.abspath(library)
        return jobs.walk(request.package, library, jobs.Goal(goal[0], goal[1], heading, settings.stop))


OPERATORS = (UNDERSTUDY_OT_walk, UNDERSTUDY_OT_correct, UNDERSTUDY_OT_reach, UNDERSTUDY_OT_perform)
