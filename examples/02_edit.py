"""Slice, mirror, turn and join motions; every edit gives a new motion."""

import math

import understudy as us

first = us.builtin_clips("walk")[0]
second = us.mirrored(first)
turned = first.slice(0.2, 1.2).placed(us.PlanarTransform(x_m=1.0, yaw_rad=math.radians(90)))
joined = us.splice(first, second, blend_s=0.3)

print(f"{first.duration_s:.2f} s + {second.duration_s:.2f} s - 0.30 s = {joined.duration_s:.2f} s")
print("starts at", turned.root_positions[0].round(2))
