"""Walks by label, style and speed, from and to standing, and from a pose; and what is learnt from the judge."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from understudy.core import Motion, Pose
from understudy.core.violations import Violation
from understudy.errors import OptionError, PlanningInputError
from understudy.library import Library, LibraryOptions, build_library
from understudy.library.features import headings_rad
from understudy.library.standing import stands_still
from understudy.locomotion import Spot, Walker, WalkOptions, WalkTrace, walk
from understudy.locomotion.choice import spot_of_pose
from understudy.locomotion.plan import Plan
from understudy.locomotion.refinement import Refinement
from understudy.performer import builtin_clips


def pass_all(motion: Motion, trace: WalkTrace) -> str:
    """A judge without bars."""
    return ""


def test_stopping_ends_standing_and_starting_begins_so(library: Library) -> None:
    start, solved = Spot(position=(0.0, 0.0), still=True), 0
    for goal in ((0.0, 4.0), (-1.0, 5.0), (1.0, 7.0), (0.0, 6.0)):
        result = walk(library, None, start=start, goal=goal, judge=pass_all, options=WalkOptions(stop=True))
        if not result.status:
            continue
        solved += 1
        assert result.motion is not None
        assert result.trace is not None
        still = stands_still(result.motion)
        assert still[:5].all()
        assert still[-5:].all()
        assert not still.all()
        assert result.trace.goal_error_m <= 0.01
    assert solved >= 2
    going = walk(library, None, start=(0, 0), goal=(0.5, 5.0), judge=pass_all)
    assert going.motion is not None
    assert not stands_still(going.motion)[-5:].any()


def test_a_library_that_never_stops_says_so() -> None:
    restless = build_library([one for one in builtin_clips("walk") if one.name not in ("start", "stop", "idle")])
    with pytest.raises(PlanningInputError, match="ends standing still"):
        walk(restless, None, start=(0, 0), goal=(0, 4), judge=pass_all, options=WalkOptions(stop=True))
    with pytest.raises(PlanningInputError, match="begins standing still"):
        walk(restless, None, start=Spot(position=(0.0, 0.0), still=True), goal=(0, 4), judge=pass_all)


def test_labels_styles_and_speeds_are_kept(library: Library, walker: Walker) -> None:
    speeds = walker.lengths_m / library.lengths()
    low, high = np.percentile(speeds, [20, 95])
    options = WalkOptions(speed_mps=(float(low), float(high)))
    slow = walk(library, None, start=(0, 0), goal=(0, 5), judge=pass_all, options=options)
    assert slow.trace is not None
    assert slow.status, slow.reason
    kept = slow.trace.nodes[~walker.still[slow.trace.nodes].any(axis=1)]
    assert ((speeds[kept] >= low) & (speeds[kept] <= high)).all()
    veering = walk(
        library, None, start=(0, 0), goal=(1, 5), judge=pass_all, options=WalkOptions(style="[vt][eu]*r*_*", tries=1)
    )
    assert veering.trace is not None
    assert all("veer" in library.take(node).name or "turn" in library.take(node).name for node in veering.trace.nodes)
    walking = walk(library, None, start=(0, 0), goal=(0, 5), judge=pass_all, options=WalkOptions(labels=("walk",)))
    assert walking.trace is not None
    assert walking.status
    assert {library.label(node) for node in walking.trace.nodes} <= {"walk", "start", "stand"}


def test_unknown_labels_styles_and_speeds_are_named(library: Library) -> None:
    for options, words in (
        (WalkOptions(labels=("wlak",)), '"wlak".*walk'),
        (WalkOptions(style="ballet"), '"ballet"'),
        (WalkOptions(speed_mps=(7.0, 9.0)), "7..9 m/s"),
    ):
        with pytest.raises(OptionError, match=words):
            walk(library, None, start=(0, 0), goal=(0, 5), judge=pass_all, options=options)
    with pytest.raises(OptionError, match="slowest, fastest"):
        WalkOptions(speed_mps=(2.0, 1.0))
    with pytest.raises(OptionError, match="tuple"):
        WalkOptions(labels="walk")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="astar"):
        WalkOptions(method="astar", stop=True)


def test_a_pose_is_found_again_where_it_stands(library: Library, walker: Walker) -> None:
    from understudy.core.planar import PlanarTransform

    clip = library.clip(4).placed(PlanarTransform(x_m=1.5, z_m=-2.0, yaw_rad=0.9))
    pose = clip.pose(9)
    found = spot_of_pose(walker, pose)
    assert found.position == pytest.approx((clip.root_positions[9, 0], clip.root_positions[9, 2]), abs=1e-6)
    assert found.heading_rad == pytest.approx(headings_rad(clip)[9], abs=1e-5)
    assert (found.clip, found.frame) == (4, 9)
    result = walk(library, None, start=pose, goal=(1.0, 4.0), judge=pass_all)
    assert result.status, result.reason
    assert result.motion is not None
    np.testing.assert_allclose(result.motion.root_positions[0, [0, 2]], found.position, atol=1e-6)


def test_a_pose_unlike_any_frame_is_refused(library: Library, walker: Walker) -> None:
    clip = library.clip(0)
    folded = np.tile([0.5, 0.5, 0.5, 0.5], (len(clip.skeleton), 1))
    lying = Pose(skeleton=clip.skeleton, root_position=np.array([0.0, 0.1, 0.0]), rotations=folded)
    with pytest.raises(PlanningInputError, match="no frame of the library is like"):
        spot_of_pose(walker, lying)


def plan(*nodes: int) -> Plan:
    count = len(nodes)
    return Plan(
        nodes=np.array(nodes),
        turns_rad=np.zeros(count),
        placements=np.zeros((count, 3)),
        starts_s=np.arange(count, dtype=float),
        arrives=True,
    )


def test_transitions_at_fault_are_left_out_and_tried_again_in_the_end(walker: Walker) -> None:
    graph = walker.graph
    nodes = [0]
    for _ in range(3):
        nodes.append(int(graph.targets[graph.edge_starts[nodes[-1]]]))
    refinement, asked = Refinement(2), []

    def search(by: Walker) -> Iterator[Plan]:
        asked.append(len(by.graph.targets))
        yield plan(*nodes)
        yield plan(*nodes[:-1])

    proposals = refinement.proposals(walker, search)
    first = next(proposals)
    # Two seconds after the beginning the third clip begins.
    wrong = Violation(kind="foot_slide", value=2.0, bar=1.0, time_s=2.1)
    refinement.refused(walker, first, [wrong])
    assert refinement.faults == {(nodes[1], nodes[2])}
    second = next(proposals)
    assert second.nodes.tolist() == nodes[:-1], "what was refused is not proposed again"
    assert asked[1] < asked[0]
    refinement.refused(walker, second, "odd")
    assert list(proposals) == []
    assert asked[-1] == asked[0], "in the end nothing is left out"


def test_untried_transitions_stay_when_asked(library: Library) -> None:
    untried = build_library(builtin_clips("walk"), options=LibraryOptions(trials=False))
    assert untried.graph.edges > library.graph.edges
    assert any("trials of" in note for note in library.notes)
    assert not any("trials of" in note for note in untried.notes)
