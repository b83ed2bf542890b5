"""Lines of entries in TOML and JSON texts."""

from __future__ import annotations

import json
import tomllib

from hypothesis import given, settings
from hypothesis import strategies as st

from understudy.core.table_lines import json_lines, line_of, toml_lines
from understudy.core.table_text import json_text, toml_text

TOML = '''\
# a comment with [brackets] and "quotes"
name = "a # not a comment"

[[object]]
name = "first"
shape = { kind = "box", size = [1, 2, 3] } # [[object]]
text = """
[[object]]
name = "not me"
"""

[[object]]
name = 'sec"ond'
shape.kind = "sphere"
"quoted.key" = 1
list = [
    1,
    # between
    [2, 3],
    { a = 1, b = "}" },
]

  [object.hinge]
  axis_at = [1, 2, 3]

  [[object.handles]]
  name = "left"
  [[object.handles]]
  name = "right"
  at = [0,
    1, 2]

[other]
x = 1979-05-27T07:32:00Z
y = \'\'\'it's \'quoted\'\'\'\'
z = -inf
'''


def test_tables_keys_and_elements_of_toml() -> None:
    lines = toml_lines(TOML)
    numbered = TOML.splitlines()
    expected = {
        ("name",): 2,
        ("object", 0): 4,
        ("object", 0, "shape"): 6,
        ("object", 0, "shape", "size"): 6,
        ("object", 0, "text"): 7,
        ("object", 1): 12,
        ("object", 1, "name"): 13,
        ("object", 1, "shape", "kind"): 14,
        ("object", 1, "quoted.key"): 15,
        ("object", 1, "list"): 16,
        ("object", 1, "list", 0): 17,
        ("object", 1, "list", 1): 19,
        ("object", 1, "list", 1, 1): 19,
        ("object", 1, "list", 2, "b"): 20,
        ("object", 1, "hinge"): 23,
        ("object", 1, "hinge", "axis_at"): 24,
        ("object", 1, "handles", 0, "name"): 27,
        ("object", 1, "handles", 1, "name"): 29,
        ("object", 1, "handles", 1, "at", 2): 31,
        ("other",): 33,
        ("other", "z"): 36,
    }
    assert {place: lines.get(place) for place in expected} == expected, numbered
    assert ("object", 2) not in lines


def test_a_place_without_line_takes_the_one_around_it() -> None:
    lines = toml_lines(TOML)
    assert line_of(lines, ("object", 0, "at", 2)) == 4
    assert line_of(lines, ("object", 0, "shape", "box", "size", 1)) == 6
    assert line_of(lines, ("nothing",)) is None


def test_json_is_walked_the_same_way() -> None:
    text = (
        '{\n  "name": "a: {b",\n  "object": [\n    {"name": "x", "at": [1,\n 2]},\n'
        '    {\n      "sha\\u0070e": {}\n    }\n  ]\n}\n'
    )
    lines = json_lines(text)
    assert lines["object", 0, "at", 1] == 5
    assert lines["object", 1] == 6
    assert lines["object", 1, "shape"] == 7


keys = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
scalars = st.one_of(st.booleans(), st.integers(-(2**60), 2**60), st.floats(allow_nan=False, allow_infinity=False), keys)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=3)),
    max_leaves=8,
)
documents = st.dictionaries(
    st.text("abc_", min_size=1, max_size=4),
    st.one_of(values, st.lists(st.dictionaries(keys, values, max_size=3), min_size=1, max_size=3)),
    max_size=4,
)


def places(value: object, at: tuple = ()) -> set[tuple]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return {(*at, key) for key, _ in inside}.union(*(places(one, (*at, key)) for key, one in inside))


@given(documents)
@settings(max_examples=150)
def test_every_place_of_what_we_write_has_a_line(document: dict) -> None:
    text = toml_text(document)
    assert tomllib.loads(text) == document
    assert places(document) <= set(toml_lines(text))
    text = json_text(document)
    assert json.loads(text) == document
    assert places(document) <= set(json_lines(text))
