"""Compiling kernels: the decorator they all have, what is kept of them on disk, and the time that it takes.

Importing this room does not import numba.
"""
