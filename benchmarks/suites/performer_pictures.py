"""Pages to look at: every clip, style and action of the performer above a recorded clip drawn the same way.

    python -m benchmarks.suites.performer_pictures ../shared/motion/cmu_bvh FOLDER [NAME ...]

Each page has four rows: a contact sheet of ours, one of the recording, and a strobe picture of either. Postures have a
page of their own, front and side.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image

from understudy.core import Motion
from understudy.formats import load_motion
from understudy.inspection import clean
from understudy.performer import CLIPS, performance
from understudy.performer.actions import action_examples
from understudy.performer.person import Person
from understudy.performer.postures import posture, posture_names
from understudy.pictures.sheet import contact_sheet
from understudy.pictures.stage import staged
from understudy.pictures.strobe import strobe

#: Frame rate the pictures are drawn from.
FPS = 30.0
WIDE_PX, CELL_PX = 1800, 260


class Beside(NamedTuple):
    """A recorded clip and the part of it that is drawn [s]."""

    clip: str
    first_s: float = 0.0
    last_s: float = np.inf


#: What is drawn beside each clip, "clip, style" or action; clips that were kept out of the fit are not looked at.
RECORDED = {
    "walk_slow": Beside("16_33"),
    "walk": Beside("16_16"),
    "walk_fast": Beside("16_21"),
    "start": Beside("16_32"),
    "stop": Beside("16_33"),
    "idle": Beside("26_09", 0.0, 2.0),
    "backward": Beside("69_51", 0.5, 3.0),
    "jog": Beside("16_35"),
    "walk_to_jog": Beside("16_08"),
    "veer_left": Beside("16_11"),
    "veer_right": Beside("16_14"),
    "turn_left": Beside("69_24"),
    "turn_right": Beside("69_30"),
    "sharp_left": Beside("16_18"),
    "sharp_right": Beside("16_19"),
    "u_turn_left": Beside("69_13", 3.0, 8.0),
    "u_turn_right": Beside("69_13", 3.0, 8.0),
    "turn_in_place_left": Beside("69_13", 3.0, 8.0),
    "turn_in_place_right": Beside("69_13", 3.0, 8.0),
    "sidestep_left": Beside("69_59", 0.5, 3.5),
    "sidestep_right": Beside("69_56", 0.5, 3.5),
    "jog_veer_left": Beside("16_37"),
    "jog_veer_right": Beside("16_39"),
    "walk, tired": Beside("82_10"),
    "walk, brisk": Beside("82_12"),
    "reach": Beside("79_20"),
    "point": Beside("62_19"),
    "pour": Beside("80_27"),
    "kick": Beside("11_01"),
    "throw_catch": Beside("141_11"),
    "juggle": Beside("141_11"),
    "pitch": Beside("124_01"),
    "bat_swing": Beside("124_07", 3.0, 9.0),
}
#: Which example of an action is drawn: of the first ones, the first on either side.
EXAMPLES = 6


def ours(name: str) -> Iterator[tuple[str, Motion]]:
    """The motions of a page's name, each with a title."""
    clip, _, style = name.partition(", ")
    if clip in CLIPS:
        yield name, performance(clip, style=style or "calm", fps=FPS).motion
        return
    sides: set[str] = set()
    for example in action_examples(name, count=EXAMPLES, fps=2 * FPS):
        joint = example.events[0].joint
        side = "left" if joint.startswith("left") else "right"
        if side not in sides:
            sides.add(side)
            yield f"{name} {side}", example.motion.resampled(FPS)


def recorded(folder: Path, beside: Beside) -> Motion:
    """The recorded clip's part."""
    motion = clean(load_motion(folder / f"{beside.clip}.bvh")).motion
    last = min(len(motion), round(min(beside.last_s, 1e6) * motion.fps))
    return motion.frames(round(beside.first_s * motion.fps), last).resampled(FPS)


def rows_of(motion: Motion, title: str, *, view: str, poses: int) -> tuple[Image.Image, Image.Image]:
    """Contact sheet and strobe of a motion."""
    stage = staged(motion)
    sheet = contact_sheet(stage, poses=poses, columns=poses, cell_height_px=CELL_PX, view=view, title=title)
    return sheet, strobe(stage, poses=7, size_px=(WIDE_PX, 420), title=title)


def stacked(pictures: list[Image.Image]) -> Image.Image:
    """Pictures one below the other, all as wide as a page."""
    scaled = [one.resize((WIDE_PX, round(one.height * WIDE_PX / one.width))) for one in pictures]
    page = Image.new("RGB", (WIDE_PX, sum(one.height for one in scaled)), "#ffffff")
    top = 0
    for one in scaled:
        page.paste(one, (0, top))
        top += one.height
    return page


def page(folder: Path, name: str, title: str, motion: Motion) -> Image.Image:
    """One page: ours above the recording."""
    view = "three-quarter" if name.partition(", ")[0] not in CLIPS else "side"
    if "sidestep" in name or "place" in name or name == "idle":
        view = "front"
    beside = RECORDED[name]
    mine = rows_of(motion, f"ours: {title}", view=view, poses=9)
    real = rows_of(recorded(folder, beside), f"recorded: {beside.clip}", view=view, poses=9)
    return stacked([mine[0], real[0], mine[1], real[1]])


def posture_page(names: tuple[str, ...]) -> Image.Image:
    """Postures, front above side."""
    skeleton = Person().skeleton()
    rows = []
    for view in ("front", "side"):
        cells = []
        for name in names:
            still = posture(name, person=skeleton)
            stage = staged(
                Motion(
                    skeleton=skeleton,
                    fps=FPS,
                    root_positions=np.repeat(still.root_position[None], 2, axis=0),
                    rotations=np.repeat(still.rotations[None], 2, axis=0),
                    name=name,
                )
            )
            cells.append(contact_sheet(stage, poses=1, columns=1, cell_height_px=420, view=view, title=name))
        height = max(cell.height for cell in cells)
        row = Image.new("RGB", (sum(cell.width for cell in cells), height), "#ffffff")
        left = 0
        for cell in cells:
            row.paste(cell, (left, 0))
            left += cell.width
        rows.append(row)
    return stacked(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recordings", type=Path, help="folder with the recorded clips")
    parser.add_argument("folder", type=Path, help="where the pages go")
    parser.add_argument("names", nargs="*", help='clips, "clip, style", actions, or postures; all when left out')
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for name in arguments.names or [*RECORDED, "postures"]:
        if name == "postures":
            listed = posture_names()
            for first in range(0, len(listed), 6):
                posture_page(listed[first : first + 6]).save(arguments.folder / f"postures_{first // 6}.png")
            continue
        for title, motion in ours(name):
            page(arguments.recordings, name, title, motion).save(
                arguments.folder / (title.replace(", ", "_").replace(" ", "_") + ".png")
            )


if __name__ == "__main__":
    main()
