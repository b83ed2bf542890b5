"""Coming to rest: Newton's method on contacts and pins, and the way back towards where an edit began."""

from __future__ import annotations

import numpy as np

from understudy.interaction.editing import Bench, EditOptions, Errors, corrected, errors
from understudy.typing import FloatArray

#: Newton steps that may wander while a play is far from fitting, and after that the steps in which its largest miss
#: has to halve.
_WANDER, _PATIENCE = 12, 3
#: [rad or m, s] farther than this nothing goes in one step; the step is shortened.
_FAR, _FAR_S = 0.6, 0.12
#: [m] a drag's step that misses contacts by more than this is taken back.
_STEP_M = 2e-4
#: [rad or m] by which guards may be broken at rest.
GUARD = 5e-4
#: Most returns onto the contacts within one step; one is nearly always enough.
_RETURNS = 3
#: Most steps in which a finished edit is drawn back towards where it began.
_DRAWS = 16


class StuckError(Exception):
    """A step that is not taken, and why."""


def stepped(
    bench: Bench, at: FloatArray, targets: list[FloatArray], anchor: FloatArray, options: EditOptions
) -> tuple[FloatArray, Errors]:
    """One step of a drag: to the targets, drawn back towards the anchor, and back onto the contacts.

    Raises:
        StuckError: Contacts cannot follow, or a rule would break.
    """
    before = errors(bench, at, targets)
    after, broken = before, [""]
    for share in (options.anchor, 0.0):
        # Drawing back bends the step; where that is too much for one linearisation it waits for the next step.
        toward = share * (anchor - at) if share else None
        moved = shortened(bench, at, corrected(bench, at, targets, toward)[0])
        for _ in range(_RETURNS):
            moved, _ = corrected(bench, moved, targets)
            after = errors(bench, moved, targets)
            if after.largest_m < _STEP_M:
                break
        broken = bench.rules.broken(moved, slack=1e-3)
        if not broken and after.largest_m < max(_STEP_M, 0.7 * before.contacts_m):
            return moved, after
    raise StuckError(broken[0] if broken else f"{after.worst} is off by {after.largest_m:.3f} m")


def shortened(bench: Bench, old: FloatArray, new: FloatArray) -> FloatArray:
    """A step shortened so that nothing goes too far at once."""
    step, count = new - old, bench.system.control_count
    kinds = np.array(bench.system.layout.kinds)
    share = _FAR / max(_FAR, float(np.abs(step[:count]).max(initial=0.0)))
    times = step[count:][kinds == "time"] if len(kinds) else np.zeros(0)
    share = min(share, _FAR_S / max(_FAR_S, float(np.abs(times).max(initial=0.0))))
    return old + share * step if share < 1.0 else new


def at_rest(bench: Bench, at: FloatArray, options: EditOptions) -> tuple[FloatArray, Errors, int]:
    """Newton's method on contacts and pins, as far as it gets: unknowns, what is left, steps."""
    targets = [pin.target for pin in bench.pins]
    left = errors(bench, at)
    history = [left.largest_m + bench.rules.shortfall()]
    for step in range(options.settle_steps):
        rests = left.largest_m < options.rest_m
        if (rests and bench.rules.shortfall() < GUARD) or _stuck(history):
            return at, left, step
        at = shortened(bench, at, corrected(bench, at, targets)[0])
        left = errors(bench, at)
        history.append(left.largest_m + bench.rules.shortfall())
    return at, left, options.settle_steps


def drawn_back(
    bench: Bench, at: FloatArray, left: Errors, anchor: FloatArray, options: EditOptions
) -> tuple[FloatArray, Errors]:
    """As near to the motion before the edit as contacts and pins allow.

    Steps towards it along the contacts, each followed by a return onto them; a step that costs more is shortened.
    """
    targets = [pin.target for pin in bench.pins]
    price, share, fell = bench.costs.price(at - anchor), 1.0, bench.rules.shortfall()
    for _ in range(_DRAWS):
        moved = shortened(bench, at, corrected(bench, at, targets, share * (anchor - at))[0])
        moved, now, _ = at_rest(bench, moved, options)
        cost = bench.costs.price(moved - anchor)
        short = bench.rules.shortfall() > max(GUARD, 1.01 * fell)
        if now.largest_m > options.rest_m or cost >= price or short or bench.rules.broken(moved, slack=1e-6):
            share *= 0.4
            if share < 0.02:
                break
            continue
        gained, at, left, price = price - cost, moved, now, cost
        share = min(1.0, 1.5 * share)
        if gained < 1e-3 * price + 1e-12:
            break
    return at, left


def _stuck(history: list[float]) -> bool:
    return len(history) > _WANDER and history[-1] > 0.5 * history[-1 - _PATIENCE]
