"""Task files: jobs with grids and random draws, spread out into single tasks."""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from understudy.batch.item import Item, digest_of
from understudy.batch.verb import Verb
from understudy.batch.verbs import VERBS
from understudy.core.table_text import read_text
from understudy.errors import FormatError, UnderstudyError, nearest_name
from understudy.typing import PathLike

VERSION = 1
#: More tasks than this in one file is a slip of the hand, and would fill memory and folders.
MOST_TASKS = 1_000_000
#: Keys with this in front vary an entry of the scene file.
_SCENE = "scene."
_FAULTS_SHOWN = 20


class Range(BaseModel):
    """Values drawn evenly between two ends, number by number, or from a list."""

    model_config = ConfigDict(extra="forbid")

    low: float | list[float] | None = None
    high: float | list[float] | None = None
    choice: list[Any] | None = None

    @model_validator(mode="after")
    def _check(self) -> Range:
        if (self.choice is None) == (self.low is None) or (self.low is None) != (self.high is None):
            raise ValueError("give low and high, or choice")
        if self.choice is not None and not self.choice:
            raise ValueError("choice is empty")
        if np.shape(self.low or 0.0) != np.shape(self.high or 0.0):
            raise ValueError("low and high have different lengths")
        return self

    def drawn(self, generator: np.random.Generator) -> Any:
        """One value; numbers keep four digits after the point, so that records read well."""
        if self.choice is not None:
            return self.choice[int(generator.integers(len(self.choice)))]
        low, high = np.asarray(self.low, dtype=float), np.asarray(self.high, dtype=float)
        return np.round(low + (high - low) * generator.random(low.shape), 4).tolist()


class Job(BaseModel):
    """One ``[[job]]``: what to do, with which values, how often. All other keys are values of the verb."""

    model_config = ConfigDict(extra="allow")

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_]+(-[A-Za-z0-9_]+)*$", max_length=64)]
    do: str
    seeds: Annotated[int, Field(ge=1)] = 1
    grid: dict[str, Annotated[list[Any], Field(min_length=1)]] = {}
    draw: dict[str, Range] = {}
    draws: Annotated[int, Field(ge=1)] = 1

    @model_validator(mode="after")
    def _check(self) -> Job:
        if self.do not in VERBS:
            raise ValueError(f'unknown verb "{self.do}"; {nearest_name(self.do, VERBS)}')
        if self.draws > 1 and not self.draw:
            raise ValueError("draws without a draw table; say what to draw")
        return self

    def count(self) -> int:
        """How many tasks it stands for."""
        combinations = 1
        for values in self.grid.values():
            combinations *= len(values)
        return combinations * self.draws * self.seeds

    def values(self, seed: int) -> Iterator[tuple[dict[str, Any], int]]:
        """The values and the seed of every task, in a fixed order."""
        grid = [[(key, value) for value in values] for key, values in self.grid.items()]
        for n in range(self.draws):
            generator = np.random.default_rng([seed, zlib.crc32(self.name.encode()), n])
            drawn = {key: span.drawn(generator) for key, span in sorted(self.draw.items())}
            for chosen in itertools.product(*grid):
                for number in range(self.seeds):
                    yield self._settled({**(self.model_extra or {}), **drawn, **dict(chosen)}), seed + number

    @staticmethod
    def _settled(values: dict[str, Any]) -> dict[str, Any]:
        varied = {key[len(_SCENE) :]: value for key, value in values.items() if key.startswith(_SCENE)}
        plain = {key: value for key, value in values.items() if not key.startswith(_SCENE)}
        return {**plain, "vary": {**plain.get("vary", {}), **varied}} if varied else plain


class TaskFile(BaseModel):
    """The whole file."""

    model_config = ConfigDict(extra="forbid")

    version: int = VERSION
    job: Annotated[list[Job], Field(min_length=1)]


def load_tasks(path: PathLike, *, seed: int = 0) -> list[Item]:
    """Every task of a task file, checked, each once.

    Args:
        path: A ``.toml`` or ``.json`` file.
        seed: Of the draws; tasks get this seed and the next ones.

    Raises:
        FormatError: The file is missing or wrong; everything that is wrong is said.
    """
    file = Path(path)
    raw = read_text(file, "task").values
    try:
        tasks = TaskFile.model_validate(raw)
    except ValidationError as error:
        raise _refusal(file, _sentences(error, raw)) from None
    if tasks.version != VERSION:
        raise FormatError(f"version {tasks.version} of task files is unknown; this program reads {VERSION}", path=file)
    names = [job.name for job in tasks.job]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise FormatError(f'two jobs are called "{twice[0]}"; names must differ', path=file)
    if (total := sum(job.count() for job in tasks.job)) > MOST_TASKS:
        raise FormatError(f"asks for {total:,} tasks; at most {MOST_TASKS:,} are allowed in one file", path=file)
    found: dict[str, Item] = {}
    for job in tasks.job:
        for item in _items(job, file, seed):
            found.setdefault(item.name, item)
    return list(found.values())


def _items(job: Job, file: Path, seed: int) -> Iterator[Item]:
    faults: list[str] = []
    for values, number in job.values(seed):
        try:
            verb = VERBS[job.do].model_validate(values)
        except ValidationError as error:
            faults += [f'job "{job.name}": {sentence}' for sentence in _sentences(error, values, VERBS[job.do])]
            continue
        yield Item(job=job.name, do=job.do, values=_plain(verb), seed=number, files=_digests(verb, file, job.name))
    if faults:
        raise _refusal(file, list(dict.fromkeys(faults)))


def _plain(verb: Verb) -> dict[str, Any]:
    # Defaults are left out, so that a verb may grow without renaming old results.
    return verb.model_dump(mode="json", exclude_defaults=True)


def _digests(verb: Verb, file: Path, job: str) -> dict[str, str]:
    try:
        return {name: digest_of(file.parent / name) for name in verb.files()}
    except UnderstudyError as error:
        raise FormatError(f'job "{job}": {error}', path=file) from error


def _sentences(error: ValidationError, raw: Any, model: type[BaseModel] | None = None) -> list[str]:
    told = []
    for one in error.errors():
        place = ".".join(str(step) for step in one["loc"])
        if one["type"] == "extra_forbidden":
            allowed = list((model or TaskFile).model_fields)
            told.append(f'unknown key "{place}"; {nearest_name(str(one["loc"][-1]), allowed)}')
        elif one["type"] == "missing":
            told.append(f'"{place}" is missing')
        else:
            told.append(f"{place}: {one['msg'].removeprefix('Value error, ')}" if place else one["msg"])
    return told


def _refusal(file: Path, faults: list[str]) -> FormatError:
    shown = faults[:_FAULTS_SHOWN]
    more = f"\n  and {len(faults) - len(shown)} more" if len(faults) > len(shown) else ""
    if len(faults) == 1:
        return FormatError(faults[0], path=file)
    return FormatError(f"{len(faults)} faults\n" + "\n".join(f"  {one}" for one in shown) + more, path=file)
