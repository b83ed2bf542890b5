"""Who may come in: the token in the address, the page's own origin, and how much may be carried.

The token is in the address of the first visit alone: the answer puts it into a cookie and sends the browser on to an
address without it. Browsers send cookies to all ports of a machine, so the name holds the port (studios beside each
other keep their own), and the page lies under a random path that the cookie is bound to (other local servers never get
it).
"""

from __future__ import annotations

import hmac

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

#: Largest body of a request [bytes].
MOST_BYTES = 64 * 1024 * 1024
#: The cookie that carries the token after the first visit; the port follows.
COOKIE = "understudy_studio_"

_HEADERS = [
    (
        b"content-security-policy",
        b"default-src 'self'; img-src 'self' blob: data:; style-src 'self' 'unsafe-inline'; object-src 'none'; "
        b"base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
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
        root: Path that everything lies under, with a slash at its end.
    """

    def __init__(self, app: ASGIApp, *, token: str, hosts: frozenset[str], root: str = "/") -> None:
        self._app = app
        self._token = token
        self._hosts = hosts
        self._root = root
        self._cookie = COOKIE + "".join(sorted({host.rpartition(":")[2] for host in hosts}))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            await _refuse(scope, receive, send, *refusal)
            return
        if scope["type"] == "http" and scope["path"] == self._root and "token" in _query(scope):
            await self._welcome(scope, receive, send)
            return
        inner = {**scope, "path": "/" + scope["path"].removeprefix(self._root)}
        await self._app(inner, receive, self._guarded(send))

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        if headers.get("host", "") not in self._hosts:
            return 421, "the studio does not answer to this host name"
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] not in self._hosts:
            return 403, "requests from other pages are refused"
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()):
            return 400, "the length of the request is no number"
        if len(length) > 15 or int(length) > MOST_BYTES:
            return 413, f"the file is larger than {MOST_BYTES // 2**20} MB, the most the studio takes"
        if not scope["path"].startswith(self._root) or not self._knows(scope, headers):
            return 401, "open the studio with the address the program printed; it holds a token"
        return None

    def _knows(self, scope: Scope, headers: Headers) -> bool:
        # Other programs' cookies may be anything: only the own name is looked for.
        pairs = (pair.strip().partition("=") for pair in headers.get("cookie", "").split(";"))
        given = [value for name, _, value in pairs if name == self._cookie]
        return any(
            hmac.compare_digest(one.encode("utf-8", "replace"), self._token.encode())
            for one in (*given, _query(scope).get("token", ""))
        )

    async def _welcome(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand over the cookie and send the browser to the address without token."""
        rest = "&".join(key for key in _query(scope) if key == "opened")
        answer = RedirectResponse(f"{self._root}{'?' if rest else ''}{rest}", status_code=303)
        # Lax, not strict: the launch comes from a file, and browsers keep strict cookies from what files lead to.
        answer.set_cookie(self._cookie, self._token, path=self._root, httponly=True, samesite="lax")
        await answer(scope, receive, self._guarded(send))

    @staticmethod
    def _guarded(send: Send) -> Send:
        async def sending(message):  # type: ignore[no-untyped-def]
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", []), *_HEADERS]}
            await send(message)

        return sending


def _query(scope: Scope) -> dict[str, str]:
    return dict(pair.partition("=")[::2] for pair in scope["query_string"].decode("latin-1").split("&"))


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, why: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 4000 + status, "reason": why})
        return
    await PlainTextResponse(why, status_code=status)(scope, receive, send)
