"""The studio: a page in the browser in which every engine is used by hand, and the server behind it."""

from understudy.studio.serving import serve

__all__ = ["serve"]
