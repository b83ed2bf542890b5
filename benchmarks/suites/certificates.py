"""Files judged again from what they carry themselves, and tampered ones.

    python -m benchmarks.suites.certificates [--count N] [-o OUT]

Walks through clutter with the performer's clips, reaches and postures are planned, written in every format and judged
again from the file alone: both verdicts must say the same. Then each file is changed in one of the ways of ``KINDS``:
it must be refused.
"""

from __future__ import annotations

import argparse
import copy
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count as counting
from pathlib import Path
from typing import Any

import numpy as np

from understudy.api import between, reach, walk
from understudy.api.builtin_library import builtin_library
from understudy.api.judging import verify_file
from understudy.api.saving import save
from understudy.errors import OptionError
from understudy.formats import save_motion
from understudy.formats.certificates import find_certificate, put_certificate
from understudy.performer import builtin_clips
from understudy.scene.scene import Scene
from understudy.scene.shapes import Box
from understudy.verify.certificate import SEAL, seal_of
from understudy.verify.claim import Claim

FORMATS = ("bvh", "glb", "usdc", "npz", "gltf", "csv", "usda")
Values = dict[str, Any]


def _moved_object(values: Values) -> None:
    things = (values["scene"] or {}).get("object")
    if things:
        things[0]["at"][0] += 0.02
    else:
        values["floor"] = not values["floor"]


def _raised(values: Values) -> None:
    for one in values["evidence"].values():
        one["pace"] = {limb: [5.0 * number for number in pace] for limb, pace in one["pace"].items()}
    if not values["evidence"]:
        values["activity"] = "sport"


def _other_goal(values: Values) -> None:
    if values["goals"]:
        values["goals"][0]["position"][0] += 0.1
    else:
        values["goals"].append({"kind": "floor", "position": [9.0, 9.0]})


def _contact(values: Values) -> None:
    values["contacts"].append({"a": "floor", "b": "floor", "max_depth_m": 0.03})


def _bars(values: Values) -> None:
    values["bars"]["jerk_ratio"] = 20.0


def _resealed_bars(values: Values) -> None:
    _bars(values)
    values[SEAL] = seal_of(values)


#: Changes of the certificate; the last one seals it anew. Two more change the motion.
KINDS: dict[str, Callable[[Values], None]] = {
    "moved object": _moved_object,
    "evidence raised": _raised,
    "other goal": _other_goal,
    "dropped goals": lambda values: values.update(goals=[]) if values["goals"] else _other_goal(values),
    "one more contact": _contact,
    "looser bars": _bars,
    "other activity": lambda values: values.update(activity="sport"),
    "called a recording": lambda values: values.update(recorded=True),
    "looser bars, sealed anew": _resealed_bars,
}
MOTIONS = ("one frame", "swapped motion")


def jobs(seed: int) -> Iterator[tuple[str, Claim]]:
    """Claims of solved jobs, without end."""
    library, rng = builtin_library(), np.random.default_rng(seed)
    clip = next(one for one in builtin_clips() if one.name == "walk")
    for k in counting():
        if k % 3 == 0:
            scene = Scene().with_object("box", Box(size_m=(0.5, 1.0, 0.5)), position=(1.5, 0.5, rng.uniform(-1.0, 1.0)))
            goal = (rng.uniform(2.5, 4.0), rng.uniform(-1.0, 1.0))
            yield from _solved("walk", walk(library, scene, start=(0.0, 0.0), goal=goal))
        elif k % 3 == 1:
            time_s = rng.uniform(1.5, 3.5)
            root = clip.pose_at(time_s).root_position
            target = root + np.array([-rng.uniform(0.25, 0.4), rng.uniform(0.1, 0.4), rng.uniform(0.2, 0.4)])
            yield from _solved("reach", reach(clip, hand="right", target=target, at=time_s))
        else:
            first, second = rng.choice(["relaxed", "eagle", "eagle_mirror"], 2, replace=False)
            yield from _solved("between", between(str(first), str(second)))


def _solved(label: str, result: Any) -> Iterator[tuple[str, Claim]]:
    yield label, result.claim if result.status else None


def tampered(path: Path, claim: Claim, kind: str) -> None:
    """Change a written file."""
    values, _ = find_certificate(path) or ({}, "")
    if kind in KINDS:
        changed = copy.deepcopy(values)
        KINDS[kind](changed)
        put_certificate(path, changed)
        return
    motion = claim.motions[0][1]
    roots = motion.root_positions.copy()
    roots[len(roots) // 2, 1] += 1e-5
    other = replace(motion, root_positions=roots) if kind == "one frame" else motion.frames(0, len(motion) - 1)
    save_motion(other, path)
    put_certificate(path, values)


def refused(path: Path) -> bool:
    """Whether a file is refused, by a verdict or as damaged."""
    try:
        return not verify_file(path).ok
    except OptionError:
        return True


def run(number: int, seed: int) -> dict[str, Any]:
    """Write, judge and tamper."""
    kinds = (*KINDS, *MOTIONS)
    tally: dict[str, Counter[str]] = {key: Counter() for key in ("written", "equal", "passed", "tampered", "refused")}
    unsolved: Counter[str] = Counter()
    made, done, missed = jobs(seed), 0, []
    with tempfile.TemporaryDirectory() as folder:
        while done < number:
            label, claim = next(made)
            if claim is None:
                unsolved[label] += 1
                if sum(unsolved.values()) > number:
                    break
                continue
            for ending in FORMATS:
                path = Path(folder) / f"{label}.{ending}"
                saved = save(claim, path)
                again = verify_file(path)
                before = [] if saved.report is None else [str(one) for one in saved.report.violations]
                tally["written"][f"{label} {ending}"] += 1
                tally["equal"][f"{label} {ending}"] += before == [str(one) for one in again.report.violations]
                tally["passed"][f"{label} {ending}"] += again.ok
                kind = kinds[done % len(kinds)]
                tampered(path, claim, kind)
                tally["tampered"][kind] += 1
                tally["refused"][kind] += refused(path)
                if not refused(path):
                    missed.append(f"{label} {ending} {kind}")
                done += 1
    return {"files": done, "unsolved": dict(unsolved), "missed": missed, **{k: dict(v) for k, v in tally.items()}}


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000, help="files to write at least")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    found = run(arguments.count, arguments.seed)
    for key in ("written", "equal", "passed", "tampered", "refused"):
        print(f"{key:9} {sum(found[key].values()):5d}  {found[key]}")
    print("unsolved", found["unsolved"], "missed", found["missed"])
    if arguments.output is not None:
        arguments.output.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
