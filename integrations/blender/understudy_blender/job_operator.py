"""What all four jobs share: gather, run, bring in, and say what happened."""

from __future__ import annotations

import shutil
from typing import Any, ClassVar

import bpy

from .bringing import brought, held_remark
from .bringing_things import brought_thing
from .command import Runner, found_command
from .errors import CancelledError, JobError
from .gathering import Request, chosen_armature, gathered
from .jobs import Found, Job
from .running import Run
from .settings import preferences

#: [s] between looks at a job that runs.
_LOOK_S = 0.1


class JobOperator:
    """Base of the operators; with windows a job runs in a thread, without it runs at once."""

    bl_options: ClassVar = {"REGISTER", "UNDO"}
    #: Names new actions: "Walk correct".
    verb = ""
    #: Whether the new action is no change of the old one.
    afresh = False

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the job can be asked for."""
        return context.mode in ("OBJECT", "POSE") and chosen_armature(context) is not None

    def gather(self, context: bpy.types.Context) -> Request:
        """What the job works on."""
        return gathered(context)

    def job(self, context: bpy.types.Context, request: Request) -> Job:
        """What to ask of understudy."""
        raise NotImplementedError

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Run to the end, then return."""
        try:
            run = self._begun(context)
        except JobError as error:
            return self._refused(context, error)
        return self._ended(context, run)

    def invoke(self, context: bpy.types.Context, event: Any) -> set[str]:
        """Run in a thread; Blender stays usable, Esc cancels."""
        return self.execute(context) if bpy.app.background else self.begin(context)

    def begin(self, context: bpy.types.Context) -> set[str]:
        """Start the thread and look after it from now on."""
        try:
            self._run = self._begun(context)
        except JobError as error:
            return self._refused(context, error)
        self._run.start()
        manager = context.window_manager
        self._timer = manager.event_timer_add(_LOOK_S, window=context.window)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: Any) -> set[str]:
        """Look after the thread."""
        if event.type == "ESC" and event.value == "PRESS":
            self._run.cancel()
            return {"RUNNING_MODAL"}
        if event.type != "TIMER" or self._run.running:
            context.workspace.status_text_set(f"Understudy: {self._run.doing} ... (Esc cancels)")
            return {"PASS_THROUGH"}
        context.window_manager.event_timer_remove(self._timer)
        context.workspace.status_text_set(None)
        return self._ended(context, self._run)

    def cancel(self, context: bpy.types.Context) -> None:
        """Blender ends the operator, as when another file is opened."""
        self._run.cancel()

    def _begun(self, context: bpy.types.Context) -> Run:
        command = found_command(preferences(context).command)
        self._request = self.gather(context)
        try:
            job = self.job(context, self._request)
        except JobError:
            self._tidied(context)
            raise
        return Run(job, Runner(command, self._request.package.folder))

    def _ended(self, context: bpy.types.Context, run: Run) -> set[str]:
        """Bring the motion in, or say why there is none."""
        try:
            return self._brought(context, run.result())
        except JobError as error:
            return self._refused(context, error)
        finally:
            self._tidied(context)

    def _tidied(self, context: bpy.types.Context) -> None:
        if not preferences(context).keep:
            shutil.rmtree(self._request.package.folder, ignore_errors=True)

    def _brought(self, context: bpy.types.Context, answer: Found) -> set[str]:
        request = self._request
        armature = bpy.data.objects.get(request.armature)
        if armature is None:
            raise JobError(f'the armature "{request.armature}" is gone')
        before = armature.animation_data.action if armature.animation_data else None
        found = brought(
            context,
            armature,
            request.source,
            answer.clip,
            first_frame=request.frames.start,
            name=f"{before.name if before else armature.name} {self.verb}",
            afresh=self.afresh,
        )
        for path in answer.carried:
            one = next((bpy.data.objects.get(own) for own, name in request.names.items() if name == path.name), None)
            if one is not None:
                brought_thing(context, one, path, request, f"{one.name} {self.verb}")
        for remark in (*request.remarks, held_remark(found)):
            if remark:
                self.report({"WARNING"}, remark)
        self._say(context, {"INFO"}, f'new action "{found.action.name}"')
        return {"FINISHED"}

    def _refused(self, context: bpy.types.Context, error: JobError) -> set[str]:
        self._say(context, {"WARNING"} if isinstance(error, CancelledError) else {"ERROR"}, str(error))
        return {"CANCELLED"}

    def _say(self, context: bpy.types.Context, kind: set[str], text: str) -> None:
        context.scene.understudy.said = text
        self.report(kind, text)
