"""Timings of kernels (``micro``) with a reference measured in the same run."""
