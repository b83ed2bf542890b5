"""Kernels that Python calls, found by reading the package's source: each of them is a compiled entry of its own."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import understudy
from understudy.compiling.kernel import Kernel


def modules() -> list[ModuleType]:
    """All modules of the package that can be imported here."""
    found = []
    for one in pkgutil.walk_packages(understudy.__path__, "understudy."):
        if not one.name.endswith("__main__"):
            try:
                found.append(importlib.import_module(one.name))
            except ImportError:  # an extra is not installed
                continue
    return found


def called_by_python() -> dict[str, Kernel]:
    """Name -> kernel, of those that code outside of kernels names."""
    found = {id(one): one for module in modules() for one in _named(module)}
    return {f"{one.py_func.__module__}.{one.py_func.__name__}": one for one in found.values()}


def _named(module: ModuleType) -> Iterator[Kernel]:
    tree = ast.parse(inspect.getsource(module))
    imports = dict(_imports(tree))
    for node in _outside_kernels(tree):
        value = None
        if isinstance(node, ast.Name):
            value = _value(module, imports, node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owner = _value(module, imports, node.value.id)
            value = getattr(owner, node.attr, None) if isinstance(owner, ModuleType) else None
        if isinstance(value, Kernel):
            yield value


def _imports(tree: ast.AST) -> Iterator[tuple[str, tuple[str, str]]]:
    """Local name -> (module, name in it) of all imports, also those in functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from ((one.asname or one.name, (node.module, one.name)) for one in node.names)


def _value(module: ModuleType, imports: dict[str, tuple[str, str]], name: str) -> Any:
    if name in vars(module):
        return vars(module)[name]
    if name not in imports:
        return None
    owner, attribute = imports[name]
    found = getattr(sys.modules.get(owner), attribute, None)
    return found if found is not None else sys.modules.get(f"{owner}.{attribute}")


def _outside_kernels(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those of compiled functions and of their decorators."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef) and any("njit" in ast.dump(one) for one in child.decorator_list):
            continue
        yield child
        yield from _outside_kernels(child)
