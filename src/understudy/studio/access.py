"""Who may come in: the token in the address, the page's own origin, and how much may be carried."""

from __future__ import annotations

import hmac
from http.cookies import SimpleCookie

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

#: Largest body of a request [bytes].
MOST_BYTES = 64 * 1024 * 1024
#: The cookie that carries the token after the first visit.
COOKIE = "understudy_studio"

_HEADERS = [
    (b"content-security-policy", b"default-src 'self'; img-src 'self' blob: data:; style-src 'self' 'unsafe-inline'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
]


class Access:
    """Lets in requests that know the token and come from the studio's own page.

    Args:
        app: The wrapped application.
        token: In the address of the first visit (``?token=``), in a cookie afterwards.
        hosts: Names under which the server may be spoken to, with the port.
    """

    def __init__(self, app: ASGIApp, *, token: str, hosts: frozenset[str]) -> None:
        self._app = app
        self._token = token
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            await _refuse(scope, receive, send, *refusal)
            return
        await self._app(scope, receive, self._guarded(scope, send))

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        if headers.get("host", "") not in self._hosts:
            return 421, "the studio does not answer to this host name"
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] not in self._hosts:
            return 403, "requests from other pages are refused"
        if int(headers.get("content-length") or 0) > MOST_BYTES:
            return 413, f"the file is larger than {MOST_BYTES // 2**20} MB, the most the studio takes"
        if not self._knows(scope, headers):
            return 401, "open the studio with the address the program printed; it holds a token"
        return None

    def _knows(self, scope: Scope, headers: Headers) -> bool:
        query = dict(pair.partition("=")[::2] for pair in scope["query_string"].decode("latin-1").split("&"))
        cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        given = (query.get("token", ""), "" if cookie is None else cookie.value)
        return any(hmac.compare_digest(one.encode(), self._token.encode()) for one in given)

    def _guarded(self, scope: Scope, send: Send) -> Send:
        async def sending(message):  # type: ignore[no-untyped-def]
            if message["type"] == "http.response.start":
                cookie = f"{COOKIE}={self._token}; Path=/; HttpOnly; SameSite=Strict".encode()
                extra = [*_HEADERS, (b"set-cookie", cookie)] if scope["path"] == "/" else _HEADERS
                message = {**message, "headers": [*message.get("headers", []), *extra]}
            await send(message)

        return sending


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, why: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 4000 + status, "reason": why})
        return
    await PlainTextResponse(why, status_code=status)(scope, receive, send)
