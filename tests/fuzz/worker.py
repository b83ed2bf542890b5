"""Runs cases in a process of its own: ``python -m fuzz.worker FAMILY FIRST COUNT FAMILY FIRST COUNT ...``.

Prints the number of every case before it is tried, and what came out that should not have. Whoever reads sees which
case a crash or a hang was.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import traceback
import zlib
from pathlib import Path

import numpy as np

from fuzz.families import FAMILIES
from understudy.errors import UnderstudyError

#: [bytes] of address space over what a process has once a family is prepared.
MOST_BYTES = 3 << 30
#: [characters] of a message that people can read.
_LONGEST = 4000


def tried(family: str, first: int, count: int) -> None:
    """Try ``count`` cases of a family."""
    with tempfile.TemporaryDirectory(prefix="understudy-fuzz-") as folder:
        _limit(resource.RLIM_INFINITY)
        case = FAMILIES[family](Path(folder))
        _limit(int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize() + MOST_BYTES)
        for number in range(first, first + count):
            print(f"case {family}: {number}", flush=True)
            rng = np.random.default_rng([zlib.crc32(family.encode()), number])
            try:
                case(rng)
            except UnderstudyError as error:
                if len(str(error)) > _LONGEST:
                    print(f"fault {family}: {number}: a message of {len(str(error))} characters", flush=True)
            except BaseException:
                said = traceback.format_exc().strip().replace("\n", " | ")
                print(f"fault {family}: {number}: {said[-1500:]}", flush=True)


def _limit(most_bytes: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (most_bytes, resource.RLIM_INFINITY))


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 28, 1 << 28))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    given = sys.argv[1:]
    for name, begin, many in zip(given[::3], given[1::3], given[2::3], strict=True):
        print(f"prepare {name}", flush=True)
        tried(name, int(begin), int(many))
    print("done", flush=True)
