"""Things that fly: rigid spheres and capsules."""

from __future__ import annotations

from dataclasses import dataclass

from understudy.errors import OptionError, PlanningInputError


@dataclass(frozen=True, kw_only=True)
class Ball:
    """A rigid sphere or, with a length, a rigid capsule: a club, a staff.

    Attributes:
        name: Unique in a play, without dots.
        radius_m: Its radius.
        length_m: Distance between the middles of its two round ends; 0 for a sphere.
        mass_kg: For impacts with other balls and for reactions of bodies.
        restitution: Share of the normal speed it keeps in an impact.
        friction: Coulomb's coefficient; 0 leaves its spin alone.
        hollow: Whether it is a shell (a soccer ball) rather than solid.
        color: Linear red, green, blue, for pictures and exports.
    """

    name: str
    radius_m: float = 0.035
    mass_kg: float = 0.13
    restitution: float = 0.7
    friction: float = 0.0
    hollow: bool = False
    length_m: float = 0.0
    color: tuple[float, float, float] = (0.80, 0.16, 0.10)

    def __post_init__(self) -> None:
        """Check the ranges."""
        if not self.name or "." in self.name:
            raise PlanningInputError(f"ball name {self.name!r}: names are not empty and hold no dot")
        for key, low, high in (
            ("radius_m", 1e-3, 5.0),
            ("mass_kg", 1e-4, 1e3),
            ("restitution", 0.0, 1.0),
            ("friction", 0.0, 5.0),
            ("length_m", 0.0, 10.0),
        ):
            if not low <= getattr(self, key) <= high:
                raise OptionError(f'ball "{self.name}": {key} is {getattr(self, key)}; allowed: {low:g}..{high:g}')

    @property
    def inertia(self) -> float:
        """Moment of inertia over ``m r^2``."""
        return 2.0 / 3.0 if self.hollow else 0.4

    @property
    def moments(self) -> tuple[float, float]:
        """Moments of inertia over the mass [m^2]: about an axis across its own, and about its own."""
        r, length = self.radius_m, self.length_m
        if self.hollow:
            tube = length / (length + 2.0 * r)
            caps = 1.0 - tube
            across = tube * (r * r / 2.0 + length**2 / 12.0)
            across += caps * (2.0 * r * r / 3.0 + length**2 / 4.0 + length * r / 2.0)
            return across, tube * r * r + caps * 2.0 * r * r / 3.0
        tube = length / (length + 4.0 * r / 3.0)
        caps = 1.0 - tube
        across = tube * (r * r / 4.0 + length**2 / 12.0)
        across += caps * (0.4 * r * r + length**2 / 4.0 + 0.375 * length * r)
        return across, tube * r * r / 2.0 + caps * 0.4 * r * r
