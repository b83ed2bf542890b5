"""Measure support, balance and feet of recordings: where the judge's bars come from (docs/support.md).

    python tools/support_bars.py [../shared/motion] [--all] [--picture docs/images/support.png]

reads every clip that INDEX.csv and INDEX-more.csv in the folder name. Recordings show no scene, so all of them are
measured on the level floor their own feet rest at. ``--all`` prints one line a clip, ``--picture`` draws a recorded
jump and the same jump slowed down beside their parabolas instead.

Which recordings say what:

- *Everyday* ones, on a level floor and without anything to sit on, climb or push: walking, turning, standing, bending,
  reaching, carrying. Left out are those tagged ``dirty-data``, one whose frame rate is wrong, and those whose files do
  not stand on one level floor: a foot that rests for 0.3 s, or both feet for 0.05 s, are farther than the touching
  distance from the floor, though nobody sits, jumps or runs.
- *Standing* ones among them, for balance: somebody moves slowly for at least half a second.
- *Flights* of everybody, for free fall: nothing touches for 0.05 s or longer.

The unit is the recording, not the frame: a recording says its worst moment. Every third recording of a set is held
out, in the order of names; a bar is the 99th percentile of the others.
"""

from __future__ import annotations

import argparse
import csv
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from benchmarks.line_plot import line_plot

from understudy.core import Motion, fit_body
from understudy.formats import load_motion
from understudy.verify.ballistics import GRAVITY
from understudy.verify.cast import ground
from understudy.verify.feet import PLANTED_SPEED_MPS, feet_of, runs, speeds_mps
from understudy.verify.foot_skate import FootSkate, foot_skate
from understudy.verify.forward import Performer, capsule_ends
from understudy.verify.standing import Balance, balance
from understudy.verify.support import ARC_M, Flight, Support, flights, support
from understudy.verify.touching import TOUCH_M, Touches, touches_of

CHECKOUT = Path(__file__).resolve().parents[1]
#: Tags and words that make a recording something else than everyday life on a level floor.
OTHERWISE = frozenset(
    {
        *("terrain", "sit", "pull-up-from-seat", "sits;", "push", "Crawl", "Crawling", "lie", "run", "Run"),
        *("jump", "basketball", "soccer", "throw", "baseball", "ballet", "handstand", "breakdance", "cartwheel"),
        *("acrobatics", "yoga", "dirty-data"),
    }
)
#: Labelled 120 frames per second, recorded at 60.
WRONG_RATE = frozenset({"141_11"})
HELD_OUT = 3
OVER_CLIPS = 99.0
#: [s]
RESTING_S, SLOW_S, FLIGHT_S = 0.3, 0.5, 0.05


@dataclass(frozen=True, eq=False)
class Measured:
    """One recording and everything the judge says about it.

    Attributes:
        name: Such as ``"16_16"``.
        about: Its description.
        everyday: Whether it shows everyday life on a level floor, by its tags.
        level: Whether all its resting feet touch one level floor.
        lowest_m: ``(frames,)`` height of the body's lowest point above that floor.
        support: What carries it.
        flights: Times without support.
        balance: Balance.
        feet: Feet.
    """

    name: str
    about: str
    everyday: bool
    level: bool
    lowest_m: np.ndarray
    support: Support
    flights: tuple[Flight, ...]
    balance: Balance
    feet: FootSkate


def measured(row: dict[str, str], folder: Path) -> Measured:
    """Read one recording and measure it on its own floor."""
    motion = load_motion(folder / row["file"])
    name = Path(row["file"]).stem
    performer = Performer(name="", motion=motion, body=fit_body(motion.skeleton))
    sole_m = feet_of(motion).sole_m
    things = [ground(sole_m)]
    touches = touches_of(performer, things)
    ends = capsule_ends(performer.body, touches.positions, touches.world)
    heights = ends[..., 1] - performer.body.capsule_radii[:, None] - sole_m
    words = {*row["tags"].split(), *row["description"].split()}
    return Measured(
        name=name,
        about=row["description"],
        everyday=not words & OTHERWISE and name not in WRONG_RATE,
        level=_is_level(motion, touches, heights),
        lowest_m=heights.min(axis=(1, 2)),
        support=support(touches),
        flights=flights(touches),
        balance=balance(touches),
        feet=foot_skate(motion, touches=touches),
    )


def _is_level(motion: Motion, touches: Touches, heights: np.ndarray) -> bool:
    """Whether every foot that rests touches the floor, and one of both does always."""
    names = touches.performer.body.capsule_names
    soles = [k for k, name in enumerate(names) if name.endswith(("_foot", "_toes"))]
    off = heights[:, soles].min(axis=(1, 2)) > TOUCH_M
    if any((stop - first) / motion.fps >= FLIGHT_S for first, stop in runs(off)):
        return False
    for side in ("left", "right"):
        joint = motion.skeleton.humanoid[f"{side}Foot"]
        own = [k for k, name in enumerate(names) if name in (f"{side}_foot", f"{side}_toes")]
        resting = speeds_mps(touches.positions[:, joint], motion.fps) < PLANTED_SPEED_MPS
        for first, stop in runs(resting):
            if (stop - first) / motion.fps >= RESTING_S and np.median(
                heights[first:stop, own].min(axis=(1, 2))
            ) > TOUCH_M:
                return False
    return True


