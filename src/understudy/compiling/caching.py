"""What is kept of compiled kernels on disk: machine code, for as long as nothing it was made of has changed.

numba looks at the file of the kernel alone. A kernel also holds the code of all kernels it calls, the constants they
name and the order of the fields of named tuples, so all of these are in its stamp. Comments are not. Kernels that came
with the package are used where the user has compiled none. Files that cannot be read or written are as good as none.
"""

from __future__ import annotations

import contextlib
import hashlib
import pickle
from collections.abc import Callable, Iterator
from functools import cache, cached_property, lru_cache
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np
from numba.core import caching as numba_caching
from numba.core import config, types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile
from numba.core.environment import Environment, lookup_environment
from numba.core.runtime.nrt import rtsys

from understudy.compiling import shipped

CacheLocator: Any = numba_caching._CacheLocator
_HERE = Path(__file__).resolve().parent


class KernelCache:
    """The files of one kernel; they are looked for at its first call."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @cached_property
    def _places(self) -> list[_Files]:
        """The user's files first, if there is any place for them, then those that came with the package."""
        if shipped.building():
            return [_ShippedFiles(self._function)]
        found: list[_Files] = []
        with contextlib.suppress(RuntimeError):  # numba knows no folder that can be written to
            found.append(_Files(self._function))
        return [*found, _ShippedFiles(self._function)] if shipped.folder().is_dir() else found

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel, or ``None``."""
        for files in self._places:
            # Damaged files raise anything that pickles can raise.
            with contextlib.suppress(Exception):
                found = files.load_overload(sig, target_context)
                if found is not None:
                    return found
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled kernel, if it can be kept."""
        if not self._places or (isinstance(self._places[0], _ShippedFiles) and not shipped.building()):
            return
        files = self._places[0]
        try:
            files.save_overload(sig, data)
        except Exception:  # the index is damaged, or nothing can be written
            with contextlib.suppress(Exception):
                files.flush()
                files.save_overload(sig, data)

    @property
    def cache_path(self) -> str:
        """The folder; empty where nothing is kept."""
        return str(self._places[0].cache_path) if self._places else ""


class _Impl(CompileResultCacheImpl):
    """What is written of a kernel.

    numba imports the modules of everything that was linked into a kernel, which takes longer than loading the kernel.
    Compiled code needs the constants of these modules' functions alone.
    """

    def reduce(self, cres: Any) -> Any:
        *rest, _, reload_init, environments = cres._reduce()
        linked = [(one.env_name, one.globals.get("__name__"), list(one.consts)) for one in environments]
        return (*rest, "", reload_init, linked)

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        *rest, linked = payload
        return super().rebuild(target_context, (*rest, tuple(_environment(*one) for one in linked)))


def _environment(name: str, module: str, consts: list[Any]) -> Environment:
    found = lookup_environment(name)
    if found is None:
        found = Environment({"__name__": module})
        found.consts[:] = consts
        found.env_name = name
        Environment._memo[name] = found
    return found


class _CheckedFile(IndexDataCacheFile):
    """numba's files, with a digest before each kernel: damaged machine code would run."""

    def _save_data(self, name: str, data: Any) -> None:
        found = self._dump(data)
        with self._open_for_write(self._data_path(name)) as file:
            file.write(self._digest(found) + found)

    def _load_data(self, name: str) -> Any:
        raw = Path(self._data_path(name)).read_bytes()
        size = hashlib.sha256().digest_size
        if raw[:size] != self._digest(raw[size:]):
            raise ValueError("a kept kernel is damaged, or another one's")
        return pickle.loads(raw[size:])

    def _digest(self, found: bytes) -> bytes:
        return hashlib.sha256(self._source_stamp.encode() + found).digest()


class _Files(FunctionCache):
    _impl_class = _Impl

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file = _CheckedFile(
            cache_path=self._cache_path, filename_base=self._impl.filename_base, source_stamp=_stamp(function)
        )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel, or ``None``. Only compiling needs all that numba knows, which takes long to import."""
        rtsys.initialize(target_context)
        return self._load_overload(sig, target_context)

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return (*super()._index_key(sig, codegen), tuple(name for kind in sig for name in _fields(kind)))


class _ShippedLocator(CacheLocator):
    """A folder for each module."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def get_cache_path(self) -> str:
        return str(shipped.folder() / self._function.__module__)

    def get_source_stamp(self) -> str:
        return ""  # :func:`_stamp` takes its place

    def get_disambiguator(self) -> str:
        return str(self._function.__code__.co_firstlineno)

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> _ShippedLocator:
        return cls(function)


class _ShippedImpl(_Impl):
    _locator_classes = [_ShippedLocator]  # type: ignore[list-item]  # noqa: RUF012 - as numba has it


class _ShippedFiles(_Files):
    _impl_class = _ShippedImpl


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
    checks = f"bounds {config.BOUNDSCHECK} "  # type: ignore[attr-defined]
    return checks + "".join(
        _file_stamp(_HERE / name) for name in ("caching.py", "counts.py", "kernel.py", "libraries.py")
    )


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
