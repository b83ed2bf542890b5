"""When one arm cannot be repaired: it is planned as if the other were not there, and the other then out of its way."""

from __future__ import annotations

from collections.abc import Sequence

from understudy.core.planning import Watch
from understudy.limbs.finding import MERGED_S, merged, touches
from understudy.limbs.options import LimbOptions
from understudy.limbs.repair import repair
from understudy.limbs.stage import Stage
from understudy.limbs.trace import Change, Touch

#: Arm -> the other one.
OTHER_ARM = {"right_arm": "left_arm", "left_arm": "right_arm"}


def with_both_arms(
    stage: Stage, touch: Touch, others: Sequence[Touch], options: LimbOptions, watch: Watch, *, seed: int
) -> tuple[Stage, list[Change]] | None:
    """Repair an arm together with the other one.

    Args:
        stage: The motion on its stage.
        touch: What touches.
        others: Everything the arm touches.
        options: How to search.
        watch: Deadline and stages.
        seed: Of the random numbers.

    Returns:
        The stage with both arms repaired and what was changed; ``None`` when that fails too.
    """
    other = OTHER_ARM[touch.limb]
    body, moved = stage.body, set(stage.space(other).moved)
    parts = [
        name for name, joint in zip(body.capsule_names, body.capsule_joints.tolist(), strict=True) if joint in moved
    ]
    done, first = repair(stage.ignoring(parts), touch, others, options, watch, seed=seed)
    if not first.status:
        return None
    now, changes = done.ignoring(stage.ignored), [first]
    found = merged(touches(now, other, itself=True), MERGED_S)
    for met in found:
        now, change = repair(now, met, found, options, watch, seed=seed)
        if not change.status:
            return None
        changes.append(change)
    return now, changes
