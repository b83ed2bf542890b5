"""A binary heap in two arrays: the smallest key first, ties in the order of their items."""

from __future__ import annotations

from understudy.compiling.kernel import njit
from understudy.typing import FloatArray, IntArray


@njit(cache=True)
def heap_push(keys: FloatArray, items: IntArray, size: int, key: float, item: int) -> int:
    """Add an item to a heap of ``size`` items that has room for it, and return the new size."""
    k = size
    while k > 0:
        parent = (k - 1) >> 1
        if keys[parent] < key or (keys[parent] == key and items[parent] <= item):
            break
        keys[k], items[k] = keys[parent], items[parent]
        k = parent
    keys[k], items[k] = key, item
    return size + 1


@njit(cache=True)
def heap_pop(keys: FloatArray, items: IntArray, size: int) -> tuple[float, int, int]:
    """Take the first item off: its key, itself, and the new size."""
    top_key, top_item = keys[0], items[0]
    size -= 1
    key, item = keys[size], items[size]
    k = 0
    while True:
        child = 2 * k + 1
        if child >= size:
            break
        other = child + 1
        if other < size and (keys[other] < keys[child] or (keys[other] == keys[child] and items[other] < items[child])):
            child = other
        if key < keys[child] or (key == keys[child] and item <= items[child]):
            break
        keys[k], items[k] = keys[child], items[child]
        k = child
    keys[k], items[k] = key, item
    return top_key, top_item, size
