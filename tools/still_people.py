"""Measure how still recorded people stand: where the bar for freezing comes from (docs/pace.md).

    python -m tools.still_people [../shared/motion] [--all]

reads every recording that ``everyday_pace.py`` trusts, with the judge's own measure; ends of recordings count. The bar
is made of everyday life without every third recording, which is held out. ``--all`` prints one line a recording.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from tools.everyday_pace import FACTOR, HELD_OUT, shared_motion, trusted_clips

from understudy.core import Motion
from understudy.verify.feet import runs
from understudy.verify.smoothness import limb_turns
from understudy.verify.stillness import still_frames

#: [degrees/s] below which joints might be said to be still.
SPEEDS = (2.0, 3.0, 5.0, 8.0)


def longest_s(motion: Motion, degrees_s: float) -> float:
    """The longest time in which no joint turns faster [s]; a recording's ends count."""
    speeds = np.max([one[0] for one in limb_turns(motion).values()], axis=0)
    still = np.asarray(speeds < np.radians(degrees_s))
    return max(((stop - first) / motion.fps for first, stop in runs(still)), default=0.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=shared_motion())
    parser.add_argument("--all", action="store_true", help="one line a recording")
    given = parser.parse_args()
    found = []
    for path, motion, sport in trusted_clips(given.folder):
        row = [longest_s(motion, speed) for speed in SPEEDS]
        still = max(((stop - first) / motion.fps for first, stop in still_frames(motion)), default=0.0)
        found.append((path.stem, sport, still, row))
        if given.all:
            print(path.stem, *(f"{value:.2f}" for value in row))
    everyday = sorted((name, still) for name, sport, still, _ in found if not sport)
    made = [still for k, (_, still) in enumerate(everyday) if k % HELD_OUT != HELD_OUT - 1]
    held = [still for _, still in everyday[HELD_OUT - 1 :: HELD_OUT]]
    print(f"{len(made)} everyday recordings: still for {max(made):.3f} s at most; bar {FACTOR * max(made):.3f} s")
    beyond = sum(one > FACTOR * max(made) for one in held)
    print(f"{len(held)} held out: {max(held):.3f} s at most, {beyond} beyond the bar")
    for k, speed in enumerate(SPEEDS):
        most = sorted(((row[k], name) for name, _, _, row in found), reverse=True)[:3]
        said = ", ".join(f"{value:.2f} s ({name})" for value, name in most)
        some = sum(row[k] > 0.0 for *_, row in found)
        print(f"under {speed:g} degrees a second: {some} of {len(found)} recordings at some moment; longest {said}")


if __name__ == "__main__":
    main()
