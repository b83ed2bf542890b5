"""Edits by working mode; importing this room registers all of them."""

from understudy.studio.modes import general, interaction, limbs, postures, tasks, walk

__all__ = ["general", "interaction", "limbs", "postures", "tasks", "walk"]
