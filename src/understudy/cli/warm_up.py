"""``understudy warm-up``: compile kernels now, on all cores, instead of at the first use."""

from __future__ import annotations

import sys
import time
from typing import Annotated

import typer

from understudy.cli.compiling import waited
from understudy.cli.shell import Exit, Shell
from understudy.errors import OptionError, nearest_name

EXAMPLE = "Example:  understudy warm-up walk"


def warm_up(
    shell: Shell,
    jobs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[JOB...]",
            help="walk, limbs, perform, between, doors, balls, together, methods or checks; default: all.",
        ),
    ] = None,
) -> int:
    """Compile the kernels of some jobs, or of all. Kernels that are compiled already cost only seconds."""
    from understudy.api.warm_processes import Apart
    from understudy.api.warming import JOBS, KERNELS

    for job in jobs or ():
        if job not in JOBS:
            raise OptionError(f'unknown job "{job}"; {nearest_name(job, JOBS)}')
    began = time.perf_counter()
    wanted = list(dict.fromkeys(jobs or JOBS))
    done = waited(Apart(wanted), sum(KERNELS[job] for job in wanted), quiet=shell.quiet)
    seconds = time.perf_counter() - began
    document = {"jobs": {job: count for job, (count, _) in done.items()}, "seconds": seconds}
    failed = [job for job, (_, code) in done.items() if code]
    told = [f"{job:<8} {count} kernels compiled" for job, (count, _) in done.items()]
    shell.answer(document, lambda: "\n".join([*told, f"{seconds:.0f} s"]))
    for job in failed:
        print(f"error: warming up {job} failed", file=sys.stderr)
    return Exit.FAILED if failed else Exit.DONE
