"""Edits by working mode; importing this room registers all of them."""

from understudy.studio.modes import crowd, general, interaction, limbs, postures, tasks, walk

__all__ = ["crowd", "general", "interaction", "limbs", "postures", "tasks", "walk"]
