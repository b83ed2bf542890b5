"""Where tasks run: a pool of processes on this machine, or Ray's workers on many.

An engine takes an iterator of tasks and yields what became of each, in the order they end. Both call the same
:func:`understudy.batch.worker.run_item`, one thread each, so they write the same bytes.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

from understudy.batch.item import Item
from understudy.errors import UnderstudyError, install_hint

Answer = dict[str, Any]
Engine = Callable[[Iterable[Item], Path, Path], Iterator[tuple[Item, Answer]]]

#: Threads would share sums differently from run to run, and fight for the same cores.
ONE_THREAD = {
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
}
#: Tasks handed out per worker, so that none waits for the next and few are lost when one dies.
_AHEAD = 2


def local_engine(workers: int) -> Engine:
    """A pool of processes on this machine."""

    def run(items: Iterable[Item], folder: Path, out: Path) -> Iterator[tuple[Item, Answer]]:
        waiting = iter(items)
        suspects: list[Item] = []
        with _environment(ONE_THREAD):
            while True:
                ended = yield from _pool_run(waiting, folder, out, workers, suspects)
                if ended:
                    return
                # A worker died and took the pool with it. Who was at fault shows when each runs alone.
                while suspects:
                    yield _alone(suspects.pop(), folder, out)

    return run


def _pool_run(
    waiting: Iterator[Item], folder: Path, out: Path, workers: int, suspects: list[Item]
) -> Generator[tuple[Item, Answer], None, bool]:
    """Run until nothing waits (returns true) or a worker dies (returns false, with its company in ``suspects``)."""
    with _pool(workers) as pool:
        running: dict[Future[Answer], Item] = {}
        try:
            while True:
                for item in islice(waiting, _AHEAD * workers - len(running)):
                    running[_handed(pool, item, folder, out)] = item
                if not running:
                    return True
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    answer = future.result()
                    yield running.pop(future), answer
        except BrokenProcessPool:
            suspects += running.values()
            return False
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _alone(item: Item, folder: Path, out: Path) -> tuple[Item, Answer]:
    started = time.perf_counter()
    with _pool(1) as pool:
        try:
            return item, _handed(pool, item, folder, out).result()
        except BrokenProcessPool:
            reason = "the worker process died: out of memory, or a fault in native code"
            return item, _lost(item, reason, time.perf_counter() - started)


def _lost(item: Item, reason: str, seconds: float) -> Answer:
    """The answer of a task whose worker died."""
    return {"name": item.name, "status": "failed", "reason": reason, "seconds": seconds, "retry": True}


def _pool(workers: int) -> ProcessPoolExecutor:
    # Forking would copy locks that threads of this process may hold.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, mp_context=context, initializer=_watch_parent, initargs=(os.getpid(),))


def _handed(pool: ProcessPoolExecutor, item: Item, folder: Path, out: Path) -> Future[Answer]:
    """Give a task to a pool, which may start a worker for it."""
    # A new process would run the caller's script once more, to its own call of a batch; no task needs it.
    script = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        return pool.submit(_work, item, folder, out)
    finally:
        sys.modules["__main__"] = script


def _work(item: Item, folder: Path, out: Path) -> Answer:
    from understudy.batch.worker import run_item

    return run_item(item, folder, out)


def _watch_parent(parent: int) -> None:
    """Leave when the process that started this one is gone: a killed batch must not leave workers behind."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextlib.contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def ray_engine(workers: int | None, address: str | None) -> Engine:
    """Ray's workers: of a cluster when an address is given, else of this machine.

    The output folder, libraries and scenes must be on a file system that all machines see.

    Raises:
        UnderstudyError: Ray is not installed, or the cluster cannot be reached.
    """
    try:
        import ray
    except ImportError:
        raise UnderstudyError(f"Ray is not installed; {install_hint('batch')}") from None

    def run(items: Iterable[Item], folder: Path, out: Path) -> Iterator[tuple[Item, Answer]]:
        begun = _begin(ray, workers, address)
        remote = ray.remote(num_cpus=1, max_retries=2)(_work)
        slots = _AHEAD * max(int(ray.cluster_resources().get("CPU", 1)), 1)
        waiting = iter(items)
        running: dict[Any, Item] = {}
        try:
            while True:
                for item in islice(waiting, slots - len(running)):
                    running[remote.remote(item, folder, out)] = item
                if not running:
                    return
                for ended in ray.wait(list(running), num_returns=1)[0]:
                    item = running.pop(ended)
                    yield item, _fetched(ray, ended, item)
        finally:
            if begun:
                ray.shutdown()

    return run


def _begin(ray: Any, workers: int | None, address: str | None) -> bool:
    """Connect or start; true when it was this call that did."""
    if ray.is_initialized():
        return False
    options: dict[str, Any] = {"runtime_env": {"env_vars": ONE_THREAD}, "log_to_driver": False}
    options |= {"address": address} if address else {"num_cpus": workers, "include_dashboard": False}
    try:
        ray.init(logging_level="ERROR", **options)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise UnderstudyError(f"cannot reach Ray at {address or 'this machine'}: {error}") from error
    return True


def _fetched(ray: Any, reference: Any, item: Item) -> Answer:
    try:
        return dict(ray.get(reference))
    except ray.exceptions.RayError as error:
        text = str(error).strip().splitlines()
        return _lost(item, text[-1] if text else type(error).__name__, 0.0)
