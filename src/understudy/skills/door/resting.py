"""A way past a door that begins and ends at rest, for who stands before and after."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy.core.editing import smoothstep
from understudy.skills.door.timing import Timeline
from understudy.typing import FloatArray

#: [s] in which somebody sets off and stops.
_RAMP_S = 1.3


def at_rest(when: Timeline, margin: int) -> Timeline:
    """The same way, set off on and stopped at the end; ``margin`` frames at both ends become standing."""
    fps, count = when.fps, len(when.place)
    length = (count - 1 - 2 * margin) / fps
    frames = round((length + _RAMP_S) * fps) + 1
    times = np.arange(frames) / fps
    ramp = min(_RAMP_S, 0.5 * float(times[-1]))
    rate = smoothstep(times / ramp) * smoothstep((times[-1] - times) / ramp)
    done = np.concatenate([[0.0], np.cumsum(0.5 * (rate[1:] + rate[:-1]))])
    moving = margin + (count - 1 - 2 * margin) * done / done[-1]
    at = np.concatenate([np.full(margin, float(margin)), moving, np.full(margin, float(count - 1 - margin))])
    known = np.arange(count)

    def moment(time_s: float | None) -> float | None:
        if time_s is None:
            return None
        return float(np.interp(time_s * fps, moving, margin + np.arange(frames)) / fps)

    place: FloatArray = np.stack([np.interp(at, known, when.place[:, n]) for n in range(2)], axis=1)
    grab, release = moment(when.grab_s), moment(when.release_s)
    assert grab is not None and release is not None
    return replace(
        when,
        place=place,
        heading=np.interp(at, known, when.heading),
        opening=np.interp(at, known, when.opening),
        grab_s=grab,
        release_s=release,
        halt_s=moment(when.halt_s),
        go_s=moment(when.go_s),
    )
