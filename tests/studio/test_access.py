"""Who the server lets in."""

from __future__ import annotations

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx2")

from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from understudy.studio.access import MOST_BYTES, Access

HOST = "127.0.0.1:9"


async def _line(socket: WebSocket) -> None:
    await socket.accept()
    await socket.send_text("hello")


@pytest.fixture
def client() -> TestClient:
    routes = [Route("/", lambda request: PlainTextResponse("in", 200), methods=["GET", "POST"])]
    app = Starlette(routes=[*routes, WebSocketRoute("/line", _line)])
    return TestClient(Access(app, token="secret", hosts=frozenset({HOST})), base_url=f"http://{HOST}")


def test_only_who_knows_the_token_comes_in_and_a_cookie_remembers_it(client: TestClient):
    assert client.get("/").status_code == 401
    assert client.get("/?token=secreT").status_code == 401
    answer = client.get("/?token=secret")
    assert answer.text == "in"
    assert "httponly" in answer.headers["set-cookie"].lower()
    assert "samesite=strict" in answer.headers["set-cookie"].lower()
    assert client.get("/").status_code == 200, "the cookie is enough from now on"


def test_the_page_may_load_nothing_from_elsewhere(client: TestClient):
    policy = client.get("/?token=secret").headers["content-security-policy"]
    assert policy.startswith("default-src 'self'")
    assert "http" not in policy and "*" not in policy and "eval" not in policy


@pytest.mark.parametrize("headers", [{"origin": "http://evil.example"}, {"origin": "http://127.0.0.1:10"}])
def test_other_pages_are_refused_even_with_the_token(client: TestClient, headers: dict[str, str]):
    assert client.get("/?token=secret", headers=headers).status_code == 403
    with (
        pytest.raises(WebSocketDisconnect) as refused,
        client.websocket_connect("/line?token=secret", headers={"host": HOST, **headers}),
    ):
        pass
    assert refused.value.code == 4403


def test_another_host_name_is_refused(client: TestClient):
    # A name that was made to point at this machine (DNS rebinding) is not one the studio answers to.
    assert client.get("/?token=secret", headers={"host": "evil.example:9"}).status_code == 421


def test_the_line_needs_the_token_too(client: TestClient):
    with pytest.raises(WebSocketDisconnect) as refused, client.websocket_connect("/line", headers={"host": HOST}):
        pass
    assert refused.value.code == 4401
    with client.websocket_connect("/line?token=secret", headers={"host": HOST}) as line:
        assert line.receive_text() == "hello"


def test_what_is_too_large_is_refused_before_it_is_read(client: TestClient):
    answer = client.post("/?token=secret", headers={"content-length": str(MOST_BYTES + 1)}, content=b"")
    assert answer.status_code == 413
    assert "64 MB" in answer.text
