"""Who the server lets in."""

from __future__ import annotations

import sys
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx2")

from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from understudy.cli.studio import launch_file
from understudy.studio.access import MOST_BYTES, Access

HOST = "127.0.0.1:9"


async def _line(socket: WebSocket) -> None:
    await socket.accept()
    await socket.send_text("hello")


def _client(token: str = "secret", host: str = HOST, root: str = "/") -> TestClient:
    routes = [Route("/", lambda request: PlainTextResponse("in", 200), methods=["GET", "POST"])]
    app = Starlette(routes=[*routes, WebSocketRoute("/line", _line)])
    return TestClient(Access(app, token=token, hosts=frozenset({host}), root=root), base_url=f"http://{host}")


@pytest.fixture
def client() -> TestClient:
    return _client()


def test_only_who_knows_the_token_comes_in_and_a_cookie_remembers_it(client: TestClient):
    assert client.get("/").status_code == 401
    assert client.get("/?token=secreT").status_code == 401
    answer = client.get("/?token=secret&opened", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/?opened"), "the token leaves the address bar"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=lax" in cookie
    assert client.get("/").text == "in", "the cookie is enough from now on"


def test_two_studios_do_not_lock_each_other_out():
    one, two = _client("first"), _client("second", "127.0.0.1:10")
    cookies = [
        client.get(f"/?token={token}", follow_redirects=False).headers["set-cookie"].split(";")[0]
        for client, token in ((one, "first"), (two, "second"))
    ]
    both = {"cookie": "; ".join(cookies)}
    one.cookies.clear()
    two.cookies.clear()
    assert one.get("/", headers=both).status_code == two.get("/", headers=both).status_code == 200


def test_other_servers_of_the_machine_never_get_the_cookie():
    client = _client(root="/Xy_7-/")
    answer = client.get("/Xy_7-/?token=secret", follow_redirects=False)
    assert answer.headers["location"] == "/Xy_7-/"
    assert "path=/xy_7-/" in answer.headers["set-cookie"].lower()
    assert client.get("/Xy_7-/").text == "in"
    assert client.get("/?token=secret").status_code == 401


@pytest.mark.parametrize(
    "odd",
    [
        "a=b=c",
        "=",
        ";;;",
        "understudy_studio_9",
        'x="\\',
        "k\x80=\xff",
        "understudy_studio_9=\xff\xfe",
        "a" * 60_000,
        "[]={}",
    ],
)
def test_cookies_of_other_programs_change_nothing(client: TestClient, odd: str):
    assert client.get("/", headers={"cookie": odd.encode("latin-1")}).status_code == 401
    both = f"{odd}; understudy_studio_9=secret; {odd}".encode("latin-1")
    assert client.get("/", headers={"cookie": both}).status_code == 200


@pytest.mark.parametrize("length", ["x", "-1", "9" * 400, "1.5", "\xb2"])
def test_odd_lengths_are_refused(client: TestClient, length: str):
    answer = client.get("/?token=secret", headers={"content-length": length.encode("latin-1")})
    assert answer.status_code in (400, 413)


def test_odd_requests_are_answered(client: TestClient):
    rng = np.random.default_rng(0)
    for _ in range(2000):
        query, cookie = (bytes(rng.integers(33, 256, 30).tolist()) for _ in range(2))
        answer = client.get("/?" + quote(query), headers={"cookie": cookie})
        assert answer.status_code == 401


@pytest.mark.skipif(sys.platform == "win32", reason="modes are of POSIX")
def test_the_browser_is_led_by_a_private_file(tmp_path: Path):
    path = launch_file("http://127.0.0.1:9/x/?token=secret&opened", tmp_path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert "url=http://127.0.0.1:9/x/?token=secret&amp;opened" in path.read_text()


def test_the_page_may_load_nothing_from_elsewhere(client: TestClient):
    policy = client.get("/?token=secret").headers["content-security-policy"]
    assert "object-src 'none'" in policy and "frame-ancestors 'none'" in policy
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
