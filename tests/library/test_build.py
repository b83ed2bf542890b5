from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from walkers import leaning, walker

from people import person
from understudy import rotations as rot
from understudy.core import Motion
from understudy.errors import OptionError, PlanningInputError, SkeletonError, UnderstudyError
from understudy.formats import load_motion
from understudy.kinematics import motion_world
from understudy.library import Library, LibraryOptions, build_library
from understudy.library.preparation import mirror_image


def test_the_graph_beats_the_recording(library: Library, walks: list[Motion]) -> None:
    takes = {library.take(node).name for node in range(len(library))}
    assert takes == {walk.name for walk in walks}
    assert library.branching > 2.0
    assert set(library.labels) == {"walk"}
    assert library.thesis_branching == (2 * library.graph.edges + len(library)) / (library.graph.edges + len(library))
    assert {"prepare", "segment", "compare", "connect", "total"} <= library.seconds.keys()


def test_building_twice_gives_the_same_graph(walks: list[Motion], library: Library) -> None:
    again = build_library(walks, options=LibraryOptions(threshold_m=0.06, trials=False))
    for key in ("first", "targets", "transforms", "ranges", "costs"):
        assert np.array_equal(getattr(again.graph, key), getattr(library.graph, key))


@pytest.mark.parametrize("graph", ["standard", "hybrid"])
def test_other_graphs(walks: list[Motion], graph: str) -> None:
    library = build_library(walks, options=LibraryOptions(graph=graph, threshold_m=0.06))
    assert library.kind == graph and library.graph.nodes > 3
    # Clips are long enough for the windows that are blended beside them.
    assert (library.graph.last - library.graph.first).min() >= 18
    assert (library.graph.costs <= 0.06).all()


def test_hybrid_is_the_feature_graph_where_features_fire(walks: list[Motion]) -> None:
    feature, hybrid = (
        build_library(walks, options=LibraryOptions(graph=graph, threshold_m=0.06)) for graph in ("feature", "hybrid")
    )
    assert set(feature.graph.first) <= set(hybrid.graph.first)


def test_hybrid_cuts_what_no_detector_sees() -> None:
    class Never:
        name = "never"

        def cuts(self, motion: Motion) -> tuple[np.ndarray, list[str]]:
            return np.empty(0, dtype=np.int64), []

    walks = [walker(turn_degps=turn) for turn in (0.0, 25.0)]
    with pytest.raises(PlanningInputError, match="never"):
        build_library(walks, options=LibraryOptions(detectors=(Never(),)))
    library = build_library(walks, options=LibraryOptions(detectors=(Never(),), graph="hybrid"))
    assert library.graph.nodes > 2 and library.labels == ("other",)


def test_mirrored_clips_turn_the_other_way() -> None:
    walks = [walker(turn_degps=30.0)]
    library = build_library(walks, options=LibraryOptions(mirror=True, threshold_m=0.1, trials=False))
    rates = library.graph.moves[:, 2] / library.lengths()
    mirrored = np.array([library.take(node).mirrored for node in range(len(library))])
    assert mirrored.any() and not mirrored.all()
    assert np.degrees(rates[~mirrored]) == pytest.approx(30.0, abs=1.0)
    assert np.degrees(rates[mirrored]) == pytest.approx(-30.0, abs=1.0)


def test_mirrored_feet_are_exactly_where_the_mirror_shows_them() -> None:
    """A lopsided skeleton: mirrored angles alone would move the feet."""
    skeleton = person()
    offsets = skeleton.offsets.copy()
    offsets[skeleton.index("leftLowerLeg")] *= 0.96
    motion = walker(skeleton=replace(skeleton, offsets=offsets), turn_degps=10.0)
    image = mirror_image(motion)
    here, there = motion_world(motion).positions, motion_world(image).positions
    for side, other in (("left", "right"), ("right", "left")):
        wanted = here[:, skeleton.index(f"{other}Foot")] * [-1.0, 1.0, 1.0]
        assert there[:, skeleton.index(f"{side}Foot")] == pytest.approx(wanted, abs=2e-3)


def test_other_bodies_with_the_same_joints_join() -> None:
    small = walker(skeleton=person(0.85), turn_degps=10.0, name="small")
    library = build_library([walker(name="tall"), small], options=LibraryOptions(threshold_m=0.08))
    assert {library.take(node).name for node in range(len(library))} == {"tall", "small"}
    assert any('"small" is of another body' in note and "1.176" in note for note in library.notes)


