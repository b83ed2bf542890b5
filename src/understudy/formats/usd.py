"""USD files (``.usda``, ``.usdc``, ``.usd``): UsdSkel characters and props. Needs the extra ``usd``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from understudy.core.motion import Motion
from understudy.errors import FormatError, MissingExtraError
from understudy.formats.atomic import replacing
from understudy.formats.options import ReadOptions, WriteOptions

__all__ = ["read", "write"]


def read(path: Path, options: ReadOptions) -> list[Motion]:
    """The motion of every UsdSkel skeleton in the file.

    Raises:
        MissingExtraError: ``usd-core`` is not installed.
        FormatError: The file cannot be opened as USD, or holds no skeleton.
    """
    require_pxr("reading USD files")
    from understudy.formats.usd_read import read_stage

    with refusing_damage(path, "is damaged, or not as USD wants it"):
        return read_stage(path, options)


def write(motions: Sequence[Motion], path: Path, options: WriteOptions) -> None:
    """Write characters and props in metres with Y up; the file appears whole or not at all.

    Raises:
        MissingExtraError: ``usd-core`` is not installed.
    """
    require_pxr("writing USD files")
    from understudy.formats.usd_write import write_stage

    with replacing(path) as temporary, refusing_damage(path, "could not be written by USD"):
        write_stage(motions, path, options, temporary)


@contextmanager
def refusing_damage(path: Path, what: str) -> Iterator[None]:
    """Turn what USD and arrays of its values raise on files that contradict themselves into one error.

    Raises:
        FormatError: Any of these was raised.
    """
    from pxr import Tf

    try:
        yield
    except (Tf.ErrorException, ArithmeticError, LookupError, MemoryError, RuntimeError, TypeError, ValueError) as error:
        lines = str(error).strip().splitlines()
        raise FormatError(f"{what}: {lines[-1].strip() if lines else type(error).__name__}", path=path) from error


def require_pxr(feature: str) -> None:
    """Raise a :class:`MissingExtraError` unless ``usd-core`` is installed."""
    try:
        import pxr  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(feature, "usd") from error
