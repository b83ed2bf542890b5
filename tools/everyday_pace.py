"""Make the table of how fast recorded people turn their limbs (docs/pace.md).

    python tools/everyday_pace.py [../shared/motion] [--write]

reads every clip that INDEX.csv and INDEX-more.csv in the folder name, and prints both tables with what recordings that
were held out say about them. ``--write`` puts the numbers into ``src/understudy/core/everyday.py``.

Recordings have faults, which must not become the bar:

- Clips tagged ``dirty-data`` are left out, and one whose frame rate is wrong.
- The first and last quarter of a second of each clip are left out. Marker gaps are filled badly there: in the first or
  last frames of some calm walks an arm or a leg turns at 20 rad/s.
- The unit is the recording, not the frame. A recording says the 99.9th percentile of the faster of its two arms (or
  legs); the table says the 90th percentile of what recordings say. Nine people in ten stay below it, and a tenth of
  the recordings may be as wrong as they like.

Every third recording of a set is held out, in the order of names: the table is made from the others.
"""

from __future__ import annotations

import argparse
import csv
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from understudy.core import Motion
from understudy.core.everyday import LimbPace, part_of
from understudy.formats import ReadOptions, load_motion
from understudy.typing import FloatArray
from understudy.verify.smoothness import KINDS, PERCENTILE, limb_turns

CHECKOUT = Path(__file__).resolve().parents[1]
MODULE = CHECKOUT / "src/understudy/core/everyday.py"
PARTS = ("arm", "leg", "torso")
#: Any of these tags, or words of a description, makes a recording sport; the others are everyday life.
SPORT_WORDS = frozenset(
    {
        *("run", "jump", "basketball", "soccer", "throw", "throw-keys", "baseball"),
        *("ballet", "dance", "handstand", "breakdance", "cartwheel", "acrobatics", "yoga"),
    }
)
#: Labelled 120 frames per second, recorded at 60.
WRONG_RATE = frozenset({"141_11"})
#: [s] at each end of a recording.
ENDS_S = 0.25
#: Over recordings.
OVER_CLIPS = 90.0
#: Every so many-th recording is held out.
HELD_OUT = 3
#: The judge's bar, times what is usual.
FACTOR = 1.5


@dataclass(frozen=True, eq=False)
class Recording:
    """One recording.

    Attributes:
        name: Subject and trial.
        sport: Whether it is sport.
        limbs: Limb -> speeds, accelerations and jerks, whole.
        cut: Values at each end that are left out.
    """

    name: str
    sport: bool
    limbs: Mapping[str, Sequence[FloatArray]]
    cut: int

    def of(self, part: str, kind: int) -> list[FloatArray]:
        """Series of both sides of a part of the body, without the recording's ends."""
        series = [turns[kind] for limb, turns in self.limbs.items() if part_of(limb) == part]
        return [one[self.cut : len(one) - self.cut] for one in series]


def shared_motion() -> Path:
    """Where recordings are unless told: beside the checkout, or where UNDERSTUDY_SHARED says."""
    return Path(os.environ.get("UNDERSTUDY_SHARED") or CHECKOUT.parent / "shared") / "motion"


def trusted_clips(folder: Path) -> Iterator[tuple[Path, Motion, bool]]:
    """All recordings of a folder that can be trusted, and whether each is sport."""
    for index in ("INDEX.csv", "INDEX-more.csv"):
        with (folder / index).open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            path, tags = folder / row["file"], row["tags"].split()
            if path.suffix == ".bvh" and "dirty-data" not in tags and path.stem not in WRONG_RATE:
                words = {*tags, *row["description"].lower().split()}
                # Reading bends toes up to the floor faster than people do.
                motion = load_motion(path, options=ReadOptions(ground="keep"))
                yield path, motion, bool(words & SPORT_WORDS)


def everyday_clips(folder: Path) -> Iterator[tuple[Path, Motion]]:
    """Those of everyday life."""
    return ((path, motion) for path, motion, sport in trusted_clips(folder) if not sport)


def recordings(folder: Path) -> list[Recording]:
    """Limbs of all recordings of a folder that can be trusted, in the order of names."""
    found = [
        Recording(path.stem, sport, limb_turns(motion), round(ENDS_S * motion.fps))
        for path, motion, sport in trusted_clips(folder)
    ]
    return sorted(found, key=lambda one: one.name)


def parted(clips: Iterable[Recording], *, sport: bool) -> tuple[list[Recording], list[Recording]]:
    """One set's recordings that make the table, and those held out."""
    chosen = [clip for clip in clips if clip.sport == sport]
    return [clip for k, clip in enumerate(chosen) if k % HELD_OUT != HELD_OUT - 1], chosen[HELD_OUT - 1 :: HELD_OUT]


