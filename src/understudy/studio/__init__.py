"""The studio: a page in the browser in which every engine is used by hand, and the server behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from understudy.studio.serving import serve

__all__ = ["serve"]


def __getattr__(name: str) -> Any:
    if name == "serve":
        from understudy.studio.serving import serve

        return serve
    raise AttributeError(f"module 'understudy.studio' has no attribute {name!r}")
