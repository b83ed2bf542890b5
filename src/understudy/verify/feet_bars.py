"""Every measure of somebody's feet beside its bar: the one place that knows which evidence sets which."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from understudy.verify.bars import Bars
    from understudy.verify.report import CharacterReport


class FootMeasure(NamedTuple):
    """A measure of feet.

    Attributes:
        kind: Its name among violations.
        what: Its name in words.
        value: What was measured.
        bar: What passes; ``None`` where it is measured only.
        unit: ``"mm"``, or empty for ratios.
        foot: Which foot; empty where both count, or none does it.
        time_s: When it begins; ``None`` where the whole motion counts.
        made_of: What the bar rests on.
    """

    kind: str
    what: str
    value: float
    bar: float | None
    unit: str = ""
    foot: str = ""
    time_s: float | None = None
    made_of: str = "recorded people, without evidence"

    @property
    def broken(self) -> bool:
        """Whether the bar is not cleared; files keep places to about a thousandth of a millimetre."""
        return self.bar is not None and self.value > self.bar + (1e-3 if self.unit else 1e-9)


def feet_measures(one: CharacterReport, bars: Bars) -> list[FootMeasure]:
    """What was measured of somebody's feet; nothing for what is no humanoid.

    Evidence of the same frames is compared foot by foot at the same time, other evidence by its worst. A stranger's
    recording has no bar for its feet: it is what it is.
    """
    feet, source = one.foot_skate, one.source_skate
    if feet is None:
        return []
    gmd, kimodo, drift, slide = bars.gmd_alone, bars.kimodo_alone, bars.stance_drift_alone_mm, bars.contact_slide_mm
    if source is not None:
        gmd, kimodo = max(bars.gmd, source.gmd), source.kimodo + bars.kimodo_added
        # As with pace, the bar is the larger of what the evidence does and what anybody may do.
        drift = max(bars.stance_drift_added_mm, source.stance_drift_mm)
        slide = max(slide, source.contact_slide_mm)
    beside = feet.added
    drifts = feet.stance_drift_mm, None if beside else drift, "mm", feet.drift_foot, feet.drift_time_s
    slides = feet.contact_slide_mm, slide, "mm", feet.contact_slide_foot, feet.contact_slide_time_s
    found = [
        FootMeasure("foot_skate_gmd", "foot skate (GMD, 20 fps)", feet.gmd, None if beside else gmd),
        FootMeasure(
            "foot_skate_kimodo", f"foot skate (Kimodo, {feet.fps:g} fps)", feet.kimodo, None if beside else kimodo
        ),
        FootMeasure("stance_drift", "stance drift", *drifts),
        FootMeasure("contact_slide", "slide under weight", *slides),
    ]
    if source is None:
        # Only where nothing was recorded are heights known well enough to tell a drag from a low swing.
        drags = feet.dragged_mm, bars.contact_slide_mm, "mm", feet.dragged_foot, feet.dragged_time_s
        found.append(FootMeasure("foot_drag", "drag along the floor", *drags))
    if source is None and one.recorded:
        return [measure._replace(bar=None) for measure in found if measure.kind != "foot_drag"]
    for kind, what, worst, bar in (
        ()
        if beside is None
        else (
            ("foot_skate", "skates further than source", beside.skate, bars.contact_slide_mm),
            ("stance_drift", "drifts further than source", beside.drift, bars.stance_drift_added_mm),
            ("foot_slide", "slide against source", beside.slide, bars.foot_slide_mm),
        )
    ):
        if worst is not None:
            found.append(FootMeasure(kind, what, worst.way_mm, bar, "mm", worst.foot, worst.time_s))
    made_of = FootMeasure._field_defaults["made_of"] if source is None else "the evidence and what may be added to it"
    return [measure._replace(made_of=made_of) for measure in found]
