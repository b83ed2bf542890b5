"""The example scene files, as the start screen offers them: whatever lies in ``examples/scenes`` is there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from understudy.core.table_text import read_text


@dataclass(frozen=True)
class ExampleScene:
    """A scene file; its name is the title, its first comment says what happens."""

    path: Path

    @property
    def name(self) -> str:
        """How pages ask for it: ``limbs/kitchen``."""
        return f"{self.path.parent.name}/{self.path.stem}"

    @cached_property
    def title(self) -> str:
        """For people."""
        title = str(read_text(self.path).values.get("name") or self.path.stem.replace("_", " "))
        return title[:1].upper() + title[1:]

    @cached_property
    def about(self) -> str:
        """The comment at the top, up to its first full stop."""
        lines = []
        for line in self.path.read_text(encoding="utf-8").splitlines():
            if not line.startswith("#"):
                break
            lines.append(line.lstrip("# "))
        return " ".join(lines) or "Run its tasks."


def example_scenes() -> list[ExampleScene]:
    """All of them, by folder and name."""
    folder = _folder()
    return [] if folder is None else [ExampleScene(path) for path in sorted(folder.glob("*/*.toml"))]


def _folder() -> Path | None:
    """Where they are: in the installed package, or in the checkout it runs from."""
    here = Path(__file__).resolve()
    places = (here.parent / "scenes", here.parents[3] / "examples" / "scenes")
    return next((place for place in places if place.is_dir()), None)
