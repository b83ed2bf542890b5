"""What the add-on does behind windows, played without one, for ``headless_session.py``."""

from __future__ import annotations

import time
import types
from typing import ClassVar

import bpy
from headless_stage import box, staged
from understudy_blender import job_operator, operators, panel


class Watched:
    """Blender's context with a window that is not there."""

    def __init__(self):
        self.calls, self.window = [], None
        self.window_manager = self.workspace = self

    def __getattr__(self, name):
        return getattr(bpy.context, name)

    def event_timer_add(self, seconds, window):
        self.calls.append("timer")
        return self

    def modal_handler_add(self, operator):
        self.calls.append("handler")

    def event_timer_remove(self, timer):
        self.calls.append("timer removed")

    def status_text_set(self, text):
        self.calls.append(text)


class Asked(job_operator.JobOperator):
    """Correct without Blender's part of an operator."""

    verb, job = "corrected", operators.UNDERSTUDY_OT_correct.job

    def __init__(self):
        self.reports = []

    def report(self, kind, text):
        self.reports.append((sorted(kind), text))


def watched(presses_escape):
    """The job in its thread, as it runs behind a window."""
    _, armature = staged("walk.bvh")
    box("box", 0.3, (3, 0, 0.3))
    operator, context, event = Asked(), Watched(), types.SimpleNamespace
    outcome, looks = operator.begin(context), 0
    while outcome & {"RUNNING_MODAL", "PASS_THROUGH"}:
        time.sleep(0.05)
        looks += 1
        pressed = presses_escape and looks == 3
        outcome = operator.modal(context, event(type="ESC" if pressed else "TIMER", value="PRESS" if pressed else ""))
    return {
        "outcome": sorted(outcome),
        "reports": operator.reports,
        "calls": context.calls,
        "action": armature.animation_data.action.name,
        "left_over": operator._request.package.folder.exists(),
    }


def finished_in_a_thread():
    return watched(False)


def cancelled():
    return watched(True)


class Drawn:
    """A layout that knows what Blender would refuse."""

    icons: ClassVar = set(bpy.types.UILayout.bl_rna.functions["prop"].parameters["icon"].enum_items.keys())
    shown: ClassVar = []

    def box(self):
        return self

    def label(self, text, icon="NONE"):
        assert icon in self.icons, icon
        self.shown.append(text)

    def prop(self, owner, name):
        assert name in owner.bl_rna.properties, name

    def operator(self, name, icon):
        assert icon in self.icons, icon
        assert getattr(bpy.ops.understudy, name.split(".")[1]).get_rna_type()
        self.shown.append(name)


def drawn():
    """The panel with and without an armature."""
    scene, armature = staged("walk.bvh")
    scene.understudy.said = "word " * 30
    scene.understudy.walk_to = scene.understudy.reach_for = "OBJECT"
    panel.UNDERSTUDY_PT_jobs.draw(types.SimpleNamespace(layout=Drawn()), bpy.context)
    bpy.data.objects.remove(armature)
    panel.UNDERSTUDY_PT_jobs.draw(types.SimpleNamespace(layout=Drawn()), bpy.context)
    return Drawn.shown
