"""Many tasks on one machine or many: a task file in, verified clips with their records out, resumable."""

from __future__ import annotations

from understudy.batch.index import load_index
from understudy.batch.run import BatchOptions, BatchResult, run_batch
from understudy.batch.task_file import load_tasks

__all__ = ["BatchOptions", "BatchResult", "load_index", "load_tasks", "run_batch"]
