"""``understudy info``: what is in a motion file, and what is wrong with it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any

import typer

from understudy.cli.reading import Reading
from understudy.cli.shell import Exit, Shell, error_entry
from understudy.core import Motion
from understudy.errors import UnderstudyError
from understudy.formats import ReadOptions, load_motions

EXAMPLE = "Example:  understudy info walks/*.bvh --json"

#: Files listed one a line rather than in full from this many on.
_MANY = 4
#: Problems of one kind that are shown.
_SHOWN = 3


def info(
    shell: Shell,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Motion files.")],
    *,
    reading: Reading,
) -> int:
    """Show joints, frames, units, foot contacts and problems of motion files."""
    entries: list[dict[str, Any]] = []
    failed = False
    for path in shell.tracked(files, label="reading", total=len(files)):
        try:
            entries.extend(describe(path, reading))
        except UnderstudyError as error:
            failed = True
            entries.append({"path": str(path), "error": error_entry(error)})
    shell.answer({"files": entries}, lambda: _text(entries))
    return Exit.UNUSABLE if failed else Exit.DONE


def describe(path: Path, reading: ReadOptions) -> list[dict[str, Any]]:
    """One entry per motion in a file, as ``--json`` prints it."""
    return [_entry(path, motion) for motion in load_motions([path], options=reading)]


def _entry(path: Path, motion: Motion) -> dict[str, Any]:
    from understudy.inspection import find_problems
    from understudy.inspection.doubts import doubts

    origin, skeleton = motion.origin, motion.skeleton
    return {
        "path": str(path),
        "name": motion.name,
        "format": origin.format,
        "joints": len(skeleton),
        "joint_names": list(skeleton.names),
        "frames": len(motion),
        "fps": motion.fps,
        "duration_s": motion.duration_s,
        "height_m": _height(motion),
        "path_length_m": motion.path_length_m(),
        "unit_m": origin.unit_m,
        "unit_guessed": origin.unit_guessed,
        "up": origin.up,
        "up_guessed": origin.up_guessed,
        "humanoid": {role: skeleton.names[joint] for role, joint in skeleton.humanoid.items()},
        "contacts": _contacts(motion),
        "notes": list(origin.notes),
        "doubts": [*doubts(motion), *_role_doubts(motion)],
        "problems": [
            {
                "kind": problem.kind,
                "severity": problem.severity,
                "message": problem.message,
                "joint": problem.joint,
                "first_frame": problem.first_frame,
                "last_frame": problem.last_frame,
            }
            for problem in find_problems(motion)
        ],
    }


def _height(motion: Motion) -> float:
    from understudy.core import stature_m

    return stature_m(motion.skeleton) if motion.skeleton.is_humanoid else motion.skeleton.height_m


def _contacts(motion: Motion) -> dict[str, Any] | None:
    """Stances of both feet in seconds; ``None`` for skeletons without feet."""
    if not motion.skeleton.is_humanoid:
        return None
    from understudy.inspection import foot_contacts
    from understudy.inspection.levelling import floor_normal, tilt_rad

    contacts = foot_contacts(motion)
    stances = {
        side: [[first / motion.fps, (stop - 1) / motion.fps] for first, stop in contacts.stances(side)]
        for side in ("left", "right")
    }
    tilt_deg = math.degrees(tilt_rad(floor_normal(motion)))
    return {
        **stances,
        "ground_m": contacts.ground_m,
        "ground_tilt_deg": tilt_deg,
        "steps_per_s": contacts.steps_per_s(),
    }


def _role_doubts(motion: Motion) -> list[str]:
    """Whether roles follow from the names of the joints."""
    from understudy.core.recognition import humanoid_of

    skeleton = motion.skeleton
    named = humanoid_of(skeleton.names, skeleton.parents.tolist())
    # Of two joints of a wrist, their places tell which one is the hand.
    told = named.keys() == skeleton.humanoid.keys() and all(
        named[role] in (joint, skeleton.parents[joint]) for role, joint in skeleton.humanoid.items()
    )
    if told or not skeleton.is_humanoid:
        return []
    return ["joint names do not tell roles: they are from the skeleton's shape, or from a mapping"]


def _text(entries: list[dict[str, Any]]) -> str:
    if len(entries) >= _MANY:
        return "\n".join(_line(entry) for entry in entries)
    return "\n\n".join(_block(entry) for entry in entries)


def _line(entry: dict[str, Any]) -> str:
    if "error" in entry:
        return f"{entry['path']}: error: {entry['error']['message']}"
    found = [*entry["doubts"], *sorted({problem["kind"] for problem in entry["problems"]})]
    guessed = [what for what in ("unit", "up") if entry[f"{what}_guessed"]]
    said = f" ({' and '.join(guessed)} guessed)" if guessed else ""
    return (
        f"{entry['path']}: {entry['frames']} frames at {entry['fps']:g} fps, {entry['joints']} joints, "
        f"{entry['height_m']:.2f} m{said}, {', '.join(found) or 'ok'}"
    )


def _block(entry: dict[str, Any]) -> str:
    if "error" in entry:
        return f"{entry['path']}\n  error      {entry['error']['message']}"
    guess = " (guessed)" if entry["unit_guessed"] else ""
    rows = [
        ("format", entry["format"]),
        ("motion", f"{entry['frames']} frames at {entry['fps']:g} fps, {entry['duration_s']:.2f} s"),
        ("path", f"{entry['path_length_m']:.2f} m over the floor"),
        (
            "skeleton",
            f"{entry['joints']} joints, {len(entry['humanoid'])} humanoid roles, {entry['height_m']:.2f} m tall",
        ),
        ("unit", f"{entry['unit_m']:g} m{guess}, {entry['up']} up"),
        *_contact_rows(entry["contacts"]),
        *(("doubt", doubt) for doubt in entry["doubts"]),
        *(("note", note) for note in entry["notes"]),
        *(("problem", message) for message in _messages(entry["problems"])),
    ]
    if not entry["problems"]:
        rows.append(("problems", "none found"))
    return "\n".join([entry["path"], *(f"  {key:<10} {value}" for key, value in rows)])


def _messages(problems: list[dict[str, Any]]) -> list[str]:
    """Problems in words; of many of one kind the first ones, and how many more there are."""
    found = []
    for kind in dict.fromkeys(problem["kind"] for problem in problems):
        own = [problem["message"] for problem in problems if problem["kind"] == kind]
        more = len(own) - _SHOWN
        found += own[:_SHOWN] + ([f"... and {more} more of this kind ({kind}); --json lists them"] if more > 0 else [])
    return found


def _contact_rows(contacts: dict[str, Any] | None) -> list[tuple[str, str]]:
    if contacts is None:
        return []
    steps = f", {contacts['steps_per_s']:.2f} steps/s" if contacts["steps_per_s"] else ""
    counts = f"{len(contacts['left'])} left and {len(contacts['right'])} right stances{steps}"
    tilt = contacts["ground_tilt_deg"]
    tilted = f", tilted by {tilt:.1f} degrees" if tilt else ""
    return [("feet", f"{counts}, ground at {contacts['ground_m']:.3f} m{tilted}")]
