"""Writing a file so that it is either whole or not there."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from understudy.errors import FormatError


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary path beside ``path``; rename it over ``path`` only when the block succeeds.

    The temporary name keeps the suffix, since some writers choose their format by it.

    Raises:
        FormatError: The folder does not exist or cannot be written to.
    """
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.stem}-", suffix=path.suffix, dir=path.parent)
        os.close(handle)
    except OSError as error:
        raise FormatError(f"cannot write here: {error.strerror or error}", path=path) from error
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        raise FormatError(f"cannot write: {error.strerror or error}", path=path) from error
    finally:
        temporary.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
