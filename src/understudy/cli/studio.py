"""``understudy studio``: the editor in the browser."""

from __future__ import annotations

import html
import json
import os
import sys
import tempfile
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from understudy.cli.shell import Shell

_LAUNCH = """<!doctype html><html><head><meta charset="utf-8"><meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}"><title>Understudy studio</title></head>
<body><a href="{address}">Open the studio</a></body></html>
"""
EXAMPLE = "Example:  understudy studio room.toml"


def studio(
    shell: Shell,
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="A scene (.toml, .json) or a motion to open.")
    ] = None,
    folder: Annotated[
        Path, typer.Option("--folder", metavar="DIR", help="Folder in which every step is saved.")
    ] = Path("understudy-studio"),
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port; 0: any free one.")] = 0,
    host: Annotated[str, typer.Option("--host", help="Address to listen on; 127.0.0.1 is this machine only.")] = (
        "127.0.0.1"
    ),
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")] = True,
) -> None:
    """Open the studio in a browser: edit walks, limbs, postures, interaction and tasks. Ctrl-C stops it."""
    from understudy.studio import serve

    def started(address: str) -> None:
        if shell.as_json:
            print(json.dumps({"status": "serving", "address": address}), flush=True)
        else:
            print(f"the studio is at {address}\nCtrl-C stops it; your work is saved in {folder}/", flush=True)
        if browser and sys.stdout.isatty():
            webbrowser.open(launch_file(address, Path(launching)).as_uri())

    with tempfile.TemporaryDirectory(prefix="understudy-studio-") as launching:
        serve(file, folder=folder, host=host, port=port, started=started)


def launch_file(address: str, folder: Path) -> Path:
    """A file only its owner can read that leads a browser to an address: command lines of browsers are open to all."""
    path = folder / "open.html"
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(_LAUNCH.format(address=html.escape(address)))
    return path
