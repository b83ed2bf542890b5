"""Writing files so that they are whole or not there, whatever becomes of the writer.

Files are made in a draft folder beside their place, brought to the disk and renamed. The writer holds a lock on its
draft folder, which goes with the process: a draft folder that nobody holds was left by a writer that was killed, and
the next one to write there removes it.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from understudy.errors import FormatError, UnderstudyError

if sys.platform != "win32":  # there nothing is locked, and nothing is taken for abandoned
    import fcntl

_DRAFTS = re.compile(r"\.understudy-[0-9a-f]{16}")
#: Folders in which this process has looked for what killed writers left.
_swept: set[Path] = set()


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a path to write to; put that file in the place of ``path`` only when the block succeeds.

    The name stays, since some writers choose their format by it. A file that is there keeps its mode, a link is
    followed, and a device is written into.

    Raises:
        FormatError: The folder does not exist or cannot be written to, or the disk is full.
    """
    with drafting(path) as room:
        yield room / path.name
        put(room / path.name, path)


@contextmanager
def drafting(path: Path) -> Iterator[Path]:
    """Give a folder of one's own for files that are to go beside ``path``; see :func:`put`.

    Raises:
        FormatError: The folder does not exist or cannot be written to, or the disk is full.
    """
    try:
        room, lock = _draft(_folder_for(path))
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot write here: {getattr(error, 'strerror', None) or error}", path=path) from error
    try:
        yield room
    except OSError as error:
        raise FormatError(f"cannot write: {error.strerror or error}", path=path) from error
    finally:
        shutil.rmtree(room, ignore_errors=True)
        if lock is not None:
            os.close(lock)


def put(draft: Path, path: Path) -> None:
    """Put a written file in its place, once it is on the disk."""
    if _is_device(path):
        with draft.open("rb") as source, path.open("wb") as sink:
            shutil.copyfileobj(source, sink)
        return
    place = Path(os.path.realpath(path))
    with contextlib.suppress(FileNotFoundError):
        there = place.stat()
        if not os.access(place, os.W_OK):
            raise PermissionError(0, "the file that is there is read-only", str(place))
        draft.chmod(stat.S_IMODE(there.st_mode))
    _synced(draft)
    draft.replace(place)
    with contextlib.suppress(OSError):  # some file systems know no order of names
        _synced(place.parent)


@contextmanager
def held(folder: Path, busy: str) -> Iterator[None]:
    """Hold a folder for oneself; the lock goes with the process, however it ends.

    Raises:
        UnderstudyError: Another process holds it; ``busy`` says what that means.
    """
    lock = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if _locked(lock) is False:
            raise UnderstudyError(f"{folder}: {busy}")
        yield
    finally:
        os.close(lock)


def sweep(folder: Path) -> None:
    """Remove what killed writers have left in a folder."""
    with os.scandir(folder) as found:
        left = [Path(one.path) for one in found if _DRAFTS.fullmatch(one.name) and one.is_dir(follow_symlinks=False)]
    for room in left:
        with contextlib.suppress(OSError):
            lock = os.open(room, os.O_RDONLY)
            try:
                if _locked(lock):
                    shutil.rmtree(room, ignore_errors=True)
            finally:
                os.close(lock)


def _folder_for(path: Path) -> Path:
    return Path(tempfile.gettempdir()) if _is_device(path) else Path(os.path.realpath(path)).parent


def _is_device(path: Path) -> bool:
    return path.exists() and not path.is_file() and not path.is_dir()


def _draft(folder: Path) -> tuple[Path, int | None]:
    """A new draft folder and the lock on it."""
    if folder not in _swept:
        sweep(folder)
        if not _DRAFTS.search(str(folder)):
            _swept.add(folder)
    while True:
        room = folder / f".understudy-{secrets.token_hex(8)}"
        room.mkdir(mode=0o700)
        if sys.platform == "win32":
            return room, None
        lock = os.open(room, os.O_RDONLY)
        # Somebody who sweeps may have come in between.
        if _locked(lock) is not False and room.is_dir():
            return room, lock
        os.close(lock)


def _locked(handle: int) -> bool | None:
    """Whether a lock was free and is now taken; ``None`` where there are no locks."""
    if sys.platform == "win32":
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return None
    return True


def _synced(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
