"""Exact distances in plain NumPy, one small file per family of shapes."""
