"""What is kept of compiled kernels on disk: machine code, for as long as nothing it was made of has changed.

numba looks at the file of the kernel alone. A kernel also holds the code of all kernels it calls, the constants they
name and the order of the fields of named tuples, so all of these are in its stamp. Comments are not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from functools import cache, cached_property, lru_cache
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np
from numba.core import types
from numba.core.caching import FunctionCache, IndexDataCacheFile

_HERE = Path(__file__).resolve().parent


class KernelCache:
    """The files of one kernel; they are looked for at its first call."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @cached_property
    def _files(self) -> FunctionCache:
        return _Files(self._function)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel, or ``None``."""
        return self._files.load_overload(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled kernel."""
        self._files.save_overload(sig, data)

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(self._files.cache_path)


class _Files(FunctionCache):
    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file = IndexDataCacheFile(
            cache_path=self._cache_path, filename_base=self._impl.filename_base, source_stamp=_stamp(function)
        )

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return (*super()._index_key(sig, codegen), tuple(name for kind in sig for name in _fields(kind)))


def _fields(kind: Any) -> Iterator[str]:
    if isinstance(kind, types.BaseTuple):
        yield from getattr(kind, "fields", ())
        parts: Any = kind
        for one in parts:
            yield from _fields(one)


def _stamp(function: Callable[..., Any]) -> str:
    """A digest of everything a compiled kernel is made of."""
    found: dict[str, str] = {}
    _gather(function, found)
    text = "\n".join(f"{name} {found[name]}" for name in sorted(found))
    return hashlib.sha256((_own_stamp() + text).encode()).hexdigest()


@lru_cache(maxsize=1)
def _own_stamp() -> str:
    return "".join(_file_stamp(_HERE / name) for name in ("kernel.py", "libraries.py"))


@cache
def _file_stamp(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _gather(function: Callable[..., Any], found: dict[str, str]) -> None:
    """Note a function's code and constants, and those of all kernels it names."""
    name = f"{function.__module__}.{function.__qualname__}"
    if name in found:
        return
    found[name] = ""
    code, named = function.__code__, function.__globals__
    parts = [_code_text(code), repr(function.__defaults__)]
    for used in sorted(_names(code)):
        value = named.get(used)
        if value is not None and hasattr(value, "py_func"):
            parts.append(f"{used}={sorted(value.targetoptions.items())}")
            _gather(value.py_func, found)
        elif isinstance(value, bool | int | float | str | tuple | np.generic):
            parts.append(f"{used}={value!r}")
        elif isinstance(value, np.ndarray):
            parts.append(f"{used}={value.dtype}{value.shape}{value.tobytes().hex()}")
        elif callable(value) and str(getattr(value, "__module__", "")).startswith("understudy"):
            _gather_room(value, found)
    found[name] = hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _gather_room(value: Any, found: dict[str, str]) -> None:
    """Note the whole file of something that is neither kernel nor constant, and all kernels named in it."""
    room = getattr(value, "__globals__", None)
    if room is None or f"file {room['__name__']}" in found:
        return
    found[f"file {room['__name__']}"] = _file_stamp(Path(room["__file__"]))
    for one in room.values():
        if hasattr(one, "py_func"):
            _gather(one.py_func, found)


def _names(code: CodeType) -> set[str]:
    inner = (const for const in code.co_consts if isinstance(const, CodeType))
    return set(code.co_names).union(*(_names(one) for one in inner))


def _code_text(code: CodeType) -> str:
    consts = [_code_text(one) if isinstance(one, CodeType) else repr(one) for one in code.co_consts]
    return repr((code.co_code, consts, code.co_names, code.co_varnames, code.co_freevars))
