"""A person's own manner is found again in their walks, and walks made in it look like theirs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from understudy.library import build_library
from understudy.locomotion.footsteps.footfalls import walking
from understudy.locomotion.footsteps.manner import manner_of, measured
from understudy.locomotion.footsteps.pathing import timed
from understudy.locomotion.footsteps.shuffling import standing
from understudy.performer.clips import performance
from understudy.performer.style import STYLES, Style


@pytest.mark.parametrize("name", ["brisk", "tired"])
def test_a_style_is_found_again_in_one_walk(name: str) -> None:
    style = STYLES[name]
    found = manner_of(build_library([performance("walk", style=style).motion]))
    common = Style()
    for field in ("speed", "pace", "arm_swing", "elbow_rad", "lean_rad"):
        own, usual, seen = (getattr(one, field) for one in (style, common, found))
        # Nearer to the person's own than to everybody's.
        assert abs(seen - own) < 0.5 * abs(own - usual) + 0.02, field


def test_a_walk_made_in_a_manner_measures_like_the_recorded_one() -> None:
    recorded = performance("walk", style="tired").motion
    library = build_library([recorded])
    style, skeleton = manner_of(library), library.skeleton
    path = timed(np.array([[0.0, 0.0], [0.0, 6.0]]), start_rad=0.0, end_rad=None, fps=60.0, speed=style.speed)
    walk = walking(path, skeleton, style, footing=standing(skeleton, np.zeros(2), 0.0, style)).performed(0)
    plain = walking(path, skeleton, Style(), footing=standing(skeleton, np.zeros(2), 0.0, Style())).performed(0)
    own, made, usual = (
        measured(one) for one in (recorded, walk.frames(90, len(walk) - 90), plain.frames(90, len(plain) - 90))
    )
    for field in ("stride_hz", "arm_swing", "lean_rad"):
        wanted = getattr(own, field)
        assert abs(getattr(made, field) - wanted) < abs(getattr(usual, field) - wanted), field


def test_whoever_never_walks_straight_ahead_has_the_common_manner() -> None:
    assert manner_of(build_library([performance("sidestep_left").motion])) == Style()


@pytest.mark.parametrize("profile", [lambda far: 0.18 * far, lambda far: 0.09 * np.sin(2.5 * far)])
def test_who_walks_up_or_over_hills_tells_nothing_about_a_level_floor(profile) -> None:
    walk = performance("walk", style="tired").motion
    far = np.linalg.norm(walk.root_positions[:, [0, 2]] - walk.root_positions[0, [0, 2]], axis=1)
    hilly = replace(walk, root_positions=walk.root_positions + profile(far)[:, None] * [0.0, 1.0, 0.0])
    assert manner_of(build_library([hilly])) == Style()
    assert manner_of(build_library([walk])) != Style()


def test_necks_are_held_as_the_person_holds_them_also_while_standing() -> None:
    """A neck that leans back under a bowed head, as many recorded skeletons have it."""
    recorded = performance("walk", style=replace(Style(), neck_rad=-0.5, head_rad=0.2)).motion
    library = build_library([recorded])
    style, skeleton = manner_of(library), library.skeleton
    assert abs(style.neck_rad + 0.5) < 0.05 and abs(style.head_rad - 0.2) < 0.05
    path = timed(np.array([[0.0, 0.0], [0.0, 3.0]]), start_rad=0.0, end_rad=None, fps=60.0, speed=style.speed)
    made = walking(path, skeleton, style, footing=standing(skeleton, np.zeros(2), 0.0, style)).performed(0)
    own = measured(recorded)
    for part in (made.frames(0, 10), made):
        seen = measured(part)
        assert abs(seen.neck_rad - own.neck_rad) < 0.1 and abs(seen.head_rad - own.head_rad) < 0.1
