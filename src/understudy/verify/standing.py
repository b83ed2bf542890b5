"""How somebody stands: what carries the body and whether it would topple, beside the evidence's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from understudy.verify.balance import Balance, balance
from understudy.verify.cast import Cast, Judged, ground, own_ground_m, things_of
from understudy.verify.claim import Claim
from understudy.verify.foot_skate import contact_slide_mm
from understudy.verify.forward import Performer
from understudy.verify.support import Support, support
from understudy.verify.things import Thing, carried
from understudy.verify.touching import Touches, touches_of


@dataclass(frozen=True, kw_only=True)
class Standing:
    """What carries a body, and the worst of its evidence.

    Attributes:
        support: What carries it.
        balance: Whether it would topple.
        evidence_unsupported_s: Longest time for which evidence of the same frames floats itself [s]: it stands on
            props that nobody recorded. 0 for other evidence.
        evidence_outside_m: How far evidence of the same frames is out of balance itself [m].
        evidence_slide_mm: How far its feet slide while they carry it [mm].
    """

    support: Support
    balance: Balance
    evidence_unsupported_s: float
    evidence_outside_m: float
    evidence_slide_mm: float = 0.0


def carriers(cast: Cast, judged: Judged, claim: Claim) -> list[Thing]:
    """What may carry somebody: the floor and everything that they do not hold and that does not fly."""
    free = {*carried(cast.scene, judged.performer.name), *(flight.object for flight in claim.flights)}
    things = [] if cast.scene is None else [thing for thing in things_of(cast.scene) if thing.name not in free]
    if cast.scene is not None and cast.scene.floor:
        return things
    # Where no floor is said to be solid, people stand on the ground their own feet rest on.
    return [*things, ground(0.0) if claim.floor else ground(own_ground_m(judged.performer))]


def standing(judged: Judged, touched: Touches, carrying: Sequence[Thing]) -> Standing:
    """Measure how somebody stands."""
    # Only a recording of the same frames stands on the same props at the same moment; another body on its own ground.
    clips = [one for one in judged.sources if judged.in_step and one.motion.skeleton.is_humanoid]
    worst = [_on(clip, judged, carrying) for clip in clips]
    if judged.allowances is not None:
        worst = [(judged.allowances.unsupported_s, judged.allowances.outside_m, 0.0)]
    return Standing(
        support=support(touched),
        balance=balance(touched),
        evidence_unsupported_s=max((one[0] for one in worst), default=0.0),
        evidence_outside_m=max((one[1] for one in worst), default=0.0),
        evidence_slide_mm=max((one[2] for one in worst), default=0.0),
    )


def _on(clip: Performer, judged: Judged, carrying: Sequence[Thing]) -> tuple[float, float, float]:
    """How long a clip floats [s], is out of balance [m], and how far feet slide [mm], in the size of what is judged."""
    clip, tall = replace(clip, start_s=judged.performer.start_s), 1.0
    if not judged.aligned:
        carrying = [ground(own_ground_m(clip))]
        tall = judged.performer.body.stature_m / clip.body.stature_m
    touched = touches_of(clip, carrying, carry_m=judged.carry_m)
    return (
        support(touched).unsupported_s,
        tall * balance(touched).outside_m,
        tall * contact_slide_mm(touched)[0],
    )
