"""Small arrays on the processor's stack, for kernels that need room but must not allocate.

Such an array lives as long as the kernel that asked for it: it may be passed to callees, never returned. It has no
reference count, so kernels with and without reference counts may use it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from understudy.typing import FloatArray, IntArray

#: Elements of such an array: enough for a walk down any binary tree whose leaves can be counted.
STACK_LENGTH = 64


def _generator(word: ir.Type) -> Any:
    """What writes, into the kernel that asks, the room for ``STACK_LENGTH`` words and an array of it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        with builder.goto_entry_block():  # once a call, not once a turn of a loop
            room = builder.alloca(ir.ArrayType(word, STACK_LENGTH))
        array = make_array(signature.return_type)(context, builder)
        size = context.get_constant(types.intp, STACK_LENGTH)
        stride = context.get_constant(types.intp, 8)
        populate_array(
            array,
            data=builder.bitcast(room, word.as_pointer()),
            shape=[size],
            strides=[stride],
            itemsize=stride,
            meminfo=None,
        )
        return array._getvalue()

    return generate


def _floats(typing: Any) -> Any:
    """``(STACK_LENGTH,)`` numbers, not set to anything; only in kernels."""
    return types.Array(types.float64, 1, "C")(), _generator(ir.DoubleType())


def _ints(typing: Any) -> Any:
    """``(STACK_LENGTH,)`` whole numbers, not set to anything; only in kernels."""
    return types.Array(types.int64, 1, "C")(), _generator(ir.IntType(64))


stack_floats: Callable[[], FloatArray] = intrinsic(_floats)  # type: ignore[assignment]
stack_ints: Callable[[], IntArray] = intrinsic(_ints)  # type: ignore[assignment]
_made: tuple[Any, ...] = (stack_floats, stack_ints)
for _one in _made:
    _one.on_stack = True  # so that nobody counts who holds them
