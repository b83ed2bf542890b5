"""``understudy between``: move from posture to posture without collisions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from understudy.cli.planned import Out, Rows, answered, needed
from understudy.cli.reading import Reading
from understudy.cli.shell import Group, Shell
from understudy.core.planning import Options
from understudy.errors import OptionError
from understudy.formats import ReadOptions

if TYPE_CHECKING:
    from understudy.core import Pose, Result
    from understudy.postures import BetweenTrace

EXAMPLE = "Example:  understudy between relaxed eagle eagle_mirror -o yoga.bvh"


def between_options(
    shell: Shell,
    falloff: Annotated[int, typer.Option("--falloff", metavar="D", help="Fall-off of the energy, 2 to 5.")] = 3,
    relax: Annotated[bool, typer.Option("--relax", help="Replace faulty postures by the nearest valid ones.")] = False,
    relax_m: Annotated[
        float, typer.Option("--relax-m", metavar="M", help="Farthest that --relax may move a joint, 0 to 1 [m].")
    ] = 0.05,
    safe_zone: Annotated[bool, typer.Option("--safe-zone", help="Connect within the paper's safe zone.")] = False,
    legs_first: Annotated[bool, typer.Option("--legs-first", help="Move legs before arms.")] = False,
    spacetime: Annotated[bool, typer.Option("--spacetime", help="Make momentum change gently; takes longer.")] = False,
    duration: Annotated[float | None, typer.Option("--duration", metavar="S", help="Length of the motion [s].")] = None,
    fps: Annotated[float, typer.Option("--fps", help="Frames per second of the motion.")] = 120.0,
) -> Options:
    """How to move, from command-line values."""
    from understudy.postures import BetweenOptions

    return BetweenOptions(
        falloff=falloff,
        relax=relax,
        relax_m=relax_m,
        safe_zone=safe_zone,
        legs_first=legs_first,
        spacetime=spacetime,
        duration_s=duration,
        fps=fps,
        seed=shell.seed,
        deadline_s=shell.deadline_s,
    )


def between(
    shell: Shell,
    poses: Annotated[
        list[str],
        typer.Argument(metavar="POSE_A POSE_B...", help="FILE@FRAME, a file with one pose, or a built-in posture."),
    ],
    out: Out = None,
    scene: Annotated[
        Path | None, typer.Option("--scene", metavar="SCENE", help="A scene file with the objects around.")
    ] = None,
    pin: Annotated[
        list[str] | None, typer.Option("--pin", metavar="JOINT", help="Joint to keep in place; may be repeated.")
    ] = None,
    *,
    options: Annotated[Any, Group(between_options)],
    reading: Reading,
) -> int:
    """Move from posture to posture. Exits with 3 if no motion passes the judge."""
    from understudy.api.postures import between as plan
    from understudy.scene import load_scene

    out = needed(out)
    if len(poses) < 2:
        raise OptionError(f"give at least two postures; got {len(poses)}")
    stage = None if scene is None else load_scene(scene)
    keys = [key_of(text, reading) for text in poses]
    result = plan(keys[0], keys[1], *keys[2:], scene=stage, pins=pin or (), options=options)
    return answered(shell, result, out, _entry(result), lambda entry: _rows(result, entry))


def key_of(text: str, reading: ReadOptions) -> Pose | str:
    """The posture that ``walk.bvh@120``, ``pose.npz`` or ``eagle`` means; built-in names stay names.

    Raises:
        OptionError: The text names neither a file nor a built-in posture, or the file has no such frame.
    """
    from understudy.formats import load_motion
    from understudy.performer.postures import posture_about, posture_names

    name, at, frame = text.rpartition("@")
    path = Path(name if at else text)
    if not at and not path.suffix:
        posture_about(text)
        return text
    if text in posture_names():
        return text
    motion = load_motion(path, options=reading)
    number = _frame(frame, text) if at else 0
    if not -len(motion) <= number < len(motion):
        raise OptionError(f'"{text}": the file has frames 0..{len(motion) - 1}')
    return motion.pose(number)


def _frame(text: str, whole: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise OptionError(f'"{whole}": "{text}" is not a frame number; write FILE@120') from None


def _entry(result: Result[BetweenTrace]) -> dict[str, Any]:
    trace = result.trace
    legs = () if trace is None else trace.legs
    return {
        "duration_s": None if result.motion is None else result.motion.duration_s,
        "least_gap_m": trace.least_gap_m if trace is not None and result.motion is not None else None,
        "seat_m": _seat_m(result),
        "legs": [
            {"how": leg.how, "steps": leg.steps, "length_rad": leg.length_rad, "straight_rad": leg.straight_rad}
            for leg in legs
        ],
        "faults": [
            {
                "posture": fault.posture,
                "overlaps": [{"a": one.a, "b": one.b, "depth_m": one.depth_m} for one in fault.overlaps],
                "limits_rad": dict(fault.limits),
            }
            for fault in (() if trace is None else trace.faults)
        ],
        "relaxed": [
            {"posture": one.posture, "joint": one.joint, "moved_m": one.moved_m, "joints_m": dict(one.joints_m)}
            for one in (() if trace is None else trace.relaxed)
        ],
        "stances": [
            {"supports": list(one.supports), "start_s": one.start_s, "end_s": one.end_s}
            for one in (() if trace is None else trace.stances)
        ],
    }


def _seat_m(result: Result[BetweenTrace]) -> float | None:
    """Height of the stool that was put under the person [m]; ``None`` without one."""
    from understudy.api.seats import SEAT
    from understudy.scene.shapes import Box

    scene = None if result.claim is None else result.claim.scene
    shapes = [one.shape for one in (() if scene is None else scene.objects) if one.name == SEAT]
    return next((float(shape.size_m[1]) for shape in shapes if isinstance(shape, Box)), None)


def _rows(result: Result[BetweenTrace], entry: dict[str, Any]) -> Rows:
    rows = []
    for n, leg in enumerate(entry["legs"]):
        ratio = leg["length_rad"] / max(leg["straight_rad"], 1e-9)
        rows.append((f"leg {n + 1}", f"{leg['how']}, {leg['steps']} steps, {ratio:.2f} times the direct way"))
    if entry["seat_m"] is not None:
        rows.append(("seat", f"a stool {entry['seat_m']:.2f} m high was put under the person"))
    rows += [("relaxed", str(one)) for one in (() if result.trace is None else result.trace.relaxed)]
    borne = [" and ".join(one["supports"]) for one in entry["stances"] if one["supports"]]
    if borne:
        rows.append(("on", ", then ".join(borne)))
    if entry["duration_s"] is not None:
        gap = "" if entry["least_gap_m"] is None else f", parts at least {1000 * entry['least_gap_m']:.1f} mm apart"
        rows.append(("motion", f"{entry['duration_s']:.2f} s{gap}"))
    return rows
