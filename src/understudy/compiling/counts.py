"""Which kernels need reference counts: those that make arrays. The others only look at arrays that their callers hold.

numba counts who holds an array, by atomic instructions, also while arrays are only handed on. Kernels that read dozens
of arrays in named tuples, as those of searches do, would spend most of their time on that, and the compiler too. So
each kernel is looked at once its types are known. It goes without counts if no array, list or string comes into being
in it: everything it holds came with its arguments, whose holder is waiting for it, or lies on the stack.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from numba.core import ir, types
from numba.core.compiler_machinery import FunctionPass, register_pass

#: Expressions that only hand on what there is already.
_HANDED_ON = frozenset(
    {"build_tuple", "cast", "exhaust_iter", "getattr", "getiter", "iternext", "null", "pair_first", "pair_second"}
    | {"phi", "static_getitem", "undef"}
)
#: Arithmetic: of numbers, or of arrays, which makes another.
_SCALAR = frozenset({"binop", "inplace_binop", "unary"})
#: What may be called with arrays, and makes none.
_LOOKING = frozenset({len, range})

#: Statements that may make something, and that kernels hardly ever have.
_MAKING = ir.DelItem | ir.DynamicRaise | ir.DynamicTryRaise | ir.Print | ir.SetAttr | ir.StoreMap

_Pass: Any = FunctionPass


@register_pass(mutates_CFG=False, analysis_only=True)
class Uncount(_Pass):
    """Leaves reference counts out of a kernel that makes no arrays."""

    _name = "uncount"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Choose the target of this kernel's code."""
        if not makes_arrays(state):
            target = state.targetctx.subtarget(enable_nrt=False)
            vars(target).pop("nrt", None)  # made when first asked for, and copied with the target it was made for
            state.targetctx = target
        return False


def makes_arrays(state: Any) -> bool:
    """Whether anything that is counted comes into being in a kernel, or is handed back by it.

    Args:
        state: numba's, of a kernel whose types are known.
    """
    if _counted(state, state.return_type) or any(not _arrays_alone(kind) for kind in state.args):
        return True
    return any(_makes(state, statement) for block in state.func_ir.blocks.values() for statement in block.body)


def _counted(state: Any, kind: Any) -> bool:
    return bool(state.targetctx.data_model_manager[kind].contains_nrt_meminfo())


def _arrays_alone(kind: Any) -> bool:
    """Whether all that is counted in an argument are arrays."""
    if isinstance(kind, types.BaseTuple):
        parts: Any = kind
        return all(_arrays_alone(one) for one in parts)
    return isinstance(kind, types.Array | types.Number | types.Boolean | types.NoneType | types.Omitted)


def _makes(state: Any, statement: Any) -> bool:
    if isinstance(statement, ir.SetItem | ir.StaticSetItem):
        return _holds(state, (statement.value, getattr(statement, "index_var", None) or statement.index))
    if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Expr):
        return _expression_makes(state, statement.target, statement.value)
    return isinstance(
        statement, ir.DelItem | ir.SetAttr | ir.StoreMap | ir.DynamicRaise | ir.DynamicTryRaise | ir.Print
    )


def _expression_makes(state: Any, target: Any, value: Any) -> bool:
    if value.op in _HANDED_ON:
        return False
    if value.op == "getitem":  # an index of numbers and slices shows a part of an array; one of arrays makes another
        seen = state.typemap[value.value.name]
        return _holds(state, (value.index,)) or not isinstance(seen, types.Array | types.BaseTuple)
    if value.op in _SCALAR:
        return _counted(state, state.typemap[target.name])
    return value.op != "call" or _call_makes(state, target, value)


def _call_makes(state: Any, target: Any, value: Any) -> bool:
    called = state.typemap[value.func.name]
    key = getattr(called, "typing_key", None)
    if isinstance(called, types.NamedTupleClass | types.NumberClass) or getattr(key, "on_stack", False):
        return False
    if _counted(state, state.typemap[target.name]):
        return True
    looking = isinstance(called, types.Dispatcher) or key in _LOOKING
    return not looking and _holds(state, value.list_vars())  # of a method also the array that it is called on


def _holds(state: Any, variables: Any) -> bool:
    return any(_counted(state, state.typemap[one.name]) for one in _variables(variables))


def _variables(values: Any) -> Iterator[Any]:
    for one in values:
        if isinstance(one, ir.Var):
            yield one
