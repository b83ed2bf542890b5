"""The table of recorded people: its shape, its page, and the script that makes it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tools.everyday_pace import (
    MODULE,
    PARTS,
    Recording,
    by_frames,
    by_recordings,
    module_text,
    recordings,
    table_row,
    tables,
)

from understudy.core.everyday import ACTIVITIES, EVERYDAY, SPORT, part_of, usual_pace
from understudy.core.humanoid import LIMB_ROLES
from understudy.errors import OptionError
from understudy.typing import FloatArray

PAGE = Path(__file__).resolve().parents[2] / "docs" / "pace.md"


@pytest.mark.parametrize("activity", ACTIVITIES)
def test_every_limb_has_a_pace_and_both_sides_the_same(activity: str) -> None:
    for limb in LIMB_ROLES:
        assert all(value > 0.0 for value in usual_pace(limb, activity))
        assert usual_pace(limb, activity) == usual_pace(limb.replace("left", "right"), activity)
        # A creature without roles is one limb; a person seen like that is no faster than some limb.
        assert all(a <= b for a, b in zip(usual_pace(limb, activity), usual_pace("body", activity), strict=True))


def test_sport_is_never_slower_than_everyday_life() -> None:
    for limb in EVERYDAY:
        assert all(a <= b for a, b in zip(EVERYDAY[limb], SPORT[limb], strict=True))


def test_other_activities_are_refused() -> None:
    with pytest.raises(OptionError, match="everyday, sport"):
        usual_pace("left_arm", "war")


def test_the_script_makes_the_table_from_recordings(shared_motion: Path) -> None:
    if not (shared_motion / "INDEX-more.csv").is_file():
        pytest.skip("not all recordings are there")
    everyday, sport = tables(recordings(shared_motion))
    for made, table in ((everyday, EVERYDAY), (sport, SPORT)):
        for limb in LIMB_ROLES:
            assert made[part_of(limb)] == pytest.approx(table[limb], rel=0.01)


def test_the_script_writes_what_it_read() -> None:
    text = MODULE.read_text(encoding="utf-8")
    everyday, sport = ({part: table[_limb(part)] for part in PARTS} for table in (EVERYDAY, SPORT))
    assert module_text(text, everyday, sport) == text
    assert module_text(text, sport, sport) != text


def test_the_page_shows_the_table() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for table in (EVERYDAY, SPORT):
        assert "\n".join(table_row(part, table[_limb(part)]) for part in PARTS) in page


def test_a_tenth_of_wrong_recordings_and_a_wrong_start_do_not_set_the_table() -> None:
    def recording(k: int, pop: float, start: float) -> Recording:
        series = _series(k)
        series[200:260] += pop
        series[:5] += start
        return Recording(f"{k}", False, {"left_arm": [series] * 3, "right_arm": [series * 0.1] * 3}, 30)

    clean = [recording(k, 0.0, 0.0) for k in range(40)]
    dirty = [recording(k, 100.0 if k % 20 == 0 else 0.0, 50.0) for k in range(40)]
    assert by_recordings(dirty, "arm", 0) == pytest.approx(by_recordings(clean, "arm", 0), rel=0.15)
    assert by_frames(dirty, "arm", 0) > 10.0 * by_frames(clean, "arm", 0)


def _series(k: int) -> FloatArray:
    return np.random.default_rng(k).uniform(0.0, 1.0 + 0.02 * k, size=600)


def _limb(part: str) -> str:
    return part if part in LIMB_ROLES else f"left_{part}"
