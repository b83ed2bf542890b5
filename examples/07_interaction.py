"""Pitcher and batter: the batter is moved by a metre, and the pitch follows; nothing else was told."""

from pathlib import Path

import numpy as np

import understudy as us
from understudy.interaction.edits import done

here = Path(__file__).resolve().parent
out = Path("out/examples")
out.mkdir(parents=True, exist_ok=True)

project = us.load_project(here / "projects" / "batting.toml")
session = us.Interaction(project.play, options=project.options)
print(f"as mimed, the ball misses by {session.miss_m():.2f} m")
for edit in project.edits:
    outcome = done(session, edit)
    if outcome is not None:
        print(f"{edit}: {outcome.status.value} in {outcome.steps} steps")

release, hit = session.play.way("ball").legs[:2]
pitch = session.ball_track("ball", np.linspace(release.release_s, hit.time_s - 1e-6, 3))
print(f"the pitch leaves at {release.release_s:.3f} s and meets the bat at {hit.time_s:.3f} s, {pitch[-1].round(2)}")
print("the judge:", "ok" if session.report().ok else session.report().broken)
for path in us.save_interaction(session, out / "batting.glb"):
    print("wrote", path.name)
