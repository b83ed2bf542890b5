"""The published JSON Schema of scene files: ``python -m understudy.scene.schema docs/scene.schema.json``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def scene_schema() -> dict[str, Any]:
    """The schema of a scene file, as JSON values."""
    from understudy.scene.file_models import SceneFile

    schema = SceneFile.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "Understudy scene"}


def schema_text() -> str:
    """The schema as the text of its file."""
    return json.dumps(scene_schema(), indent=2, sort_keys=True) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(schema_text(), encoding="utf-8")
