"""Damaged scene files raise our errors and nothing else."""

from __future__ import annotations

import json
import random
import tomllib
from pathlib import Path

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scene.scene_texts import FULL, loaded
from understudy.errors import UnderstudyError
from understudy.scene import load_scene, save_scene

WORDS = [
    "nan", "inf", "-1", "0", "1e400", "9" * 400, '""', '"x"', "[]", "{}", "true", "[[[]]]", "[nan, nan, nan]",
    "1979-05-27", '"\\u0000"', '"anna.right_hand"', '"floor"', "[[object]]", "[object]", "=", "\n", '"""', "#",
]  # fmt: skip


@given(chance=st.randoms(use_true_random=False))
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damaged_texts_raise_only_our_errors(chance: random.Random, folder: Path) -> None:
    text = FULL
    for _ in range(chance.randint(1, 4)):
        lines = text.split("\n")
        row = chance.randrange(len(lines))
        kind = chance.randrange(5)
        if kind == 0:
            del lines[row]
        elif kind == 1:
            lines.insert(chance.randrange(len(lines)), lines[row])
        elif kind == 2 and "=" in lines[row]:
            lines[row] = lines[row].split("=")[0] + "= " + chance.choice(WORDS)
        elif kind == 3:
            at = chance.randint(0, len(lines[row]))
            lines[row] = lines[row][:at] + chance.choice(WORDS) + lines[row][at + chance.randint(0, 6) :]
        else:
            other = chance.randrange(len(lines))
            lines[row], lines[other] = lines[other], lines[row]
        text = "\n".join(lines)
    try:
        scene = loaded(folder, text)
    except UnderstudyError as error:
        assert str(error)
        return
    assert np.isfinite(scene.at(1.0).positions).all()
    save_scene(scene, folder / "again.toml")
    assert load_scene(folder / "again.toml") == scene


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=6,
)


@given(data=st.data())
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_value_anywhere_raises_only_our_errors(data, folder: Path) -> None:
    values = tomllib.loads(FULL)
    spots: list[tuple] = []

    def collect(value, at: tuple) -> None:
        inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, one in inside:
            spots.append((*at, key))
            collect(one, (*at, key))

    collect(values, ())
    *path, last = data.draw(st.sampled_from(spots))
    table = values
    for step in path:
        table = table[step]
    table[last] = data.draw(json_values)
    try:
        scene = loaded(folder, json.dumps(values), "scene.json")
    except UnderstudyError as error:
        assert str(error)
        return
    scene.at(0.5)
