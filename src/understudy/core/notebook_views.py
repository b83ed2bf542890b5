"""How motions and results show themselves in notebooks.

Rooms on this layer know no pages. The public namespace, which may name every room, puts those here that do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

#: By what is shown (``"motion"``, ``"result"``): from it to HTML.
VIEWS: dict[str, Callable[[Any], str]] = {}
