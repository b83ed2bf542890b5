"""Write a walk in several formats, read one back, and ask what is in it."""

from pathlib import Path

import understudy as us

out = Path("out/examples")
out.mkdir(parents=True, exist_ok=True)

walk = us.builtin_clips("walk")[0]
for ending in ("bvh", "glb", "npz", "csv"):
    us.save_motion(walk, out / f"walk.{ending}")

again = us.load_motion(out / "walk.bvh")
print(again)
print("guessed:", *again.origin.notes, sep="\n  ")
print("left hand joint:", again.skeleton.names[again.skeleton.humanoid["leftHand"]])