def test_other_skeletons_are_refused() -> None:
    tall, other = walker(), walker()
    names = tuple("Bone" if name == "spine" else name for name in other.skeleton.names)
    renamed = replace(other, skeleton=replace(other.skeleton, names=names), name="odd")
    with pytest.raises(SkeletonError, match=r'"odd" has other joints.*"Bone".*retarget'):
        build_library([tall, renamed])
    offsets = other.skeleton.offsets.copy()
    arm = other.skeleton.index("leftLowerArm")
    offsets[arm] = rot.rotate(rot.from_axis_angle([0.0, 0.0, 1.0], -0.8), offsets[arm])
    a_pose = replace(other, skeleton=replace(other.skeleton, offsets=offsets), name="a-pose")
    with pytest.raises(SkeletonError, match=r'"a-pose".*rest pose.*"leftLowerArm".*retarget'):
        build_library([tall, a_pose])
    with pytest.raises(SkeletonError, match="humanoid roles"):
        build_library([replace(tall, skeleton=tall.skeleton.with_humanoid({}))])


def test_short_clips_are_left_out_or_refused() -> None:
    short = replace(walker(seconds=0.3), name="blink")
    with pytest.raises(PlanningInputError, match=r'too short.*\n.*"blink".*0\.30 s'):
        build_library([short])
    library = build_library([walker(), short])
    assert any('"blink" is too short' in note for note in library.notes)
    with pytest.raises(PlanningInputError, match="at least one clip"):
        build_library([])
    with pytest.raises(PlanningInputError, match="fire less than twice"):
        build_library([walker(seconds=0.8)])


def test_the_threshold_named_is_the_smallest_that_connects() -> None:
    walks = [leaning(walker(turn_degps=turn)) for turn in (0.0, 35.0)]
    (note,) = build_library(walks, options=LibraryOptions(threshold_m=0.0001)).notes
    named = float(re.search(r"smallest threshold .* is ([\d.e-]+) m", note)[1])
    connected = build_library(walks, options=LibraryOptions(threshold_m=named))
    assert connected.graph.edges > 0 and not any("smallest threshold" in one for one in connected.notes)
    below = build_library(walks, options=LibraryOptions(threshold_m=named - 2e-4))
    assert any("smallest threshold" in one for one in below.notes)


@pytest.mark.parametrize(
    "values",
    [
        {"graph": "motion"},
        {"threshold_m": 0.0},
        {"threshold_m": float("nan")},
        {"fps": 1.0},
        {"window_s": 0.0},
        {"bends_degps": (0.0,)},
        {"bends_degps": (float("inf"),)},
        {"weights": {"hipz": 1.0}},
        {"weights": {"hips": -1.0}},
        {"weights": {"hips": 0.0}},
        {"detectors": ()},
        {"unknown": 1},
    ],
)
def test_bad_options_are_refused(values: dict) -> None:
    with pytest.raises(OptionError):
        LibraryOptions.make(values)


def test_deadline_and_cancel_stop_the_work(walks: list[Motion]) -> None:
    with pytest.raises(UnderstudyError, match="deadline"):
        build_library(walks, options=LibraryOptions(deadline_s=1e-9))
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(UnderstudyError, match="cancelled"):
        build_library(walks, options=LibraryOptions(cancel=cancel))


def test_progress_is_told(walks: list[Motion]) -> None:
    told: list[tuple[float, str]] = []
    build_library(walks, options=LibraryOptions(graph="standard", progress=lambda *step: told.append(step)))
    assert {"prepare", "image"} <= {stage for _, stage in told}
    assert all(0.0 <= share <= 1.0 for share, _ in told)


def test_frame_rates_are_brought_together() -> None:
    library = build_library([walker(fps=120.0), walker(fps=30.0, turn_degps=20.0)])
    assert library.fps == 30.0
    assert build_library([walker(fps=120.0)]).fps == 60.0


def test_subject_69_is_as_well_connected_as_was_found(recorded_library: Library) -> None:
    assert recorded_library.graph.nodes > 0.7 * recorded_library.segments
    assert recorded_library.branching > 6.0
    assert np.degrees(np.median(recorded_library.graph.ranges[:, 1])) > 10.0


def test_two_recorded_subjects_mix(cmu_bvh: Callable[[str], Path]) -> None:
    motions = [load_motion(cmu_bvh(name)) for name in ("69_24", "69_31", "16_16", "16_11")]
    library = build_library(motions)
    sources = np.array([library.take(node).source >= 2 for node in range(len(library))])
    graph = library.graph
    assert (sources[graph.sources] != sources[graph.targets]).sum() > 10