def by_recordings(clips: Sequence[Recording], part: str, kind: int) -> float:
    """What the table says: a percentile over recordings of their faster side's percentile."""
    said = [max(np.percentile(one, PERCENTILE) for one in clip.of(part, kind)) for clip in clips]
    return float(np.percentile(said, OVER_CLIPS))


def by_frames(clips: Sequence[Recording], part: str, kind: int) -> float:
    """What it would say if all frames of all recordings were one heap."""
    return float(np.percentile(np.concatenate([one for clip in clips for one in clip.of(part, kind)]), PERCENTILE))


def table(clips: Sequence[Recording], rule: Callable[[Sequence[Recording], str, int], float] = by_recordings) -> dict:
    """Part -> velocity, acceleration and jerk, rounded to three digits."""
    return {part: tuple(_rounded(rule(clips, part, kind)) for kind in range(3)) for part in PARTS}


def tables(clips: Sequence[Recording]) -> tuple[dict[str, LimbPace], dict[str, LimbPace]]:
    """Everyday life and sport."""
    everyday, sport = (table(parted(clips, sport=sport)[0]) for sport in (False, True))
    faster = {part: tuple(max(pair) for pair in zip(everyday[part], sport[part], strict=True)) for part in PARTS}
    return everyday, faster


def beyond(clips: Sequence[Recording], pace: Mapping[str, LimbPace], *, whole: bool) -> dict[str, list[list[str]]]:
    """Part -> by kind, names of recordings that are at some moment faster than the bar."""

    def names(part: str, kind: int) -> list[str]:
        return [clip.name for clip in clips if _fastest(clip, part, kind, whole) > FACTOR * pace[part][kind]]

    return {part: [names(part, kind) for kind in range(3)] for part in PARTS}


def _fastest(clip: Recording, part: str, kind: int, whole: bool) -> float:
    if not whole:
        return float(max(one.max() for one in clip.of(part, kind)))
    return float(max(turns[kind].max() for limb, turns in clip.limbs.items() if part_of(limb) == part))


def _rounded(value: float) -> float:
    return float(f"{value:.3g}")


def module_text(old: str, everyday: Mapping[str, LimbPace], sport: Mapping[str, LimbPace]) -> str:
    """The module with other numbers."""
    begin, end = old.index("# made: begin\n") + len("# made: begin\n"), old.index("# made: end\n")
    lines = []
    for name, rows in (("_EVERYDAY", everyday), ("_SPORT", sport)):
        lines += [f"{name}: dict[str, LimbPace] = {{", *(f'    "{part}": {rows[part]},' for part in PARTS), "}"]
    return old[:begin] + "\n".join(lines) + "\n" + old[end:]


def report(clips: Sequence[Recording]) -> str:
    """Both tables and the recordings held out, as Markdown."""
    lines = []
    for sport, pace in zip((False, True), tables(clips), strict=True):
        made, held = parted(clips, sport=sport)
        lines += [f"## {'Sport' if sport else 'Everyday'}: {len(made)} recordings, {len(held)} held out", ""]
        lines += ["| limb | velocity rad/s | acceleration rad/s² | jerk rad/s³ |", "|---|---|---|---|"]
        lines += [table_row(part, pace[part]) for part in PARTS]
        lines += ["", "As one heap of frames:", ""]
        lines += [table_row(part, row) for part, row in table(made, by_frames).items()]
        for whole in (False, True):
            lines += ["", f"Held out and beyond {FACTOR} times the table, {'whole' if whole else 'without ends'}:", ""]
            for part, names in beyond(held, pace, whole=whole).items():
                counts = (f"{len(one)} ({' '.join(one)})" if one else "0" for one in names)
                said = "; ".join(f"{kind} {count}" for kind, count in zip(KINDS, counts, strict=True))
                lines.append(f"- {part}: {said}")
        lines.append("")
    return "\n".join(lines)


def table_row(part: str, pace: LimbPace) -> str:
    """A line of a table."""
    return f"| {part} | {pace[0]:g} | {pace[1]:g} | {pace[2]:g} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=shared_motion())
    parser.add_argument("--write", action="store_true", help=f"put the numbers into {MODULE.name}")
    arguments = parser.parse_args()
    clips = recordings(arguments.folder)
    print(report(clips))
    if arguments.write:
        MODULE.write_text(module_text(MODULE.read_text(encoding="utf-8"), *tables(clips)), encoding="utf-8")


if __name__ == "__main__":
    main()
