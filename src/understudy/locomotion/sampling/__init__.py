"""Environment-aware motion sampling: path and motion chosen together, with the whole body ([Sampling])."""

from __future__ import annotations

from understudy.locomotion.sampling.constraints import Constraint
from understudy.locomotion.sampling.frame_graph import with_jumps
from understudy.locomotion.sampling.options import SAMPLE_METHODS, SampleOptions
from understudy.locomotion.sampling.sampler import Sampler, sampler_of
from understudy.locomotion.sampling.sampling import sample
from understudy.locomotion.sampling.trace import SampleTrace
from understudy.locomotion.sampling.trying import SampleJudge

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
