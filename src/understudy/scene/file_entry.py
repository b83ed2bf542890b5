"""What every entry of a scene file is made of: numbers with ranges, names, points, and keys that are all known."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Positive = Annotated[float, Field(strict=True, allow_inf_nan=False, gt=0)]
NotNegative = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0)]
Share = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0, le=1)]
Text = Annotated[str, Field(strict=True)]
Name = Annotated[str, Field(strict=True, min_length=1)]
Flag = Annotated[bool, Field(strict=True)]
Index = Annotated[int, Field(strict=True, ge=0)]
Point = tuple[Number, Number, Number]
FloorPoint = tuple[Number, Number]
Quaternion = tuple[Number, Number, Number, Number]
Hand = Literal["left", "right"]
Hands = Literal["left", "right", "both"]


class Entry(BaseModel):
    """An entry that knows all its keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=False, defer_build=True)


class PerformedEntry(Entry):
    """A clip of the built-in performer."""

    clip: Name = Field(description="as `understudy performer --list` names it")
    duration: Positive | None = Field(default=None, description="[s]")
    speed: NotNegative | None = Field(default=None, description="[m/s]")
    style: Name = "calm"
    seed: Index = 0
