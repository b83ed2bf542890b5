"""The server's routes: the page, its assets, the line for edits, files in and out."""

from __future__ import annotations

import asyncio
import json
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from understudy.core.documents import json_values
from understudy.errors import OptionError, UnderstudyError
from understudy.studio import modes
from understudy.studio.access import MOST_BYTES, Access
from understudy.studio.assets import Assets
from understudy.studio.desk import Desk
from understudy.studio.edits import OpenArguments, arguments
from understudy.studio.examples import example_list, open_example
from understudy.studio.exporting import exported
from understudy.studio.importing import imported
from understudy.studio.messages import Message, State
from understudy.studio.modes.postures import posture_list
from understudy.studio.modes.tasks import task_kinds
from understudy.studio.thumbnails import posture_picture
from understudy.studio.view import named_assets

__all__ = ["modes", "studio_app"]

#: Largest message of a page [characters].
_MOST_TEXT = 1_000_000
#: Largest block sent along with a state; a page asks for larger ones itself [bytes].
_MOST_PUSHED = 4_000_000


def studio_app(desk: Desk, *, token: str, hosts: frozenset[str], root: str = "/") -> Access:
    """The whole server behind its access control."""
    routes = _Routes(desk)
    page = Path(str(resources.files("understudy.studio") / "page"))
    app = Starlette(
        routes=[
            WebSocketRoute("/line", routes.line),
            Route("/asset/{name}", routes.asset),
            Route("/examples", routes.examples),
            Route("/postures", routes.postures),
            Route("/tasks", routes.tasks),
            Route("/posture/{name}.png", routes.posture),
            Route("/import", routes.take, methods=["POST"]),
            Route("/export/{kind}", routes.give),
            Mount("/", StaticFiles(directory=page, html=True)),
        ]
    )
    return Access(app, token=token, hosts=hosts, root=root)


class _Routes:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def asset(self, request: Request) -> Response:
        block = self._desk.assets.get(request.path_params["name"])
        if block is None:
            raise HTTPException(404, "no such asset")
        forever = {"cache-control": "private, max-age=31536000, immutable"}
        return Response(block, media_type="application/octet-stream", headers=forever)

    async def examples(self, request: Request) -> Response:
        return JSONResponse(await run_in_threadpool(example_list))

    async def postures(self, request: Request) -> Response:
        return JSONResponse(posture_list())

    async def tasks(self, request: Request) -> Response:
        return JSONResponse(task_kinds())

    async def posture(self, request: Request) -> Response:
        try:
            picture = await run_in_threadpool(posture_picture, request.path_params["name"])
        except UnderstudyError as error:
            return JSONResponse({"error": str(error)}, status_code=404)
        return Response(picture, media_type="image/png", headers={"cache-control": "private, max-age=86400"})

    async def take(self, request: Request) -> Response:
        """A file dropped on the page."""
        name = request.query_params.get("name", "")
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > MOST_BYTES:
                raise HTTPException(413, f"the file is larger than {MOST_BYTES // 2**20} MB")
        try:
            project = await run_in_threadpool(imported, self._desk.project, name, bytes(body), self._desk.shelf)
        except UnderstudyError as error:
            return JSONResponse({"error": str(error)}, status_code=400)
        self._desk.replace(project, f"Import {name}")
        return JSONResponse({"ok": True})

    async def give(self, request: Request) -> Response:
        """The project as a file."""
        kind = request.path_params["kind"]
        try:
            name, block = await run_in_threadpool(exported, self._desk.project, kind)
        except UnderstudyError as error:
            return JSONResponse({"error": str(error)}, status_code=400)
        headers = {"content-disposition": f"attachment; filename*=UTF-8''{quote(name)}", "cache-control": "no-store"}
        return Response(block, media_type="application/octet-stream", headers=headers)

    async def line(self, socket: WebSocket) -> None:
        """One open page: edits in, states out. Of states that queue up only the newest is sent."""
        await socket.accept()
        outbox = _Outbox(asyncio.get_running_loop(), self._desk.assets)
        stop = self._desk.listen(outbox.put)
        sender = asyncio.create_task(outbox.send_on(socket))
        outbox.put({"state": await run_in_threadpool(self._desk.state)})
        try:
            while True:
                outbox.put(await self._answered(await socket.receive_text()))
        except (WebSocketDisconnect, RuntimeError):
            pass  # the page was closed, perhaps while something was being sent to it
        finally:
            stop()
            sender.cancel()

    async def _answered(self, text: str) -> Message:
        number: Any = None
        try:
            if len(text) > _MOST_TEXT:
                raise OptionError("the message is too long")
            message = json_values(text, None, "message")
            if not isinstance(message, dict) or not isinstance(message.get("do"), str):
                raise OptionError('a message needs "do", the name of an edit')
            number = message.get("id")
            await run_in_threadpool(self._do, message)
        except UnderstudyError as error:
            return {"answer": number, "error": str(error)}
        return {"answer": number}

    def _do(self, message: dict[str, Any]) -> None:
        name, values = message["do"], message.get("with")
        if name == "open":
            project = open_example(arguments(name, OpenArguments, values).example, self._desk.shelf)
            self._desk.replace(project, f"Open {project.scene.name or 'an example'}")
            return
        self._desk.do(name, values, drag=str(message.get("drag", "")))


class _Outbox:
    """Messages for one page, put in from any thread.

    Blocks that a state names for the first time go ahead of it on the same line: the page need not ask for them.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, assets: Assets) -> None:
        self._loop = loop
        self._assets = assets
        self._sent: set[str] = set()
        self._waiting: list[Message] = []
        self._wake = asyncio.Event()

    def put(self, message: Message) -> None:
        self._loop.call_soon_threadsafe(self._put, message)

    def _put(self, message: Message) -> None:
        kind = next(iter(message))
        if kind in ("state", "busy", "live"):
            # A whole state says more than any glimpse before it.
            passed = ("state", "live") if kind == "state" else (kind,)
            self._waiting = [one for one in self._waiting if not any(old in one for old in passed)]
        self._waiting.append(message)
        self._wake.set()

    async def send_on(self, socket: WebSocket) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            waiting, self._waiting = self._waiting, []
            for message in waiting:
                if "state" in message:
                    await self._send_blocks(message["state"], socket)
                await socket.send_text(json.dumps(message, separators=(",", ":")))

    async def _send_blocks(self, state: State, socket: WebSocket) -> None:
        for name in named_assets(state):
            block = None if name in self._sent else self._assets.get(name)
            if block is not None and len(block) <= _MOST_PUSHED:
                await socket.send_bytes(name.encode() + block)
            self._sent.add(name)
