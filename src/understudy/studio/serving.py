"""Starting the studio's server."""

from __future__ import annotations

import secrets
import socket
import threading
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from understudy.core.one_thread import one_thread
from understudy.errors import MissingExtraError, OptionError
from understudy.studio.desk import Desk
from understudy.studio.examples import open_example
from understudy.studio.importing import opened
from understudy.studio.project import Project
from understudy.studio.shelf import Shelf
from understudy.studio.store import Store

if TYPE_CHECKING:
    import uvicorn


def serve(
    file: Path | None = None,
    *,
    folder: Path | None = None,
    host: str = "127.0.0.1",
    port: int = 0,
    token: str | None = None,
    started: Callable[[str], None] = print,
) -> None:
    """Run the studio until it is interrupted.

    Args:
        file: A scene or a motion to open; otherwise what was saved in ``folder``, or an example.
        folder: Where the work is saved after every step; ``None`` for nowhere.
        host: The address to listen at; only this machine can reach 127.0.0.1.
        port: 0 for any free one.
        token: Has to be in the address of the first visit; a random one unless given.
        started: Called with the address once the server answers.

    Raises:
        MissingExtraError: The server's packages are not installed.
        OptionError: The address cannot be listened at.
        UnderstudyError: The file cannot be read.
    """
    try:
        import uvicorn  # noqa: F401
    except ImportError:
        raise MissingExtraError("the studio", "studio") from None
    store = None if folder is None else Store(folder)
    with nullcontext() if store is None else store.held():
        _serve(file, store, _listening(host, port), token or secrets.token_urlsafe(16), started)


def _serve(
    file: Path | None, store: Store | None, listening: socket.socket, token: str, started: Callable[[str], None]
) -> None:
    import uvicorn

    host, port = listening.getsockname()[:2]
    shelf = Shelf(None if store is None else store.folder)
    desk = Desk(_first(file, store, shelf), store=store, shelf=shelf)
    threading.Thread(target=shelf.warm_up, name="understudy-warm", daemon=True).start()
    hosts = frozenset({f"{name}:{port}" for name in {host, "127.0.0.1", "localhost"}})
    # Other servers of this machine do not know the path, so browsers never send them the cookie that is bound to it.
    root = f"/{secrets.token_urlsafe(12)}/"
    server = uvicorn.Server(_config(desk, token, hosts, root))
    # With a file of one's own the page begins with that instead of its start screen.
    asked = "" if file is None else "&opened"
    announce = threading.Timer(0.2, started, args=[f"http://{host}:{port}{root}?token={token}{asked}"])
    announce.start()
    try:
        # Threads of the linear algebra would only wait for each other, and take the page's time to draw.
        with one_thread():
            server.run(sockets=[listening])
    finally:
        announce.cancel()
        desk.close()
        shelf.kernels.close()


def _config(desk: Desk, token: str, hosts: frozenset[str], root: str) -> uvicorn.Config:
    import uvicorn

    from understudy.studio.app import studio_app

    return uvicorn.Config(
        studio_app(desk, token=token, hosts=hosts, root=root),
        log_level="warning",
        lifespan="off",
        ws_max_size=2**20,
        # The compiler may keep the interpreter for longer than a ping waits; nothing between here and the page can die
        # without the socket noticing.
        ws_ping_interval=None,
    )


def _listening(host: str, port: int) -> socket.socket:
    try:
        listening = socket.create_server((host, port))
    except OSError as error:
        raise OptionError(f"cannot listen on {host}:{port}: {error.strerror or error}") from None
    # Small messages go out at once; waiting to fill a packet would cost a drag 40 ms a step.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def _first(file: Path | None, store: Store | None, shelf: Shelf) -> Project:
    """What to begin with."""
    if file is not None:
        project = opened(Project(), file, shelf)
        if store is not None:
            store.set_aside()
        return project
    if store is not None and store.exists:
        return store.load()
    return open_example("room", shelf)
