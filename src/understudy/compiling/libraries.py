"""What LLVM does with kernels: those that other kernels call are only kept for linking, whole programs are optimised.

numba optimises every function and makes machine code of it before it is linked into its callers, where the same
happens again at every level. Here a part is only tidied: its variables are kept in registers, which leaves a fifth of
what was written down. The kernel that Python calls is optimised once, with all its parts in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import binding  # type: ignore[import-untyped]
from numba.core import errors
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags
from numba.core.typed_passes import NopythonRewrites
from numba.core.types.functions import BaseFunction
from numba.extending import overload
from numba.np import arrayobj

from understudy.compiling import spent
from understudy.compiling.counts import Uncount

#: LLVM's optimisation level. At 3 kernels take up to four times as long to compile and run no faster.
OPTIMISATION = 2


class _PartLibrary(JITCodeLibrary):
    """Code for linking only. What it calls is linked beside it, not into it."""

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        """Make ready for linking: a fifth as long, and whoever is linked with it may define the same functions."""
        self._raise_if_finalized()
        passes, builder = binding.create_new_module_pass_manager(), self._codegen._pass_builder(opt=0)
        passes.add_sroa_pass()
        passes.add_instruction_combine_pass()
        passes.add_simplify_cfg_pass()
        passes.run(self._final_module, builder)
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == binding.Linkage.external:
                function.linkage = "linkonce_odr"
        self._finalize_dynamic_globals()
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """What numba's own libraries link: with everything it calls."""
        if self._shared_module is None:
            self._shared_module = self._final_module.clone()
            for one in _with_parts(self._linking_libraries):
                self._shared_module.link_in(_alone(one), preserve=True)
        return self._shared_module


class _WholeLibrary(JITCodeLibrary):
    """A kernel that Python calls, with its parts; nothing is ever linked to it."""

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        """Link every part once, however many of the others call it."""
        for one in _with_parts(self._linking_libraries):
            self._reload_init.update(one._reload_init)
            self._final_module.link_in(_alone(one), preserve=True)
        self._linking_libraries = []
        super().finalize()

    def _optimize_final_module(self) -> None:
        # numba first inlines what is cheap, to find more reference counts that cancel out; parts have none of them.
        passes, builder = self._codegen._module_pass_manager(loop_vectorize=False, opt=OPTIMISATION)
        passes.run(self._final_module, builder)

    def serialize_using_object_code(self) -> tuple[str, str, tuple[bytes, bytes]]:
        """Machine code, and stubs that say what it defines instead of the code for linking, which nobody needs."""
        self._ensure_finalized()
        names = [function.name for function in self.get_defined_functions()]
        stubs = "\n".join(f'define void @"{name}"() {{\n  ret void\n}}' for name in names)
        return self.name, "object", (self._get_compiled_object(), binding.parse_assembly(stubs).as_bitcode())


def _alone(library: Any) -> Any:
    """A library's code; of a part without what it calls."""
    return library._final_module if isinstance(library, _PartLibrary) else library._get_module_for_linking()


def _with_parts(libraries: list[Any]) -> list[Any]:
    """Libraries and the parts that they call, directly or not, each behind all that call it.

    LLVM links what several libraries may define only where it is called already.
    """
    found: dict[Any, None] = {}
    seen: set[Any] = set()

    def visit(one: Any) -> None:
        if one not in seen:
            seen.add(one)
            for called in one._linking_libraries if isinstance(one, _PartLibrary) else ():
                visit(called)
            found[one] = None

    for library in libraries:
        visit(library)
    return list(reversed(found))


def _shapes_differ(source: Any, target: Any) -> None:
    """Stands for the error of assigning an array to a slice of another shape; only in kernels."""
    raise NotImplementedError("compiled kernels alone raise this")


@overload(_shapes_differ)
def _raise_shapes_differ(source: Any, target: Any) -> Any:
    def raising(source: Any, target: Any) -> None:
        raise ValueError("an array does not fit into the slice it is assigned to")

    return raising


