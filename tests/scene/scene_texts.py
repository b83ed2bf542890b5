"""Scene files that the tests of this folder start from."""

from __future__ import annotations

from pathlib import Path

from understudy.scene import Scene, load_scene

EXAMPLE = """\
name = "door and shelf"

[[object]]
name = "table"
shape = { kind = "box", size = [1.2, 0.74, 0.8] }
at = [2.0, 0.37, 1.0]
yaw_deg = 30

[[object]]
name = "ring"
shape = { kind = "mesh", file = "ring.glb" }
track = { times = [0, 2, 4], positions = [[0, 1.3, 2], [1, 1.3, 2], [0, 1.3, 2]] }

[[object]]
name = "door"
shape = { kind = "box", size = [0.9, 2.0, 0.04] }
hinge = { axis_at = [3.0, 0, 4.0], range_deg = [0, 110] }
handles = [{ name = "knob", at = [0.8, 1.0, 0.06], approach = [0, 0, 1] }]

[[object]]
name = "umbrella"
shape = { kind = "capsule", radius = 0.03, length = 0.7 }

[[character]]
name = "anna"
start = [0, 0]
heading_deg = 90
carry = [{ object = "umbrella", hand = "right" }]

[[task]]
character = "anna"
do = "walk_to"
goal = [5, 4]
"""

FULL = (
    EXAMPLE
    + """
[[task]]
name = "open"
character = "anna"
do = "open_door"
object = "door"
handle = "knob"
hand = "left"
angle_deg = 80
by = 12.5

[[task]]
character = "bob"
do = "place"
object = "umbrella"
target = [1, 0.8, 2]
after = "open"

[[character]]
name = "bob"
motion = "walk.bvh"
from = 1.5

[[attachment]]
object = "ring"
to = "bob.right_hand"
from = 2
until = 3
grip = { at = [0, 0.1, 0] }

[[contact]]
a = "anna.left_hand"
b = "door"
until = 4
depth = 0.01
"""
)


def loaded(folder: Path, text: str, name: str = "scene.toml") -> Scene:
    (folder / name).write_text(text, "utf-8")
    return load_scene(folder / name)
