"""What a motion library is built with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np

from understudy.core.humanoid import ROLES
from understudy.core.planning import Options, limited
from understudy.errors import OptionError, nearest_name
from understudy.library.features import FeatureDetector, LateralDetector, WalkingDetector
from understudy.library.standing import StandingDetector
from understudy.typing import PathLike

GraphKind = Literal["feature", "standard", "hybrid"]
GRAPHS: tuple[GraphKind, ...] = ("feature", "standard", "hybrid")
DEVICES = ("cpu", "gpu")

#: [s] half of the window around a cut: short enough to stay within one stance.
_STANCE_WINDOW_S = 8.0 / 60.0
#: [s] half of the thesis's window of 0.5 s.
_STANDARD_WINDOW_S = 0.25


@dataclass(frozen=True, kw_only=True)
class LibraryOptions(Options):
    """How clips are cut, compared and joined.

    Attributes:
        graph: ``"feature"`` cuts where detectors fire, ``"standard"`` at local minima of the distance image,
            ``"hybrid"`` by features where they fire and by local minima elsewhere.
        threshold_m: Largest root mean square distance of joints in a transition [m].
        fps: Frame rate of the library; ``None`` takes the clips' lowest, at most 60.
        window_s: Half of the window that is compared and blended [s]; ``None`` takes 8 frames at 60 fps, or half of
            the thesis's half second for a standard graph.
        min_clip_s: Shortest clip [s]; never below the window.
        max_clip_s: In a hybrid graph, stretches longer than this without a feature are cut by local minima [s].
        smooth_s: Takes are averaged over time by a Gaussian of this spread, toes by 25 ms; 0 leaves them alone [s].
        trials: Whether every transition is tried as a walk would make it, and left out or narrowed where that goes
            wrong; see :mod:`understudy.library.trials`.
        clean: Whether pops, flips, toes in the floor, dropped frames and root jumps are repaired first.
        mirror: Whether the mirror image of every clip is added.
        bends_degps: Extra clips bent by so many degrees per second (24 is the thesis's 0.4 a frame); none by default.
        bend_drift_m: A bent clip is kept when its planted feet would drift less than this without foot hold [m].
        successors: Of each clip at most so many transitions are kept, the nearest ones; few clips have more.
        foot_slack_m: Largest distance a planted foot may be off in a transition [m]; leg IK takes it up.
        foot_turn_deg: Largest turn of a carrying foot in a transition [deg]; a foot that stands askew under the next
            clip is in the way of the other one.
        detectors: Where features fire; see :class:`understudy.library.features.FeatureDetector`.
        device: Where the distance image of standard and hybrid graphs is made: ``"cpu"``, or ``"gpu"`` (extra ``gpu``);
            where there is no such card, the processor does it and a note of the library says so.
        scratch: Folder where frames lie in mapped files while the library is built, and until it is loaded from its own
            file; ``None`` keeps them in memory. Clips may then come from a generator, one at a time.
        weights: Role -> weight in the distance; roles that are not named weigh nothing. ``None`` weighs every role
            but fingers the same.
    """

    graph: GraphKind = "feature"
    threshold_m: float = limited(0.06, low=1e-4, high=1.0, unit="m")
    fps: float | None = None
    window_s: float | None = None
    min_clip_s: float = limited(0.3, low=0.0, high=10.0, unit="s")
    max_clip_s: float = limited(1.5, low=0.1, high=100.0, unit="s")
    smooth_s: float = limited(0.015, low=0.0, high=0.2, unit="s")
    trials: bool = True
    clean: bool = True
    mirror: bool = False
    bends_degps: tuple[float, ...] = ()
    bend_drift_m: float = limited(0.03, low=0.0, high=1.0, unit="m")
    successors: int = limited(256, low=1, high=1_000_000)
    foot_slack_m: float = limited(0.05, low=0.0, high=1.0, unit="m")
    foot_turn_deg: float = limited(10.0, low=0.0, high=180.0, unit="deg")
    detectors: tuple[FeatureDetector, ...] = field(
        default_factory=lambda: (WalkingDetector(), LateralDetector(), StandingDetector())
    )
    device: Literal["cpu", "gpu"] = "cpu"
    scratch: PathLike | None = None
    weights: Mapping[str, float] | None = None

    def __post_init__(self) -> None:
        """Reject every value outside its range."""
        super().__post_init__()
        if self.graph not in GRAPHS:
            raise OptionError(f'graph is "{self.graph}"; {nearest_name(str(self.graph), GRAPHS)}')
        if self.device not in DEVICES:
            raise OptionError(f'device is "{self.device}"; {nearest_name(str(self.device), DEVICES)}')
        if self.fps is not None and not 10.0 <= self.fps <= 1000.0:
            raise OptionError(f"fps is {self.fps}; allowed: 10..1000, or None")
        if self.window_s is not None and not 0.0 < self.window_s <= 2.0:
            raise OptionError(f"window_s is {self.window_s}; allowed: above 0 up to 2 s, or None")
        if any(not np.isfinite(bend) or bend == 0.0 or abs(bend) > 180.0 for bend in self.bends_degps):
            raise OptionError(f"bends_degps is {self.bends_degps}; allowed: numbers within +-180 deg/s, not 0")
        if self.scratch is not None and not Path(self.scratch).is_dir():
            raise OptionError(f"scratch is {str(self.scratch)!r}; it must be a folder")
        if not self.detectors and self.graph != "standard":
            raise OptionError(f"a {self.graph} graph needs at least one detector")
        self._check_weights()

    def _check_weights(self) -> None:
        if self.weights is None:
            return
        for role, weight in self.weights.items():
            if role not in ROLES:
                raise OptionError(f'weights name the unknown role "{role}"; {nearest_name(role, ROLES)}')
            if not (np.isfinite(weight) and weight >= 0.0):
                raise OptionError(f'the weight of "{role}" is {weight}; it must be finite and not negative')
        if not any(weight > 0.0 for weight in self.weights.values()):
            raise OptionError("every weight is zero; at least one joint has to count")

    def half_window_s(self) -> float:
        """Half of the window that is compared and blended [s]."""
        if self.window_s is not None:
            return self.window_s
        return _STANDARD_WINDOW_S if self.graph == "standard" else _STANCE_WINDOW_S

    def half_window(self, fps: float) -> int:
        """The same in frames, at least 1."""
        return max(1, round(self.half_window_s() * fps))

    def min_clip(self, fps: float) -> int:
        """Shortest clip in frames."""
        return max(2, round(self.min_clip_s * fps))
