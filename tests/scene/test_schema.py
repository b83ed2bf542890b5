"""The published JSON Schema is the vocabulary the reader has."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from scene.scene_texts import FULL
from understudy.errors import SceneError
from understudy.scene import TaskKind, add_kind, load_scene, save_scene
from understudy.scene.schema import scene_schema, schema_text
from understudy.scene.tasks import BUILT_IN

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
    assert set(schema["properties"]["task"]["items"]["discriminator"]["mapping"]) == set(BUILT_IN)
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


@pytest.mark.usefixtures("own_task_kinds")
def test_kinds_of_tasks_that_were_added_are_read_and_saved(tmp_path: Path) -> None:
    add_kind("wave", TaskKind(about="wave at somebody", needs=("object",), may=("hand",)))
    path = tmp_path / "wave.toml"
    path.write_text(
        """
        object = [{ name = "ball", shape = { kind = "sphere", radius = 0.1 }, at = [0, 1, 2] }]
        character = [{ name = "anna", start = [0, 0] }]
        task = [{ character = "anna", do = "wave", object = "ball", hand = "left" }]
        """,
        encoding="utf-8",
    )
    (task,) = load_scene(path).tasks
    assert (task.do, task.object, task.hand) == ("wave", "ball", "left")
    assert load_scene(save_scene(load_scene(path), tmp_path / "again.toml")).tasks == (task,)
    path.write_text(path.read_text("utf-8").replace('object = "ball", hand', "hand"), encoding="utf-8")
    with pytest.raises(SceneError, match="object"):
        load_scene(path)
    assert "wave" not in schema_text()
