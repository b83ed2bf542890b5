"""Edits by working mode; importing this room registers all of them."""

from understudy.studio.modes import general, limbs, postures, walk

__all__ = ["general", "limbs", "postures", "walk"]
