"""Two performers of different build in one picture: one throws, the other juggles; then a named posture."""

from pathlib import Path

import numpy as np

from understudy.core import PlanarTransform
from understudy.performer import Person, action_examples, posture
from understudy.pictures import show

out = Path("out/examples")
out.mkdir(parents=True, exist_ok=True)

thrower = action_examples("pitch", count=1, person=Person(stature_m=1.9, leg_share=0.54))[0]
juggler = action_examples("juggle", count=1, person=Person(stature_m=1.45, shoulder_width_m=0.34))[0]
facing = juggler.motion.placed(PlanarTransform(z_m=2.2, yaw_rad=np.pi))
show([thrower.motion, facing], out / "two_performers.png", style="sheet", poses=6)

release = thrower.event("release")
print(f"the ball leaves at {release.time_s:.2f} s with {np.linalg.norm(release.velocity):.1f} m/s")
print(f"the juggler catches {sum(event.name == 'catch' for event in juggler.events)} times")

folded = posture("arms_folded", person=Person(stature_m=1.45))
print(f"arms folded: hips at {folded.root_position[1]:.2f} m")
