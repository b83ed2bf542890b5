"""Edits by working mode; importing this room registers all of them."""

from understudy.studio.modes import general, walk

__all__ = ["general", "walk"]