#: (function, types of arguments) -> signature, where numba has a fixed one and compiles nothing to find it.
_signatures: dict[Any, Any] = {}
_find_signature: Any = BaseFunction.get_call_type


def _signature(self: Any, context: Any, args: Any, kws: Any) -> Any:
    """Find a signature as numba does, which tries dozens of templates for a sum of two numbers, and remember it."""
    key = (self, args)  # with its templates: constructors of all named tuples have the same typing key
    found = None if kws else _signatures.get(key)
    if found is None:
        found = _find_signature(self, context, args, kws)
        if not kws and self._impl_keys.get(found.args) is self.typing_key:
            _signatures[key] = found
        return found
    self._impl_keys[found.args] = self.typing_key
    return found


def _plain(self: Any, msg: str, *_: Any, **__: Any) -> str:
    return msg


#: What is exchanged in numba while kernels are compiled: shapes are left out of messages, for they bring all of numba's
#: strings with them; signatures are remembered; messages, most of which nobody ever sees, have no colours.
_EXCHANGED: tuple[tuple[Any, str, Any], ...] = (
    (arrayobj, "raise_with_shape_context", _shapes_differ),
    (BaseFunction, "get_call_type", _signature),
    (getattr(errors, "HighlightColorScheme", errors), "_markup", _plain),
)


@contextmanager
def _quick() -> Iterator[None]:
    """Compile with less ado. Only under numba's compiler lock."""
    kept = [getattr(owner, name, None) for owner, name, _ in _EXCHANGED]
    for owner, name, value in _EXCHANGED:
        setattr(owner, name, value)
    try:
        yield
    finally:
        for (owner, name, _), value in zip(_EXCHANGED, kept, strict=True):
            setattr(owner, name, value)


_AnyFlags: Any = Flags  # its options are made by its metaclass


class _Flags(_AnyFlags):
    """Options that are the same where they mean the same for numba's own functions that a kernel calls.

    numba compiles those once for each set of options, whether or not the difference matters to them, and compares all
    options each time it looks for one.
    """

    __slots__ = ()

    def _matter(self) -> tuple[Any, ...]:
        return self.nrt, self.error_model, self.fastmath, self.boundscheck, self.auto_parallel

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Flags) and self._matter() == other._matter()

    def __hash__(self) -> int:
        return hash((self.nrt, self.error_model))

    def copy(self) -> _Flags:
        """For what is called: being copied into every caller is not inherited."""
        made: _Flags = super().copy()
        made.forceinline = False
        return made


class _Compiler(Compiler):
    """numba's compiler, which counts who holds an array only where arrays are made."""

    def define_pipelines(self) -> list[Any]:
        """Numba's passes and one more."""
        (passes,) = super().define_pipelines()
        passes.add_pass_after(Uncount, NopythonRewrites)
        passes.finalize()
        return [passes]


class PartCompiler(_Compiler):
    """Compiles a kernel for the kernels that call it."""

    def compile_extra(self, func: Any) -> Any:
        """Numba's result, without anything that can be called."""
        spent.compiling(func.__name__)
        state = self.state
        state.flags = _Flags(state.flags)
        state.flags.no_cpython_wrapper = state.flags.no_cfunc_wrapper = state.flags.no_compile = True
        state.library = _PartLibrary(state.targetctx.codegen(), func.__qualname__)
        with _quick():
            return super().compile_extra(func)


class WholeCompiler(_Compiler):
    """Compiles a kernel for Python."""

    def compile_extra(self, func: Any) -> Any:
        """Numba's result."""
        spent.compiling(func.__name__)
        state = self.state
        state.flags = _Flags(state.flags)
        state.flags.no_cfunc_wrapper = True
        state.library = _WholeLibrary(state.targetctx.codegen(), func.__qualname__)
        state.library.enable_object_caching()
        with _quick():
            result = super().compile_extra(func)
        for environment in result._find_referenced_environments():
            state.library.codegen.set_env(environment.env_name, environment)
        return result
