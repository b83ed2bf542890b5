"""Certificates: what a file claims comes back the same, and nothing about it can be changed unseen."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from understudy.api.judging import verify_file
from understudy.api.saving import save
from understudy.core import Motion
from understudy.errors import FormatError, OptionError
from understudy.formats import save_motion
from understudy.formats.certificates import beside, find_certificate, put_certificate
from understudy.scene.contacts import ContactRule
from understudy.scene.scene import Scene
from understudy.scene.shapes import Box
from understudy.verify.bars import Bars
from understudy.verify.certificate import SEAL, read_certificate, seal_of
from understudy.verify.claim import Claim, Planned
from understudy.verify.goals import FloorGoal, HandGoal
from understudy.verify.judge import certified, verify
from understudy.verify.resting import RestGoal

pytest.importorskip("pxr", reason="usd-core is not installed")
FORMATS = ("bvh", "glb", "gltf", "usda", "usdc", "npz", "csv")
Values = dict[str, Any]


@pytest.fixture
def claim(swaying: Motion) -> Claim:
    """Somebody sways beside a table, made from a clip with the same frames."""
    x, _, z = swaying.root_positions[-1]
    return Claim(
        motions=(("anna", swaying),),
        scene=Scene().with_object("table", Box(size_m=(0.5, 0.7, 0.5)), position=(3.0, 0.35, 0.0)),
        evidence={"anna": (swaying,)},
        contacts=(ContactRule(a="anna.left_hand", b="table", start_s=0.1, end_s=0.3, max_depth_m=0.005, why="leans"),),
        goals=(
            FloorGoal(position=(float(x), float(z))),
            HandGoal(hand="right", position=(0.0, 1.0, 0.0), time_s=0.5, character="anna"),
            RestGoal(object="table"),
        ),
        planned={"anna": (Planned(joints=("right_arm",), start_s=0.2, end_s=0.5),)},
    )


def faults(path: Path, **accepted: Any) -> list[str]:
    return [fault.detail for fault in verify_file(path, **accepted).report.claimed]


@pytest.mark.parametrize("ending", FORMATS)
def test_every_format_carries_its_claim(claim: Claim, tmp_path: Path, ending: str) -> None:
    saved = save(claim, tmp_path / f"anna.{ending}")
    again = verify_file(saved.path)
    assert saved.report is not None and again.certificate is not None
    assert [str(one) for one in again.report.violations] == [str(one) for one in saved.report.violations]
    assert again.report.claimed == ()
    kept = again.claim
    assert (kept.contacts, kept.goals, dict(kept.planned)) == (claim.contacts, claim.goals, dict(claim.planned))
    assert kept.scene is not None and kept.scene.object("table") == claim.scene.object("table")  # type: ignore[union-attr]
    assert kept.evidence == {} and len(kept.allowances["anna"].clips) == 1
    files = {"anna." + ending, f"anna.{ending}.claim.json"} if ending in ("bvh", "npz", "csv") else {"anna." + ending}
    assert {one.name for one in tmp_path.iterdir()} == files


def test_numbers_stand_for_the_clips(clip: Callable[[str], Motion]) -> None:
    """Recorded people who brush their own hips and jump at joints: judged by numbers as by the clips."""
    for name in ("16_16", "05_02"):
        motion = clip(name)
        for part, evidence in ((motion, (motion,)), (motion.frames(5, len(motion) - 5), (motion,))):
            said = Claim(motions=(("", part),), evidence={"": evidence})
            by_clips, allowances = certified(said)
            by_numbers = verify(replace(said, evidence={}, allowances=allowances))
            assert [str(one) for one in by_numbers.violations] == [str(one) for one in verify(said).violations]
            assert [str(one) for one in by_numbers.violations] == [str(one) for one in by_clips.violations]
            stricter = replace(allowances[""], overlaps=(), limits_rad={}, pace={})
            assert not verify(replace(said, evidence={}, allowances={"": stricter})).ok


def _moved_table(values: Values) -> None:
    values["scene"]["object"][0]["at"][0] += 0.01


def _raised_evidence(values: Values) -> None:
    pace = values["evidence"]["anna"]["pace"]
    pace["right_arm"] = [10.0 * one for one in pace["right_arm"]]


TAMPERING: dict[str, Callable[[Values], Any]] = {
    "moved table": _moved_table,
    "longer contact": lambda values: values["contacts"][0].update(end_s=0.6),
    "deeper contact": lambda values: values["contacts"][0].update(max_depth_m=0.02),
    "other goal": lambda values: values["goals"][0].update(position=[0.0, 0.001]),
    "dropped goal": lambda values: values["goals"].clear(),
    "looser bars": lambda values: values["bars"].update(velocity_ratio=9.0),
    "evidence raised": _raised_evidence,
    "other activity": lambda values: values.update(activity="sport"),
    "nothing planned": lambda values: values.update(planned={}),
    "a recording": lambda values: values.update(recorded=True),
    "no floor": lambda values: values["scene"].update(floor=False),
    "other verdict": lambda values: values["verdict"].update(ok=not values["verdict"]["ok"]),
    "other seal": lambda values: values.update(seal="0" * 64),
}


@pytest.mark.parametrize("kind", TAMPERING)
@pytest.mark.parametrize("ending", ["bvh", "glb", "usda"])
def test_a_changed_certificate_is_refused(claim: Claim, tmp_path: Path, kind: str, ending: str) -> None:
    path = save(claim, tmp_path / f"anna.{ending}").path
    values, _ = find_certificate(path) or ({}, "")
    changed = copy.deepcopy(values)
    TAMPERING[kind](changed)
    put_certificate(path, changed)
    assert "the certificate was changed after it was written" in faults(path)
    put_certificate(path, values)
    assert faults(path) == []


@pytest.mark.parametrize("ending", ["bvh", "glb", "usdc", "npz"])
def test_a_changed_frame_and_a_swapped_motion_are_refused(claim: Claim, tmp_path: Path, ending: str) -> None:
    path = save(claim, tmp_path / f"anna.{ending}").path
    values, _ = find_certificate(path) or ({}, "")
    motion = claim.motions[0][1]
    roots = motion.root_positions.copy()
    roots[len(roots) // 2, 0] += 1e-5
    for other in (replace(motion, root_positions=roots), motion.frames(0, len(motion) - 1)):
        save_motion(other.renamed("anna"), path)
        put_certificate(path, values)
        assert faults(path)[:1] == ["the motion is not the one that was certified"]


def test_a_changed_prop_is_seen_though_the_motion_is_the_same(claim: Claim, tmp_path: Path) -> None:
    path = save(claim, tmp_path / "anna.gltf").path
    document = json.loads(path.read_text("utf-8"))
    next(node for node in document["nodes"] if node["name"] == "table")["translation"][0] += 0.5
    path.write_text(json.dumps(document), encoding="utf-8")
    assert faults(path) == ["the file was changed after it was certified"]


def test_a_resealed_certificate_may_not_be_generous(claim: Claim, tmp_path: Path) -> None:
    """Who seals anew still cannot loosen bars or claim a contact that is too deep."""
    path = save(claim, tmp_path / "anna.bvh").path
    values, _ = find_certificate(path) or ({}, "")
    for change in (
        lambda one: one["bars"].update(velocity_ratio=9.0),
        lambda one: one["contacts"][0].update(max_depth_m=0.2),
    ):
        changed = copy.deepcopy(values)
        change(changed)
        put_certificate(path, {**changed, SEAL: seal_of(changed)})
        assert len(faults(path)) == 1
    put_certificate(path, {**(loose := values | {"bars": {**values["bars"], "gmd": 0.5}}), SEAL: seal_of(loose)})
    assert len(faults(path)) == 1
    assert faults(path, bars=Bars(gmd=0.5)) == []


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda values: {**values, "understudy_certificate": 99}, "newer"),
        (lambda values: {**values, "goals": [{"kind": "floor"}]}, "lacks"),
        (lambda values: {**values, "motions": []}, "no motion"),
        (lambda values: {**values, "unknown": 1}, "unknown key"),
        (lambda values: {**values, "bars": {"gmd": "much"}}, "must be a number"),
        (lambda values: {key: one for key, one in values.items() if key != SEAL}, "no seal"),
        (lambda values: [], "no certificate"),
    ],
)
def test_damage_is_named_in_one_line(
    claim: Claim, tmp_path: Path, damage: Callable[[Values], object], said: str
) -> None:
    values, where = find_certificate(save(claim, tmp_path / "anna.npz").path) or ({}, "")
    with pytest.raises(OptionError, match=said) as error:
        read_certificate(damage(values), where)
    assert "\n" not in str(error.value)


def test_a_file_without_claim_is_a_strangers(claim: Claim, tmp_path: Path) -> None:
    path = save(claim, tmp_path / "anna.bvh").path
    assert beside(path).exists()
    save_motion(claim.motions[0][1], path)
    assert not beside(path).exists()
    found = verify_file(path)
    assert found.certificate is None
    assert any("stranger's recording" in note for note in found.report.notes)


def test_clips_may_be_given_instead_of_their_numbers(claim: Claim, swaying: Motion, tmp_path: Path) -> None:
    path = save(claim, tmp_path / "anna.npz").path
    by_clips = verify_file(path, evidence=[swaying])
    assert [str(one) for one in by_clips.report.violations] == [str(one) for one in verify_file(path).report.violations]
    other = replace(swaying, root_positions=swaying.root_positions + np.array([0.0, 0.01, 0.0]))
    with pytest.raises(OptionError, match="not given"):
        verify_file(path, evidence=[other])


def test_nothing_half_written_stays(claim: Claim, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("understudy.api.saving.put_certificate", fail)
    with pytest.raises(FormatError, match="disk full"):
        save(claim, tmp_path / "anna.bvh")
    assert list(tmp_path.iterdir()) == []


def test_two_people_share_a_file_or_have_one_each(swaying: Motion, tmp_path: Path) -> None:
    away = replace(swaying, root_positions=swaying.root_positions + np.array([2.0, 0.0, 0.0]))
    both = Claim(
        motions=(("anna", swaying), ("ben", away)),
        scene=Scene(),
        evidence={"anna": (swaying,), "ben": (swaying,)},
    )
    for ending in ("glb", "bvh"):
        saved = save(both, tmp_path / f"two.{ending}")
        for path in saved.files.values():
            found = verify_file(path)
            assert found.report.claimed == ()
            assert {name for name, _ in found.claim.motions} == {"anna", "ben"}
            assert saved.report is not None and found.ok == saved.report.ok
    (tmp_path / "two.ben.bvh").unlink()
    with pytest.raises(OptionError, match=r"two\.ben\.bvh"):
        verify_file(tmp_path / "two.anna.bvh")
