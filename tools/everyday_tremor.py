"""Make the table of how much recorded people's joints tremble (docs/pace.md).

    python -m tools.everyday_tremor [../shared/motion] [--write]

reads the recordings that ``everyday_pace.py`` trusts, leaves out their ends, and holds out every third one. A recording
says the 99.9th percentile of its worst joint in each row, the table the 90th percentile of what recordings say,
over both sides. ``--write`` puts the numbers into ``src/understudy/core/everyday.py``.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tools.everyday_pace import ENDS_S, FACTOR, HELD_OUT, MODULE, OVER_CLIPS, PERCENTILE, shared_motion, trusted_clips

from understudy.core.everyday import tremor_part
from understudy.verify.tremor import kept_up

PARTS = ("torso", "arm", "leg", "foot", "toes")


@dataclass(frozen=True)
class Recording:
    """What one recording says: part of the body -> the tremor of its worst joint [rad/s]."""

    name: str
    sport: bool
    parts: Mapping[str, float]


def recordings(folder: Path) -> list[Recording]:
    """All trusted recordings, in the order of names."""
    found = []
    for path, motion, sport in trusted_clips(folder):
        cut, parts = round(ENDS_S * motion.fps), dict.fromkeys(PARTS, 0.0)
        for role, series in kept_up(motion).items():
            inner = series[cut : len(series) - cut]
            if len(inner):
                part = tremor_part(role)
                parts[part] = max(parts[part], float(np.percentile(inner, PERCENTILE)))
        if any(parts.values()):
            found.append(Recording(path.stem, sport, parts))
    return sorted(found, key=lambda one: one.name)


def parted(clips: Sequence[Recording], *, sport: bool) -> tuple[list[Recording], list[Recording]]:
    """One set's recordings that make the table, and those held out."""
    chosen = [clip for clip in clips if clip.sport == sport]
    return [clip for k, clip in enumerate(chosen) if k % HELD_OUT != HELD_OUT - 1], chosen[HELD_OUT - 1 :: HELD_OUT]


def table(clips: Sequence[Recording]) -> dict[str, float]:
    """Part -> [rad/s], to three digits."""
    return {part: float(f"{np.percentile([one.parts[part] for one in clips], OVER_CLIPS):.3g}") for part in PARTS}


def tables(clips: Sequence[Recording]) -> tuple[dict[str, float], dict[str, float]]:
    """Everyday life, and sport, which is never calmer."""
    everyday, sport = (table(parted(clips, sport=sport)[0]) for sport in (False, True))
    return everyday, {part: max(everyday[part], sport[part]) for part in PARTS}


def module_text(old: str, everyday: Mapping[str, float], sport: Mapping[str, float]) -> str:
    """The module with other numbers."""
    begin, end = old.index("# tremor: begin\n") + len("# tremor: begin\n"), old.index("# tremor: end\n")
    lines = []
    for name, rows in (("_EVERYDAY_TREMOR", everyday), ("_SPORT_TREMOR", sport)):
        inner = ", ".join(f'"{part}": {rows[part]}' for part in PARTS)
        lines.append(f"{name} = {{{inner}}}")
    return old[:begin] + "\n".join(lines) + "\n" + old[end:]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=shared_motion())
    parser.add_argument("--write", action="store_true", help=f"put the numbers into {MODULE.name}")
    arguments = parser.parse_args()
    clips = recordings(arguments.folder)
    both = tables(clips)
    for sport, rows in zip((False, True), both, strict=True):
        used, held = parted(clips, sport=sport)
        print(f"{'sport' if sport else 'everyday'}: {len(used)} recordings, {len(held)} held out")
        for part in PARTS:
            over = [one.name for one in held if one.parts[part] > FACTOR * rows[part]]
            said = f"held out and beyond {FACTOR} times: {len(over)} {' '.join(over)}"
            print(f"  {part}: {rows[part]:g} rad/s; {said}")
    if arguments.write:
        MODULE.write_text(module_text(MODULE.read_text(encoding="utf-8"), *both), encoding="utf-8")


if __name__ == "__main__":
    main()
