"""Faults planted in accepted claims of every engine: the judge finds every one. The benchmark plants fifty of each."""

from __future__ import annotations

import pytest
from benchmarks.suites.fault_claims import ENGINES
from benchmarks.suites.planted_faults import KINDS, planted

import understudy as us


@pytest.mark.parametrize("engine", ENGINES)
def test_planted_faults_are_found(engine: str) -> None:
    missed, kinds = [], 0
    for kind in KINDS:
        claims = [claim for number in range(2) if (claim := planted(engine, kind, number)) is not None]
        kinds += bool(claims)
        missed += [kind for claim in claims if us.verify(claim).ok]
    assert not missed
    assert kinds >= 17, f"only {kinds} kinds could be planted"


def test_there_are_twenty_kinds_and_every_engine() -> None:
    assert len(KINDS) >= 20 and len(ENGINES) == 16
