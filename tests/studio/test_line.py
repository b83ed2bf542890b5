"""The line to a page: blocks come once, ahead of the first state that names them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from understudy.studio.app import studio_app
from understudy.studio.desk import Desk
from understudy.studio.examples import open_example
from understudy.studio.shelf import Shelf
from understudy.studio.view import named_assets

HOST = "127.0.0.1:8000"


@pytest.fixture
def desk() -> Iterator[Desk]:
    shelf = Shelf()
    made = Desk(open_example("posts", shelf), shelf=shelf)
    yield made
    made.close()


def until_state(line: Any) -> tuple[dict[str, bytes], dict[str, Any]]:
    """Blocks received, and the state after them."""
    blocks = {}
    while True:
        message = line.receive()
        if message.get("bytes") is not None:
            blocks[message["bytes"][:32].decode()] = message["bytes"][32:]
        elif "state" in (told := json.loads(message["text"])):
            return blocks, told["state"]


def test_blocks_come_before_the_state_that_names_them_and_only_once(desk: Desk) -> None:
    client = TestClient(studio_app(desk, token="secret", hosts=frozenset({HOST})), base_url=f"http://{HOST}")
    with client.websocket_connect("/line?token=secret", headers={"host": HOST}) as line:
        blocks, state = until_state(line)
        assert set(blocks) == set(named_assets(state))
        assert all(block == desk.assets.get(name) for name, block in blocks.items())
        line.send_text(json.dumps({"id": 1, "do": "thing.place", "with": {"name": "post", "position": [1, 0.55, 1]}}))
        more, moved = until_state(line)
        assert moved["serial"] > state["serial"]
        assert more == {}, "what has moved is known already"
    with client.websocket_connect("/line?token=secret", headers={"host": HOST}) as line:
        again, _ = until_state(line)
        assert set(again) == set(blocks), "another page knows nothing yet"
