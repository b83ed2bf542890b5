"""Make the table of how deep recorded people press parts of their bodies into each other (docs/self-overlap.md).

    python tools/self_overlap.py [../shared/motion] [--write]

measures the everyday recordings that ``tools/everyday_pace.py`` trusts, prints what every pair of parts does, and what
people who were held out say about the table. ``--write`` puts the numbers into ``src/understudy/core/flesh.py``.

- A person says the 99.9th percentile of all their frames, of the deeper side, at a stature of 1.75 m. The table says
  the 90th percentile of what people say: a tenth of them may be as wrong as they like.
- Every second person is held out, in the order of their numbers.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tools.everyday_pace import CHECKOUT, ENDS_S, OVER_CLIPS, everyday_clips, shared_motion

from understudy.core import Motion, fit_body
from understudy.core.anthropometry import REFERENCE_STATURE_M
from understudy.core.flesh import SOFT_PARTS, parts_of
from understudy.typing import FloatArray
from understudy.verify._kernels import gaps_of_rows
from understudy.verify.forward import Performer
from understudy.verify.smoothness import PERCENTILE

MODULE = CHECKOUT / "src/understudy/core/flesh.py"
#: Every so many-th person is held out.
HELD_OUT = 2
Pair = tuple[str, str]


@dataclass(frozen=True, eq=False)
class Measured:
    """One person.

    Attributes:
        name: Number of the subject.
        frames: How many were measured.
        depths: Pair -> depth in every frame, of the deeper side [mm at 1.75 m]; pairs that never overlap are left out.
    """

    name: str
    frames: int
    depths: Mapping[Pair, FloatArray]

    def says(self, pair: Pair) -> float:
        """How deep this person overlaps."""
        return float(np.percentile(self.depths[pair], PERCENTILE)) if pair in self.depths else 0.0


def overlaps(motion: Motion) -> dict[Pair, FloatArray]:
    """Pair -> depth in every frame, of the deeper side [mm at 1.75 m]."""
    body = fit_body(motion.skeleton)
    capsules = Performer(name="", motion=motion, body=body).capsules(motion.times_s)
    pairs = np.ascontiguousarray(body.self_pairs, dtype=np.int64)
    axes = [tuple(np.ascontiguousarray(capsules[:, part]) for part in pair) for pair in pairs]
    gaps = np.stack([gaps_of_rows(*pair) for pair in axes], axis=1) - body.capsule_radii[pairs].sum(axis=1)
    depths = np.maximum(-gaps, 0.0) * (1e3 * REFERENCE_STATURE_M / body.stature_m)
    cut = round(ENDS_S * motion.fps)
    found: dict[Pair, FloatArray] = {}
    for k, (one, two) in enumerate(pairs.tolist()):
        pair, own = parts_of(body.capsule_names[one], body.capsule_names[two]), depths[cut : len(depths) - cut, k]
        found[pair] = np.maximum(found.get(pair, own), own)
    return found


def people(folder: Path) -> list[Measured]:
    """Everybody in the everyday recordings, in the order of their numbers."""
    by_name: dict[str, list[dict[Pair, FloatArray]]] = {}
    for path, motion in everyday_clips(folder):
        by_name.setdefault(path.stem.partition("_")[0], []).append(overlaps(motion))
    return [
        Measured(
            name=name,
            frames=sum(len(next(iter(clip.values()))) for clip in clips),
            depths={
                pair: np.concatenate([clip[pair] for clip in clips])
                for pair in clips[0]
                if any(clip[pair].any() for clip in clips)
            },
        )
        for name, clips in sorted(by_name.items(), key=lambda item: int(item[0]))
    ]


def parted(everybody: Sequence[Measured]) -> tuple[list[Measured], list[Measured]]:
    """People who make the table, and those held out."""
    return [one for k, one in enumerate(everybody) if k % HELD_OUT == 0], list(everybody[1::HELD_OUT])


def said(made: Sequence[Measured], pair: Pair) -> float:
    """What people say of a pair [mm]."""
    return float(np.percentile([one.says(pair) for one in made], OVER_CLIPS))


def table(everybody: Sequence[Measured]) -> dict[Pair, float]:
    """Soft pairs that may overlap, and how deep, in whole millimetres."""
    made, _ = parted(everybody)
    depths = {pair: float(round(said(made, pair))) for pair in pairs_of(everybody) if SOFT_PARTS.issuperset(pair)}
    return {pair: depth for pair, depth in depths.items() if depth > 0.0}


def pairs_of(everybody: Iterable[Measured]) -> list[Pair]:
    """Pairs that overlap in anybody."""
    return sorted({pair for one in everybody for pair in one.depths})


def report(everybody: Sequence[Measured]) -> str:
    """All pairs and the table, as Markdown."""
    made, held = parted(everybody)
    lines = [f"{len(made)} people, {len(held)} held out", ""]
    lines += ["| pair | people | 90 % of people | held out | deepest three |", "|---|---|---|---|---|"]
    for pair in sorted(pairs_of(everybody), key=lambda one: -said(everybody, one)):
        numbers = sorted((one.says(pair) for one in everybody), reverse=True)
        deepest = ", ".join(f"{value:.0f}" for value in numbers[:3])
        some = sum(value > 0.5 for value in numbers)
        lines.append(f"| {' - '.join(pair)} | {some} | {said(made, pair):.0f} | {said(held, pair):.0f} | {deepest} |")
    bars = table(everybody)
    lines += ["", "Table:", *(f"- {' - '.join(pair)}: {depth:g} mm" for pair, depth in bars.items()), ""]
    soft = [pair for pair in pairs_of(everybody) if SOFT_PARTS.issuperset(pair)]
    for pair in soft:
        depths = [one.depths.get(pair, np.zeros(one.frames)) for one in held]
        inside = float(np.mean(np.concatenate(depths) <= bars.get(pair, 0.0)))
        beyond = [one.name for one, own in zip(held, depths, strict=True) if own.max() > bars.get(pair, 0.0)]
        lines.append(
            f"- held out, {' - '.join(pair)}: {100 * inside:.1f} % of frames inside; beyond: {' '.join(beyond)}"
        )
    return "\n".join(lines)


def module_text(old: str, depths: Mapping[Pair, float]) -> str:
    """The module with other numbers."""
    begin, end = old.index("# made: begin\n") + len("# made: begin\n"), old.index("# made: end\n")
    rows = [f'    ("{a}", "{b}"): {depth},' for (a, b), depth in sorted(depths.items())]
    lines = ["_DEPTHS_MM: dict[tuple[str, str], float] = {", *rows, "}"]
    return old[:begin] + "\n".join(lines) + "\n" + old[end:]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=shared_motion())
    parser.add_argument("--write", action="store_true", help=f"put the numbers into {MODULE.name}")
    arguments = parser.parse_args()
    everybody = people(arguments.folder)
    print(report(everybody))
    if arguments.write:
        MODULE.write_text(module_text(MODULE.read_text(encoding="utf-8"), table(everybody)), encoding="utf-8")


if __name__ == "__main__":
    main()
