"""``understudy retarget``: a motion onto another skeleton, or onto a person's own rigged file."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from understudy.cli.reading import Reading, read_options
from understudy.cli.shell import Exit, Shell
from understudy.errors import FormatError, OptionError, SkeletonError
from understudy.formats import ReadOptions, format_of, load_motion, load_skeleton

if TYPE_CHECKING:
    from understudy.core import Motion, Result, Skeleton
    from understudy.formats.glb_rig import Rig
    from understudy.retargeting import Retargeted

EXAMPLE = "Example:  understudy retarget walk.bvh --to hero.glb -o hero-walks.glb"


def retarget(
    shell: Shell,
    source: Annotated[Path, typer.Argument(metavar="IN", help="The motion.")],
    to: Annotated[
        Path, typer.Option("--to", metavar="SKELETON", help="A motion file, or a rigged .glb, .gltf, .vrm or .fbx.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="OUT", help="File to write.")],
    feet: Annotated[
        str, typer.Option("--feet", metavar="hold|free", help="Keep footprints, or copy joint angles only.")
    ] = "hold",
    hands: Annotated[
        str, typer.Option("--hands", metavar="free|hold", help="hold: bring wrists to the source's places.")
    ] = "free",
    scale: Annotated[
        float | None, typer.Option("--scale", help="Length on the target per length on the source.")
    ] = None,
    to_mapping: Annotated[
        Path | None, typer.Option("--to-mapping", help="Mapping file for the target's joints.")
    ] = None,
    keep_animations: Annotated[
        bool, typer.Option("--keep-animations", help="Keep the rig's own animations after the new one.")
    ] = False,
    *,
    reading: Reading,
) -> int:
    """Play a motion on another humanoid. A rigged GLB or FBX keeps its mesh, skin and materials in a .glb.

    The file is written in any case. Exits with 1 if the judge refuses the motion.
    """
    from understudy.api.retargeting import retarget as put_on
    from understudy.api.saving import save
    from understudy.retargeting import RetargetOptions

    started = time.perf_counter()
    format_of(out)
    for path in (source, to):
        if out.exists() and path.exists() and out.samefile(path):
            raise OptionError(f'"{path}" is both input and output; input files are never changed')
    options = RetargetOptions(feet=feet, hands=hands, scale=scale)  # type: ignore[arg-type]
    motion = load_motion(source, options=reading)
    _require_roles(motion.skeleton, source, "--mapping")
    rig, skeleton = _target(to, read_options(mapping=to_mapping), out)
    _require_roles(skeleton, to, "--to-mapping")
    result = put_on(motion, skeleton, options=options)
    if rig is None:
        save(result, out)
    else:
        from understudy.formats.glb_rig import write_rig

        body = rig
        save(result, out, write=lambda one, path: write_rig(body, one, path, keep_animations=keep_animations))
    seconds = time.perf_counter() - started
    shell.answer(_document(result, out, seconds), lambda: _text(result, motion, to, out, seconds))
    return Exit.DONE if result.status else Exit.FAILED


def _target(path: Path, reading: ReadOptions, out: Path) -> tuple[Rig | None, Skeleton]:
    """The rig to write onto, when there is one and a GLB is asked for, and the skeleton to drive."""
    if format_of(path).name in ("glb", "fbx") and out.suffix.lower() in (".glb", ".vrm"):
        from understudy.formats.glb_rig import has_skin, load_rig

        if has_skin(path):
            rig = load_rig(path, mapping=reading.mapping)
            return rig, rig.skeleton
    return None, load_skeleton(path, options=reading)


def _require_roles(skeleton: Skeleton, path: Path, option: str) -> None:
    try:
        skeleton.require_humanoid()
    except SkeletonError as error:
        raise FormatError(f"{error}; see {option}", path=path) from error


def _document(result: Result[Retargeted], out: Path, seconds: float) -> dict[str, object]:
    assert result.trace is not None
    return {
        "status": result.status.value,
        "reason": result.reason,
        "seconds": seconds,
        "motion": str(out),
        "stats": {
            "frames": len(result.trace.motion),
            "fps": result.trace.motion.fps,
            "scale": result.trace.scale,
            "foot_error_m": result.trace.foot_error_m,
            "hand_error_m": result.trace.hand_error_m,
        },
    }


def _text(result: Result[Retargeted], motion: Motion, to: Path, out: Path, seconds: float) -> str:
    found = result.trace
    assert found is not None
    name, frames = motion.name or "motion", len(motion)
    lines = [f"{name} on {to.name} -> {out} ({frames} frames, scale {found.scale:.3f}, {seconds:.2f} s)"]
    if found.foot_error_m > 0.005:
        lines.append(f"  feet miss their footprints by up to {100 * found.foot_error_m:.1f} cm")
    if found.hand_error_m > 0.005:
        lines.append(f"  hands miss their places by up to {100 * found.hand_error_m:.1f} cm")
    lines.append("  the judge has passed it" if result.status else f"  the judge refuses it: {result.reason}")
    return "\n".join(lines)