def split_report(label: str, named: Sequence[tuple[str, float]], digits: int) -> None:
    """Print the bar that two thirds of some recordings give, and what the held-out third says."""
    ordered = sorted(named)
    fit = np.array([value for k, (_, value) in enumerate(ordered) if k % HELD_OUT != HELD_OUT - 1])
    held = [one for k, one in enumerate(ordered) if k % HELD_OUT == HELD_OUT - 1]
    bar = float(np.percentile(fit, OVER_CLIPS))
    above = [f"{name} {value:.{digits}f}" for name, value in held if value > bar]
    median = float(np.median(fit))
    print(
        f"| {label} | {len(fit)} | {median:.{digits}f} | {bar:.{digits}f} | {fit.max():.{digits}f} | {len(held)} | "
        f"{max(value for _, value in held):.{digits}f} | {', '.join(above) or 'none'} |"
    )


def report(clips: Sequence[Measured]) -> None:
    """Print the tables of docs/support.md."""
    everyday = [one for one in clips if one.everyday]
    level = [one for one in everyday if one.level]
    print(f"{len(clips)} recordings, {len(everyday)} everyday, {len(level)} of them on one level floor")
    print("not level:", ", ".join(one.name for one in everyday if not one.level))
    pooled = np.concatenate([one.lowest_m for one in level])
    print(f"lowest point [mm], percentiles 1, 50, 99, 99.9: {np.round(1e3 * np.percentile(pooled, [1, 50, 99, 99.9]))}")
    standing = [one for one in level if one.balance.slow_s >= SLOW_S]
    print("| measure | clips | median | 99 % (bar) | worst | held out | worst held out | above the bar |")
    print("|---|---|---|---|---|---|---|---|")
    split_report("outside [mm]", [(one.name, 1e3 * one.balance.outside_m) for one in standing], 0)
    split_report("contact slide [mm]", [(one.name, one.feet.contact_slide_mm) for one in level], 0)
    split_report("stance drift [mm]", [(one.name, one.feet.stance_drift_mm) for one in level], 0)
    split_report("GMD", [(one.name, one.feet.gmd) for one in level], 2)
    split_report("Kimodo", [(one.name, one.feet.kimodo) for one in level], 2)
    print("\n| clip | what | from [s] | lasts [s] | off the parabola [mm] | off free fall [m/s^2] |")
    print("|---|---|---|---|---|---|")
    for one in clips:
        for flight in one.flights:
            if flight.lasts_s >= FLIGHT_S and flight.fall_error_mps2 < 0.5 * 9.81:
                print(
                    f"| {one.name} | {one.about[:40]} | {flight.start_s:.2f} | {flight.lasts_s:.2f} | "
                    f"{1e3 * flight.arc_error_m:.0f} | {flight.fall_error_mps2:.1f} |"
                )
    floating = [one for one in clips if one.support.unsupported_s > 0.0]
    print(f"\n{len(floating)} recordings float by more than {1e3 * ARC_M:.0f} mm on a level floor:")
    for one in floating:
        print(f"- {one.name} ({one.about}): {one.support.unsupported_s:.2f} s from {one.support.time_s:.2f} s")


def picture(folder: Path, path: Path) -> None:
    """Draw the centre of mass of a jump, as recorded and half as fast, and the parabolas nearest to both flights."""
    jump = load_motion(folder / "cmu_bvh/16_05.bvh")
    curves = {}
    for label, motion in (("recorded jump", jump), ("half as fast", replace(jump, fps=0.5 * jump.fps))):
        performer = Performer(name="", motion=motion, body=fit_body(motion.skeleton))
        touches = touches_of(performer, [ground(feet_of(motion).sole_m)])
        (flight,) = (one for one in flights(touches) if one.lasts_s > RESTING_S)
        height, times = touches.centre_of_mass[:, 1], motion.times_s - flight.start_s
        shown = (times > -0.3) & (times < flight.lasts_s + 0.3)
        curves[label] = (times[shown], height[shown])
        flying = (times >= 0.0) & (times <= flight.lasts_s)
        drop = 0.5 * GRAVITY[1] * times[flying] ** 2
        line = np.polynomial.Polynomial.fit(times[flying], height[flying] - drop, 1)
        curves[f"parabola, {1e3 * flight.arc_error_m:.0f} mm off"] = (times[flying], line(times[flying]) + drop)
    line_plot(
        curves, path, title="A fall and a float", across="since the feet left the floor [s]", up="centre of mass [m]"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shared = Path(os.environ.get("UNDERSTUDY_SHARED") or CHECKOUT.parent / "shared")
    parser.add_argument("folder", type=Path, nargs="?", default=shared / "motion")
    parser.add_argument("--all", action="store_true", help="one line a clip")
    parser.add_argument("--picture", type=Path, help="draw this picture instead")
    arguments = parser.parse_args()
    if arguments.picture:
        picture(arguments.folder, arguments.picture)
        return
    clips = []
    for index in ("INDEX.csv", "INDEX-more.csv"):
        with (arguments.folder / index).open(newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["file"].endswith(".bvh")]
        for row in rows:
            one = measured(row, arguments.folder)
            clips.append(one)
            if arguments.all:
                print(
                    f"{one.name:8} {one.about[:36]:36} {'everyday' if one.everyday else '':8} "
                    f"{'level' if one.level else '':5} floats {one.support.unsupported_s:.2f} s, "
                    f"outside {1e3 * one.balance.outside_m:.0f} mm in {one.balance.slow_s:.1f} s, slides "
                    f"{one.feet.contact_slide_mm:.0f} mm, drifts {one.feet.stance_drift_mm:.0f} mm"
                )
    report(clips)


if __name__ == "__main__":
    main()
