"""``understudy build``: a motion library from clips."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from understudy.cli.reading import Reading
from understudy.cli.shell import Group, Shell
from understudy.core.planning import Options
from understudy.errors import FormatError
from understudy.formats import load_motions, load_skeleton

if TYPE_CHECKING:
    from collections.abc import Iterator

    from understudy.core.motion import Motion
    from understudy.library import Coverage, Library

EXAMPLE = "Example:  understudy build walks/*.bvh --for hero.glb -o walks.usl --mirror --depth 8"


def library_options(
    shell: Shell,
    graph: Annotated[
        str, typer.Option("--graph", metavar="feature|standard|hybrid", help="How to cut clips.")
    ] = "feature",
    threshold: Annotated[
        float, typer.Option("--threshold", metavar="M", help="Largest distance between joints in a transition [m].")
    ] = 0.06,
    mirror: Annotated[bool, typer.Option("--mirror", help="Add the mirror image of every clip.")] = False,
    bend: Annotated[
        list[float] | None,
        typer.Option("--bend", metavar="DEG/S", help="Add clips bent by this turn rate; may be repeated."),
    ] = None,
    clean: Annotated[
        bool, typer.Option("--clean/--as-recorded", help="Repair pops, flipped feet and dropped frames first.")
    ] = True,
    fps: Annotated[float | None, typer.Option("--fps", help="Frame rate of the library; default: at most 60.")] = None,
    device: Annotated[
        str,
        typer.Option("--device", metavar="cpu|gpu", help="Device that compares frames (standard and hybrid graphs)."),
    ] = "cpu",
    scratch: Annotated[
        Path | None,
        typer.Option("--scratch", metavar="FOLDER", help="Keep frames in mapped files in this folder, not in memory."),
    ] = None,
) -> Options:
    """How to build, from command-line values."""
    from understudy.library import LibraryOptions

    return LibraryOptions(
        graph=graph,  # type: ignore[arg-type]
        threshold_m=threshold,
        mirror=mirror,
        bends_degps=tuple(bend or ()),
        clean=clean,
        fps=fps,
        device=device,  # type: ignore[arg-type]
        scratch=scratch,
        seed=shell.seed,
        deadline_s=shell.deadline_s,
    )


def build(
    shell: Shell,
    clips: Annotated[list[Path], typer.Argument(metavar="CLIPS...", help="Motion files.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="LIB.usl", help="File to write.")],
    hero: Annotated[
        Path | None,
        typer.Option("--for", metavar="FILE", help="Whose library it is, such as hero.glb; default: the first clip's."),
    ] = None,
    trial_walks: Annotated[
        int,
        typer.Option(
            "--trial-walks",
            metavar="N",
            help="Short walks to try; a library that fails them all is not written. 0: none.",
        ),
    ] = 4,
    depth: Annotated[
        int, typer.Option("--depth", metavar="CLIPS", help="Add motion maps of sequences of this many clips; 0: none.")
    ] = 0,
    jumps: Annotated[
        bool, typer.Option("--jumps", help="Store jumps between frames, so that walks in tight places start at once.")
    ] = False,
    *,
    options: Annotated[Any, Group(library_options)],
    reading: Reading,
) -> None:
    """Cut clips of any rigs into steps, find which steps can follow each other, and save a library that walks."""
    from understudy.api.libraries import library_from
    from understudy.library import coverage_of, save_library
    from understudy.library.file import SUFFIX
    from understudy.locomotion.published.maps.motion_maps import MapOptions, with_maps
    from understudy.locomotion.published.sampling import with_jumps

    if out.suffix.lower() != SUFFIX:
        raise FormatError(f'a library\'s file ends in "{SUFFIX}", not "{out.suffix}"', path=out)
    sizes: list[int] = []

    def read() -> Iterator[Motion]:
        for path in shell.tracked(clips, label="reading", total=len(clips)):
            for motion in load_motions([path], options=reading):
                sizes.append(len(motion))
                yield motion

    skeleton = None if hero is None else load_skeleton(hero)
    tried = library_from(read(), skeleton=skeleton, options=options, walks=trial_walks)
    library = tried.library
    if depth:
        library = with_maps(library, MapOptions(clips=depth))
    if jumps:
        library = with_jumps(library)
    save_library(library, out)
    coverage = coverage_of(library)
    document = _document(library, coverage, len(sizes), out) | {
        "trial_walks": tried.walks,
        "walked": tried.walked,
        "walked_by_clips": tried.by_clips,
    }
    shell.answer(document, lambda: _text(library, coverage, document))


def _document(library: Library, coverage: Coverage, clips: int, out: Path) -> dict[str, Any]:
    return {
        "graph": library.kind,
        "frames": len(library.footage),
        "clips": clips,
        "nodes": library.graph.nodes,
        "edges": library.graph.edges,
        "branching": coverage.branching,
        "thesis_branching": coverage.thesis_branching,
        "dead_ends": coverage.dead_ends,
        "own_successors": coverage.own_successors,
        "labels": {label: int((library.graph.labels == n).sum()) for n, label in enumerate(library.labels)},
        "movements": dict(coverage.counts),
        "reach_m2": coverage.reach_m2.tolist(),
        "missing": list(coverage.missing),
        "notes": list(library.notes),
        "threshold_m": library.threshold_m,
        "fps": library.fps,
        "maps": _maps(library),
        "jumps": None if library.jumps is None else len(library.jumps),
        "seconds": dict(library.seconds),
        "bytes": out.stat().st_size,
        "library": str(out),
    }


def _maps(library: Library) -> dict[str, Any] | None:
    maps = library.maps
    if maps is None:
        return None
    return {
        "clips": maps.clips,
        "thesis_depth": maps.thesis_depth,
        "ways": len(maps),
        "cells": int(maps.occupied().sum()),
        "average_m": float(maps.average_m.mean()),
        "seconds": library.seconds["maps"],
        "bytes": maps.nbytes,
    }


def _text(library: Library, coverage: Coverage, document: dict[str, Any]) -> str:
    stages = ", ".join(f"{stage} {value:.2f} s" for stage, value in library.seconds.items())
    movements = ", ".join(f"{count} {kind}" for kind, count in coverage.counts.items() if count)
    reach = coverage.reach_m2[-1]
    rows = [
        ("graph", f"{library.kind}, threshold {100 * library.threshold_m:g} cm, {library.fps:g} fps"),
        ("footage", f"{document['clips']} clips, {document['frames']} frames"),
        ("nodes", f"{coverage.nodes} ({coverage.dead_ends} dead ends left out)"),
        ("edges", f"{coverage.edges}"),
        ("branching", f"{coverage.branching:.2f} a clip ({coverage.thesis_branching:.2f} as the thesis counts)"),
        ("movements", movements),
        ("reach", f"{reach:.1f} m2 after {coverage.reach_clips} clips"),
        *(("missing", sentence) for sentence in coverage.missing),
        *(("note", note) for note in library.notes),
        *((("maps", repr(library.maps)),) if library.maps is not None else ()),
        ("seconds", stages),
        ("bytes", f"{document['bytes']:,}"),
    ]
    return "\n".join([document["library"], *(f"  {key:<10} {value}" for key, value in rows)])
