"""All pairs of built-in postures under the one verdict, and side views of what was solved with what carries it in red.

python -m benchmarks.suites.posture_pairs [--pictures FOLDER] [-o OUT]
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

import understudy as us
from benchmarks.machine import machine, versions
from benchmarks.suites import Row
from understudy.core import fit_body
from understudy.performer.postures import needs_seat, posture_names
from understudy.scene.scene import Scene
from understudy.verify.forward import Performer

#: [px] of one figure, figures in a row, rows on a page, and pixels a metre.
_SIZE_PX, _FIGURES, _ROWS, _SCALE = 150, 9, 12, 62.0
#: [m] parts nearer to the floor carry.
_CARRIES_M = 0.01
_COLOURS = {"left": (230, 140, 60), "right": (60, 110, 200), "": (190, 185, 170), "carries": (220, 40, 40)}


def kind_of(first: str, second: str) -> str:
    """What a pair asks for: hands that nobody can stand still on, a seat, or neither."""
    if any(name.startswith("flare") for name in (first, second)):
        return "over the hands"
    return "on a seat" if needs_seat(first) or needs_seat(second) else "carries itself"


def bench(motion: Path | None, *, quick: bool, pictures: Path | None = None) -> list[Row]:
    """One row per kind of pair."""
    del motion
    pairs = list(combinations(posture_names(), 2))[:: 20 if quick else 1]
    counts: dict[str, Counter[str]] = {}
    page = _Pages(pictures)
    for first, second in pairs:
        result = us.between(first, second)
        counts.setdefault(kind_of(first, second), Counter())[result.status.name] += 1
        if result.status and result.claim is not None:
            page.add(f"{first} - {second}", result.claim)
    page.close()
    return [
        {"case": kind, "method": "between", "total": sum(found.values()), "solved": found["SOLVED"], "statuses": found}
        for kind, found in counts.items()
    ]


class _Pages:
    """Sheets of side views, a row each."""

    def __init__(self, folder: Path | None) -> None:
        self._folder, self._number = folder, 0
        self._sheet = self._blank()

    @staticmethod
    def _blank() -> Image.Image:
        return Image.new("RGB", (_SIZE_PX * _FIGURES, _SIZE_PX * _ROWS), "white")

    def add(self, title: str, claim: us.Claim) -> None:
        """One more row."""
        if self._folder is None:
            return
        _draw(ImageDraw.Draw(self._sheet), self._number % _ROWS, title, claim)
        self._number += 1
        if self._number % _ROWS == 0:
            self.close()
            self._sheet = self._blank()

    def close(self) -> None:
        """Write the sheet that is not full yet."""
        if self._folder is not None and self._number:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._sheet.save(self._folder / f"pairs-{(self._number - 1) // _ROWS:02d}.png")


def _draw(draw: ImageDraw.ImageDraw, row: int, title: str, claim: us.Claim) -> None:
    (_, motion), *_ = claim.motions
    body, floor_px = fit_body(motion.skeleton), (row + 1) * _SIZE_PX - 14
    times = np.linspace(0.0, motion.duration_s, _FIGURES)
    figures = Performer(name="", motion=motion, body=body).capsules(times)
    ahead = float(motion.root_positions[0, 2])
    draw.line([(0, floor_px), (_SIZE_PX * _FIGURES, floor_px)], fill=(150, 150, 150))
    draw.text((2, row * _SIZE_PX + 1), f"{title}, {motion.duration_s:.1f} s", fill="black")
    for k, capsules in enumerate(figures):
        middle = k * _SIZE_PX + _SIZE_PX // 2

        def pixel(y: float, z: float, middle: int = middle) -> tuple[float, float]:
            return middle + (z - ahead) * _SCALE, floor_px - y * _SCALE

        _draw_things(draw, claim.scene, pixel)
        # Far parts first: the view is from the person's right.
        for part in np.argsort(-capsules[:, :, 0].mean(axis=1)).tolist():
            radius, name = float(body.capsule_radii[part]), body.capsule_names[part]
            side = name.partition("_")[0] if name.startswith(("left", "right")) else ""
            colour = _COLOURS["carries" if capsules[part, :, 1].min() - radius < _CARRIES_M else side]
            ends, width = [pixel(y, z) for _, y, z in capsules[part]], max(2, int(2.0 * radius * _SCALE))
            draw.line(ends, fill=colour, width=width)
            for x, y in ends:
                draw.ellipse([x - width / 2, y - width / 2, x + width / 2, y + width / 2], fill=colour)


def _draw_things(draw: ImageDraw.ImageDraw, scene: Scene | None, pixel: Any) -> None:
    for one in () if scene is None else scene.objects:
        size, at = np.array(one.shape.size_m), scene.object_track(one.name, [0.0])[0][0]  # type: ignore[union-attr]
        (left, top), (right, bottom) = (pixel(*(at + sign * 0.5 * size * [1, 1, -1])[1:]) for sign in (1.0, -1.0))
        draw.rectangle([left, top, right, bottom], fill=(210, 225, 210))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    rows = bench(None, quick=given.quick, pictures=given.pictures)
    for row in rows:
        print(f"{row['case']}: {row['solved']} of {row['total']} solved; {dict(row['statuses'])}")
    if given.output is not None:
        document = {"suite": "posture_pairs", "machine": machine(), "versions": versions(), "rows": rows}
        given.output.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
