"""The published JSON Schema is the vocabulary the reader has."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from scene.scene_texts import FULL
from understudy.scene.schema import scene_schema, schema_text
from understudy.scene.tasks import KINDS

CHECKOUT = Path(__file__).resolve().parents[2]


def test_the_published_schema_is_up_to_date() -> None:
    published = (CHECKOUT / "docs" / "scene.schema.json").read_text("utf-8")
    assert published == schema_text(), "run: python -m understudy.scene.schema docs/scene.schema.json"


def test_the_schema_names_every_table_shape_and_task() -> None:
    schema = scene_schema()
    tables = {"object", "character", "task", "attachment", "contact"}
    assert set(schema["properties"]) == {"name", "floor", "version", *tables}
    kinds = set(schema["$defs"]["ObjectEntry"]["properties"]["shape"]["discriminator"]["mapping"])
    assert kinds == {"sphere", "box", "capsule", "cylinder", "halfspace", "hull", "mesh"}
    assert set(schema["properties"]["task"]["items"]["discriminator"]["mapping"]) == set(KINDS)
    assert schema["$defs"]["ObjectEntry"]["additionalProperties"] is False
    assert "heading_deg" in schema["$defs"]["WalkToTask"]["properties"]
    assert schema["$defs"]["OpenDoorTask"]["required"] == ["character", "do", "object"]
    json.dumps(schema)


def test_a_full_scene_file_fits_the_schema() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    check = jsonschema.Draft202012Validator(scene_schema())
    assert not list(check.iter_errors(tomllib.loads(FULL)))
    assert list(check.iter_errors(tomllib.loads(FULL.replace("radius = 0.03", "radius = 0"))))
    assert list(check.iter_errors(tomllib.loads(FULL.replace("yaw_deg", "yaw_dg"))))
