"""Environment-aware motion sampling: path and motion chosen together, with the whole body ([Sampling])."""

from __future__ import annotations

from understudy.locomotion.published.sampling.constraints import Constraint
from understudy.locomotion.published.sampling.frame_graph import with_jumps
from understudy.locomotion.published.sampling.options import SAMPLE_METHODS, SampleOptions
from understudy.locomotion.published.sampling.sampler import Sampler, sampler_of
from understudy.locomotion.published.sampling.sampling import sample
from understudy.locomotion.published.sampling.trace import SampleTrace
from understudy.locomotion.published.sampling.trying import SampleJudge

__all__ = [
    "SAMPLE_METHODS",
    "Constraint",
    "SampleJudge",
    "SampleOptions",
    "SampleTrace",
    "Sampler",
    "sample",
    "sampler_of",
    "with_jumps",
]
