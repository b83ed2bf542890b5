"""Lengths that spectra are quick at. SciPy knows them too, but importing it takes longer than most filters do."""

from __future__ import annotations


def fast_length(least: int) -> int:
    """The least length from here on that has no prime factor above 5."""
    while not _smooth(least):
        least += 1
    return least


def _smooth(number: int) -> bool:
    for factor in (2, 3, 5):
        while number % factor == 0:
            number //= factor
    return number == 1
