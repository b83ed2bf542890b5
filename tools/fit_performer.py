"""Fit the performer's gait model to recorded clips.

    python tools/fit_performer.py ../shared/motion/cmu_bvh [-o src/understudy/performer/gait_model.npz]

Clips in FIT give the coefficients and, each left out in turn, the model's form; FINAL clips were kept out of both.
``benchmarks/suites/performer.py`` reports on either, ``performer_left_out.py`` beside it on all of them, each left out
in turn.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from performer_fit.model_fit import fitted
from performer_fit.recorded_clip import FIT, read_all

from understudy.performer.model import GaitModel
from understudy.typing import FloatArray


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "-o", "--output", type=Path, default=Path("src/understudy/performer/gait_model.npz"), help="coefficient file"
    )
    arguments = parser.parse_args()
    clips = read_all(arguments.folder, FIT)
    for gait, group in clips.items():
        skipped = set(FIT[gait].split()) - {clip.name for clip in group}
        print(f"{gait}: {len(group)} clips" + (f", skipped {', '.join(sorted(skipped))}" if skipped else ""))
    model = fitted(clips)
    arrays = {key: np.asarray(value, dtype=np.float32) for key, value in model_arrays(model).items()}
    np.savez_compressed(arguments.output, **arrays)
    print(f"wrote {arguments.output}: {arguments.output.stat().st_size} bytes")


def model_arrays(model: GaitModel) -> dict[str, FloatArray]:
    """Named arrays of a model, as ``model_from`` reads them."""
    arrays = {"mean_turns": model.mean_turns}
    for gait, tables in model.gaits.items():
        arrays |= {f"{gait}_{key}": getattr(tables, key) for key in ("curves", "prints", "contact", "pace")}
    for person, manner in model.manners.items():
        arrays |= {f"manner_{person}_{key}": getattr(manner, key) for key in ("curves", "prints")}
    return arrays


if __name__ == "__main__":
    main()
