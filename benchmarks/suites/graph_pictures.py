"""Pictures of motion graphs: clips on a circle, transitions as chords.

    python -m benchmarks.suites.graph_pictures ../shared/motion/cmu_bvh OUT

Regular, styled, ballet, basketball and lateral libraries as in the thesis: where their takes are cut, and the graph.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from benchmarks.suites.library import BALLET, BASKETBALL, LATERAL, STYLED, WALK_69, clips
from benchmarks.suites.library_pictures import COLORS, segmentation_picture
from understudy.library import Library, LibraryOptions, build_library

#: Takes and options of every library.
LIBRARIES: dict[str, tuple[tuple[str, ...], dict[str, object]]] = {
    "walk": (WALK_69, {}),
    "styled": (STYLED, {"threshold_m": 0.12}),
    "ballet": (BALLET, {"threshold_m": 0.12, "graph": "hybrid", "clean": True}),
    "basketball": (BASKETBALL, {"threshold_m": 0.12, "graph": "hybrid"}),
    "lateral": (WALK_69 + LATERAL, {"threshold_m": 0.08}),
}
SIZE_PX, RADIUS_PX = 640, 225


def graph_picture(library: Library, title: str) -> Image.Image:
    """Clips on a circle, take after take, coloured by label; transitions as chords, the cheaper the darker."""
    graph = library.graph
    picture = Image.new("RGB", (SIZE_PX, SIZE_PX), "#ffffff")
    draw, font = ImageDraw.Draw(picture, "RGBA"), ImageFont.load_default(12)
    angles = 2.0 * np.pi * np.arange(graph.nodes) / graph.nodes - np.pi / 2.0
    at = SIZE_PX / 2 + 10 + RADIUS_PX * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    opaque = int(np.clip(4000 / max(graph.edges, 1), 20, 160))
    for edge in np.argsort(-graph.costs):
        a, b = at[graph.sources[edge]], at[graph.targets[edge]]
        shade = int(60 + 120 * graph.costs[edge] / max(float(graph.costs.max()), 1e-9))
        draw.line((*a, *b), fill=(40, shade, 140, opaque), width=1)
    takes = library.footage.take_of(graph.first)
    for node, (x, y) in enumerate(at):
        label = library.labels[graph.labels[node]]
        draw.ellipse((x - 4, y - 4, x + 4, y + 4), fill=COLORS.get(label, COLORS["other"])[1], outline="#333333")
    for take in np.unique(takes):
        middle = angles[takes == take].mean()
        x, y = SIZE_PX / 2 + 10 + (RADIUS_PX + 30) * np.array([np.cos(middle), np.sin(middle)])
        draw.text((x, y), library.footage.takes[take].name, fill="#222222", font=font, anchor="mm")
    draw.text((12, 8), title, fill="#222222", font=ImageFont.load_default(16))
    counts = f"{graph.nodes} clips, {graph.edges} transitions, out of {library.segments} clips cut"
    draw.text((12, 30), counts, fill="#555555", font=font)
    for k, label in enumerate(sorted({library.labels[one] for one in graph.labels})):
        color = COLORS.get(label, COLORS["other"])[1]
        draw.rectangle((12, 52 + 18 * k, 24, 64 + 18 * k), fill=color, outline="#333333")
        draw.text((30, 52 + 18 * k), label, fill="#222222", font=font)
    return picture


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    graphs = []
    for name, (takes, options) in LIBRARIES.items():
        motions = clips(arguments.folder, LATERAL if name == "lateral" else takes)
        path = arguments.out / f"segments-{name}.png"
        labels = segmentation_picture(motions, path, title=name, clean=name == "ballet")
        library = build_library(clips(arguments.folder, takes), options=LibraryOptions(**options))  # type: ignore[arg-type]
        graphs.append(graph_picture(library, name if name != "lateral" else "walk and lateral"))
        print(name, labels, library.graph.nodes, library.graph.edges, list(library.notes))
    page = Image.new("RGB", (3 * SIZE_PX, 2 * SIZE_PX), "#ffffff")
    for k, one in enumerate(graphs):
        page.paste(one, (SIZE_PX * (k % 3), SIZE_PX * (k // 3)))
    page.resize((3 * SIZE_PX * 2 // 3, 2 * SIZE_PX * 2 // 3), Image.Resampling.LANCZOS).save(
        arguments.out / "graphs.png"
    )


if __name__ == "__main__":
    main()
