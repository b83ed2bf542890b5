"""The page's types are made from the server's; what the server sends has them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from understudy.errors import OptionError
from understudy.scene import Scene
from understudy.studio.desk import Desk
from understudy.studio.edits import OpenArguments, arguments
from understudy.studio.messages import State
from understudy.studio.notebook import page_text
from understudy.studio.project import Project

CHECKOUT = Path(__file__).resolve().parents[2]


def test_the_pages_types_are_up_to_date() -> None:
    # In a process of its own: other tests add edits to this one.
    code = "import runpy, sys; sys.stdout.write(runpy.run_path(sys.argv[1])['typescript']())"
    command = [sys.executable, "-c", code, str(CHECKOUT / "tools" / "message_types.py")]
    made = subprocess.run(command, capture_output=True, text=True, check=True, timeout=900).stdout
    published = (CHECKOUT / "web" / "src" / "protocol.ts").read_text("utf-8")
    assert published == made, "run: python tools/message_types.py"


def test_a_state_has_just_the_keys_of_its_type() -> None:
    desk = Desk(Project(scene=Scene(name="room")))
    try:
        assert set(desk.state()) == set(State.__annotations__)
    finally:
        desk.close()


@pytest.mark.parametrize("values", [None, [], ["room"], "room", 3, {"example": 3}, {"sample": "room"}])
def test_an_example_is_asked_for_by_name(values: Any) -> None:
    with pytest.raises(OptionError, match='edit "open"'):
        arguments("open", OpenArguments, values)


def test_names_cannot_leave_the_script_that_they_stand_in() -> None:
    name = "</SCRIPT><svg onload=alert(1)><!--"
    page = page_text(Project(scene=Scene(name=name)))
    held = page.partition("window.understudyEmbedded=")[2].partition("</script>")[0]
    assert "<" not in held
    assert json.loads(held)["state"]["name"] == name
    assert page.lower().count("</script") == 2
