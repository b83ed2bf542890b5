"""The performer beside recorded walks, and its clips by the quality measures.

    python -m benchmarks.suites.performer ../shared/motion/cmu_bvh [--group final] [--docs docs/performer.md]

Every recorded clip's path and phase drive the performer on the recorded person's own skeleton; joint angles are
compared frame by frame. Clips of the group ``final`` took no part in fitting or in choosing the model's form; those of
``left-out`` are the fitted ones, each compared with a model that was fitted without it.

Beside it stands how well the same person's other recordings foretell a clip without any model: every frame against the
mean of the frames of those recordings that are most alike in phase, speed and turning.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path

import numpy as np
from scipy.spatial import cKDTree

from benchmarks.suites.performer_clips import knee_speeds, made_rows, seconds_per_minute
from understudy import rotations as rot
from understudy.core import Motion
from understudy.formats import load_motion
from understudy.inspection import clean
from understudy.performer import Style
from understudy.performer import curves as gait_curves
from understudy.performer.gait import cropped, perform
from understudy.performer.model import LEG_M, GaitModel, gait_model
from understudy.performer.recorded_path import WalkedPath, walked_path
from understudy.performer.recording import recorded_body
from understudy.performer.track import Command, Track, activity_of, commanded_track, context_of

ROOT = Path(__file__).resolve().parents[2]
#: Joints of the table and the bar each must stay below: ordinary walks, then fast turns and side steps [deg].
BARS = {"hip": (6.0, 10.0), "knee": (6.0, 10.0), "ankle": (8.0, 10.0), "shoulder": (6.0, 10.0)}
HARD = {"16_30", "16_27", "69_65", "69_62"}
#: How many frames of other recordings a recorded frame is compared with: a third of a second.
ALIKE = 40
#: Clips whose knees jump from one frame to the next; they say nothing about how fast knees are.
POPPING = {"16_47"}
#: The fitted gait as it is: what styles change or add is left out.
PLAIN = Style(variation=0.0, arm_asymmetry=0.0, arm_swing=1.0, twist=1.0, toe_out_rad=0.0, width_m=0.0)


def _fitting():
    spec = importlib.util.spec_from_file_location("fit_performer", ROOT / "tools" / "fit_performer.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def clip_rows(folder: Path, group: str) -> list[dict[str, object]]:
    """Joint-angle RMS [deg], step length and pelvis motion of every recorded clip of a group."""
    fit = _fitting()
    listed = fit.FINAL if group == "final" else fit.FIT
    others = fit.read_all(folder, fit.FIT)
    rows = []
    for gait, names in listed.items():
        for name in names.split():
            rest = [clip for clip in others[gait] if clip.name != name]
            model = gait_model()
            if group == "left-out":
                if not rest:
                    continue
                model = fit.fitted({gait: rest}, model)
            row = {"clip": name, "gait": gait, **compare(fit, folder, name, model.of(name.split("_")[0]))}
            common = compare(fit, folder, name, model)
            row |= {f"{joint}_common": common[joint] for joint in BARS}
            rows.append(row | real_floor(fit, folder, name, rest))
    return rows


def real_floor(fit, folder: Path, name: str, others: list) -> dict[str, float]:
    """Joint-angle RMS [deg] between a clip and the mean of the most alike moments of the same person's other clips."""
    clip = fit.read_clip(folder, name)
    same = [other for other in others if other.subject == clip.subject]
    if not same:
        return {}
    turns, places = [], []
    for other in (clip, *same):
        valid = other.path.valid
        motion = clean(load_motion(folder / f"{other.name}.bvh")).motion
        turns.append({joint: turn[valid] for joint, turn in _joint_turns(motion).items()})
        angle = 2.0 * np.pi * other.path.phase[valid]
        # A fortieth of a stride counts like 0.15 m/s, or like 9 degrees a second.
        places.append(np.column_stack([np.cos(angle), np.sin(angle), fit.context_of(other)[valid]]))
    nearest = cKDTree(np.concatenate(places[1:])).query(places[0], k=ALIKE)[1]
    row = {}
    for joint in BARS:
        errors = []
        for side in ("left", "right"):
            alike = np.concatenate([turn[side + joint] for turn in turns[1:]])[nearest]
            alike = alike * np.where(np.sum(alike * alike[:, :1], axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
            errors.append(_rms_deg(turns[0][side + joint], rot.normalize(alike.mean(axis=1))))
        row[f"{joint}_floor"] = float(np.sqrt(np.mean(np.square(errors))))
    return row


def compare(fit, folder: Path, name: str, model: GaitModel) -> dict[str, object]:
    """One clip beside what a model makes of its path and phase."""
    motion = clean(load_motion(folder / f"{name}.bvh")).motion
    clip = fit.read_clip(folder, name)
    clip.path = fit.follow_path(clip.path, clip.body, fit.periodic_part(model, clip))
    path, leg = clip.path, clip.body.leg_m
    track, margin = extended_track(path, motion.fps, leg)
    context = track.context[margin:-margin]
    made = perform(track, motion.skeleton, model=model, style=PLAIN, rng=np.random.default_rng(0), name=name)
    made = cropped(made, margin, margin + len(motion))
    valid = path.valid
    real, ours = (_joint_turns(m) for m in (motion, made.motion))
    row: dict[str, object] = {}
    for joint in BARS:
        errors = [_rms_deg(real[side + joint][valid], ours[side + joint][valid]) for side in ("left", "right")]
        row[joint] = float(np.sqrt(np.mean(np.square(errors))))
    middle = context[valid]
    pace = float(np.mean(np.gradient(path.phase)[valid]) * motion.fps)
    guess = float(np.mean(model.pace(middle))) / clip.time_scale
    row |= {
        "speed": float(np.mean(np.hypot(middle[:, 0], middle[:, 1])) * np.sqrt(leg / LEG_M)),
        "turn": float(np.degrees(np.abs(middle[:, 2]).max())),
        "step_error": pace / guess - 1.0,
        "seconds": float(valid.sum() / motion.fps),
    }
    if np.abs(middle[:, 2]).max() < 0.25 and middle[:, 0].min() > 0.5:
        row |= _pelvis(clip, motion, model, float(np.mean(middle[:, 0]) * np.sqrt(leg / LEG_M)))
    return row


def extended_track(path: WalkedPath, fps: float, leg_m: float, *, margin_s: float = 1.5) -> tuple[Track, int]:
    """A recorded path as a track, continued at constant velocity so that its first and last steps are whole."""
    margin = round(margin_s * fps)
    first, last = np.flatnonzero(path.valid)[[0, -1]]
    series = np.column_stack([path.place, path.heading, np.maximum.accumulate(path.phase)])
    frames = np.arange(-margin, len(series) + margin)
    out = series[np.clip(frames, first, last)]
    span = min(30, last - first)
    for edge, inner, outside in ((first, first + span, frames < first), (last, last - span, frames > last)):
        rate = (series[inner] - series[edge]) / (inner - edge)
        out[outside] = series[edge] + (frames[outside] - edge)[:, None] * rate
    context = context_of(out[:, :2], out[:, 2], fps, leg_m)
    track = Track(
        times_s=frames / fps,
        place=out[:, :2],
        heading=out[:, 2],
        phase=out[:, 3],
        context=context,
        activity=activity_of(context, fps),
    )
    return track, margin


def _joint_turns(motion: Motion) -> dict[str, np.ndarray]:
    """Joint rotations in anatomical axes; the shoulder is the upper arm seen from the chest."""
    skeleton = motion.skeleton
    body = recorded_body(motion)
    from understudy.core.reference_pose import anatomical_rotations

    turns = anatomical_rotations(skeleton, motion.rotations)
    out = {}
    for side in ("left", "right"):
        for joint, role in (("hip", "UpperLeg"), ("knee", "LowerLeg"), ("ankle", "Foot")):
            out[side + joint] = turns[:, skeleton.index(side + role)]
        collar, arm = (gait_curves.TURNING.index(side + part) for part in ("Shoulder", "UpperArm"))
        out[side + "shoulder"] = rot.multiply(body.turns[:, collar], body.turns[:, arm])
    return out


def _rms_deg(real: np.ndarray, ours: np.ndarray) -> float:
    """3-D RMS of the rotation between two series, its mean taken off [deg]."""
    apart = rot.relative(real, ours)
    rest = rot.log(rot.relative(rot.mean(apart), apart))
    return float(np.degrees(np.sqrt(np.mean(np.sum(rest**2, axis=1)))))


def _pelvis(clip, motion: Motion, model: GaitModel, speed: float) -> dict[str, float]:
    """Bob and sway [mm], twice the standard deviation about the path: recorded, and of a commanded walk as fast."""
    start = walked_path(clip.body)
    c, s = np.cos(start.heading), np.sin(start.heading)
    off = clip.body.pelvis[:, [0, 2]] - start.place
    keep = start.valid
    real_sway = np.std((c * off[:, 0] - s * off[:, 1])[keep])
    real_bob = np.std(clip.body.pelvis[keep, 1])
    skeleton = motion.skeleton
    track = commanded_track(
        [Command(0.0, speed)],
        duration_s=8.0,
        fps=60.0,
        leg_m=skeleton.leg_length_m(),
        model=model,
        style=PLAIN,
        start_phase=0.0,
        rng=np.random.default_rng(0),
    )
    made = perform(track, skeleton, model=model, style=PLAIN, rng=np.random.default_rng(0), name="walk")
    body = recorded_body(made.motion.frames(120, 480))
    return {
        "bob_real": 2000 * real_bob,
        "bob": 2000 * float(np.std(body.pelvis[:, 1])),
        "sway_real": 2000 * float(real_sway),
        "sway": 2000 * float(np.std(body.pelvis[:, 0])),
    }


def real_knee_limits(folder: Path) -> tuple[float, float]:
    """99.9th percentile of recorded knee speeds [deg/s]: in walks, and in all locomotion including jogs."""
    fit = _fitting()
    values: dict[str, list[np.ndarray]] = {"walk": [], "all": []}
    for gait, names in fit.FIT.items():
        for name in names.split():
            if name in POPPING:
                continue
            motion = clean(load_motion(folder / f"{name}.bvh")).motion
            speeds = knee_speeds(motion)
            values["all"].append(speeds)
            if gait != "jog":
                values["walk"].append(speeds)
    return tuple(float(np.percentile(np.concatenate(values[key]), 99.9)) for key in ("walk", "all"))


def report(folder: Path, group: str) -> str:
    """Everything as Markdown."""
    rows = clip_rows(folder, group)
    lines = [
        "| clip | gait | speed m/s | hip | knee | ankle | shoulder | step length error |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        hard = row["clip"] in HARD
        marks = []
        for joint, bars in BARS.items():
            value = float(row[joint])
            floor = f" [{row[f'{joint}_floor']:.1f}]" if f"{joint}_floor" in row else ""
            value_common = f" ({row[f'{joint}_common']:.1f})"
            marks.append(f"{value:.1f}" + value_common + floor + ("" if value <= bars[int(hard)] else " over"))
        lines.append(
            f"| {row['clip']} | {row['gait']}, up to {row['turn']:.0f} deg/s | {row['speed']:.2f} | "
            + " | ".join(marks)
            + f" | {100 * row['step_error']:+.1f} % |"
        )
    lines += ["", "| clip | bob recorded mm | made | sway recorded mm | made |", "|---|---|---|---|---|"]
    for row in rows:
        if "bob" in row:
            cells = []
            for key in ("bob", "sway"):
                real, ours = float(row[f"{key}_real"]), float(row[key])
                cells.append(f"{real:.1f} | {ours:.1f} ({100 * (ours / real - 1):+.0f} %)")
            lines.append(f"| {row['clip']} | {' | '.join(cells)} |")
    walk, everything = real_knee_limits(folder)
    lines += [
        "",
        f"Recorded knee speed, 99.9th percentile: {walk:.0f} deg/s without jogs, {everything:.0f} deg/s with them.",
        "",
        "| built-in clip (worst of 3 seeds) | stance drift mm | GMD skate | fastest knee deg/s | feet apart cm |",
        "|---|---|---|---|---|",
    ]
    for row in made_rows():
        over = " (over)" if row["knee"] > (everything if "jog" in row["clip"] else walk) else ""
        apart = f"{100 * row['apart']:.0f}" if np.isfinite(row["apart"]) else "never both down"
        lines.append(f"| {row['clip']} | {row['drift']:.2f} | {row['skate']:.3f} | {row['knee']:.0f}{over} | {apart} |")
    lines += ["", f"One minute of walking at 60 fps takes {seconds_per_minute():.2f} s of one core."]
    return "\n".join(lines)


def bench(motion: Path | None, *, quick: bool) -> list[dict[str, object]]:
    """The clips made; beside recorded walks kept out of the fit where there are any."""
    made = [{"case": row["clip"], "method": "made", **row} for row in made_rows()]
    if motion is None:
        return made
    group = "development" if quick else "final"
    return made + [{"case": row["clip"], "method": "beside the recording", **row} for row in clip_rows(motion, group)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--group", choices=("final", "left-out"), default="left-out")
    parser.add_argument("--docs", type=Path, help="replace the part of this page between its measured marks")
    arguments = parser.parse_args()
    text = report(arguments.folder, arguments.group)
    print(text)
    if arguments.docs:
        page = arguments.docs.read_text(encoding="utf-8")
        start, end = "<!-- measured: begin -->", "<!-- measured: end -->"
        head, tail = page.split(start)[0], page.split(end)[1]
        arguments.docs.write_text(f"{head}{start}\n{text}\n{end}{tail}", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
