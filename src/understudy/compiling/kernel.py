"""The decorator of every compiled kernel: one set of options, one specialisation where one will do.

Python calls a kernel through an entry, which is kept on disk. Kernels call each other's parts, which are compiled with
their caller and kept nowhere. Both forget whether an array is read-only and whether a number was written in the code:
numba would compile the same kernel again for each.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, overload

import numba
from numba.core import compiler, config, event, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.typing.templates import make_concrete_template

from understudy.compiling import shipped, spent
from understudy.compiling.caching import KernelCache
from understudy.compiling.libraries import PartCompiler, WholeCompiler

shipped.choose_processor()

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Dispatcher: Any = CPUDispatcher  # numba's own types say too little of it


class _Part:
    """A kernel as its callers see it; they know its code by this object."""

    def __init__(self, result: Any) -> None:
        self.result = result


class Kernel(_Dispatcher):
    """A function that is compiled when it is first called, by Python or by another kernel."""

    def __init__(self, py_func: Callable[..., Any], locals: Any = None, targetoptions: Any = None) -> None:
        super().__init__(py_func, locals, targetoptions, pipeline_class=WholeCompiler)
        self._parts: dict[Any, _Part] = {}

    def enable_caching(self) -> None:
        """Keep what is compiled for Python on disk."""
        self._cache = KernelCache(self.py_func)

    def compile(self, sig: Any) -> Any:
        """Load or compile the entry for arguments of these types."""
        with global_compiler_lock, spent.counted():
            return super().compile(sig)

    def typeof_pyval(self, value: Any) -> Any:
        """The type of an argument that Python hands over."""
        return _writable(super().typeof_pyval(value))

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """How kernels call this one; compiles the part they need."""
        signature, folded = self._compiler.fold_argument_types(args, kws)
        # Tuples stay as they are, for numba cannot turn one kind of named tuple into another.
        plain = tuple(k if isinstance(k, types.BaseTuple) else _writable(types.unliteral(k)) for k in folded)
        if plain not in self._parts:
            self._parts[plain] = self._part(plain)
        name = self.py_func.__name__
        template = make_concrete_template(name, key=name, signatures=[self._parts[plain].result.signature])
        return template, signature, plain, {}

    def get_overload(self, args: Any) -> Any:
        """What linkers know the part by."""
        return self._parts[tuple(args)]

    def _part(self, args: tuple[Any, ...]) -> _Part:
        flags = compiler.Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        details = {"dispatcher": self, "args": args, "return_type": None}
        with event.trigger_event("numba:compile", data=details):
            result = compiler.compile_extra(
                self.typingctx,
                self.targetctx,
                self.py_func,
                args=args,
                return_type=None,
                flags=flags,
                locals=self.locals,
                pipeline_class=PartCompiler,
            )
        part = _Part(result)
        self.targetctx.insert_user_function(part, result.fndesc, [result.library])
        return part


@overload
def njit(function: _Function, **options: Any) -> _Function: ...


@overload
def njit(function: None = None, **options: Any) -> Callable[[_Function], _Function]: ...


def njit(  # type: ignore[misc]
    function: _Function | None = None,
    *,
    cache: bool = True,
    nogil: bool = False,
    forceinline: bool = False,
    parallel: bool = False,
    error_model: str = "numpy",
) -> Any:
    """Compile a function of numbers, arrays and named tuples of them. Divisions by zero are infinite, as in NumPy.

    Args:
        function: What to compile.
        cache: Keep what is compiled for Python on disk.
        nogil: Let other threads run meanwhile.
        forceinline: Copy it into every kernel that calls it.
        parallel: Run its ``prange`` loops on all cores. numba compiles such a kernel in its own way.
        error_model: Always as in NumPy.
    """
    if function is None:
        given = {"cache": cache, "nogil": nogil, "forceinline": forceinline, "parallel": parallel}
        return lambda one: njit(one, **given)
    if parallel or config.DISABLE_JIT:  # type: ignore[attr-defined]
        made = numba.njit(function, nogil=nogil, parallel=parallel, error_model="numpy")
        if cache and not config.DISABLE_JIT:  # type: ignore[attr-defined]
            made._cache = KernelCache(function)
        return made
    options: dict[str, Any] = {"nopython": True, "boundscheck": False, "error_model": "numpy"}
    options |= {"forceinline": forceinline, "nogil": nogil}
    kernel = Kernel(function, targetoptions=options)
    if cache:
        kernel.enable_caching()
    return kernel


@cache
def _writable(kind: Any) -> Any:
    """The type with its arrays not read-only, also those in tuples."""
    if isinstance(kind, types.Array):
        return kind if kind.mutable else kind.copy(readonly=False)
    parts: Any = kind
    if hasattr(kind, "instance_class"):
        return types.BaseTuple.from_types([_writable(one) for one in parts], kind.instance_class)
    if isinstance(kind, types.BaseTuple):
        return types.BaseTuple.from_types([_writable(one) for one in parts])
    return kind
