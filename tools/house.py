"""How large each room is: ``python tools/house.py``. Lines, files, kernels, named numbers, longest parameter lists."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOMS = Path(__file__).resolve().parents[1] / "src" / "understudy"


@dataclass(frozen=True, kw_only=True)
class Size:
    """What one file, room or house has.

    Attributes:
        lines: Lines, blank ones and docstrings included.
        files: Python files.
        kernels: Compiled functions.
        constants: Module-level names of numbers, or of tuples of numbers.
        longest_file: Lines of the largest file.
        parameters: Most parameters of a function that is no kernel.
        kernel_parameters: Most parameters of a kernel.
    """

    lines: int = 0
    files: int = 0
    kernels: int = 0
    constants: int = 0
    longest_file: int = 0
    parameters: int = 0
    kernel_parameters: int = 0

    def __add__(self, other: Size) -> Size:
        return Size(
            lines=self.lines + other.lines,
            files=self.files + other.files,
            kernels=self.kernels + other.kernels,
            constants=self.constants + other.constants,
            longest_file=max(self.longest_file, other.longest_file),
            parameters=max(self.parameters, other.parameters),
            kernel_parameters=max(self.kernel_parameters, other.kernel_parameters),
        )


def sizes() -> dict[str, Size]:
    """Room -> its size, and ``all``."""
    found: dict[str, Size] = {}
    for path in sorted(ROOMS.rglob("*.py")):
        room = path.relative_to(ROOMS).parts[0].removesuffix(".py")
        found[room] = found.get(room, Size()) + size_of(path)
    total = Size()
    for size in found.values():
        total += size
    return {**found, "all": total}


def size_of(path: Path) -> Size:
    """The size of one file."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    kernels = [node for node in functions if _is_kernel(node)]
    lines = text.count("\n")
    return Size(
        lines=lines,
        files=1,
        kernels=len(kernels),
        constants=sum(1 for node in tree.body for _ in _numbers(node)),
        longest_file=lines,
        parameters=max((_parameters(node) for node in functions if node not in kernels), default=0),
        kernel_parameters=max(map(_parameters, kernels), default=0),
    )


def _is_kernel(node: ast.FunctionDef) -> bool:
    return any("njit" in ast.unparse(one) or "uncounted" in ast.unparse(one) for one in node.decorator_list)


def _parameters(node: ast.FunctionDef) -> int:
    every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    return sum(one.arg not in ("self", "cls") for one in every)


def _numbers(node: ast.stmt) -> Iterator[str]:
    target = node.target if isinstance(node, ast.AnnAssign) else None
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target = node.targets[0]
    value = getattr(node, "value", None)
    if isinstance(target, ast.Name) and target.id.isupper() and value is not None and _is_number(value):
        yield target.id


def _is_number(value: ast.expr) -> bool:
    """Numbers, arithmetic of numbers and names, and tuples or arrays of them."""
    if isinstance(value, ast.Constant):
        return isinstance(value.value, int | float) and not isinstance(value.value, bool)
    if isinstance(value, ast.UnaryOp):
        return _is_number(value.operand)
    if isinstance(value, ast.BinOp):
        return _is_number(value.left) or _is_number(value.right)
    if isinstance(value, ast.Tuple | ast.List):
        return bool(value.elts) and all(map(_is_number, value.elts))
    if isinstance(value, ast.Call):
        return bool(value.args) and any(map(_is_number, value.args))
    return False


def table() -> str:
    """All rooms, largest first."""
    fields = list(Size.__dataclass_fields__)
    lines = [f"{'room':14}" + "".join(f"{name.replace('_', ' '):>18}" for name in fields)]
    for room, size in sorted(sizes().items(), key=lambda one: -one[1].lines):
        lines.append(f"{room:14}" + "".join(f"{getattr(size, name):18}" for name in fields))
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(table() + "\n")
