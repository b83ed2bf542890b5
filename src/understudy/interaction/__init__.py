"""People and flying things, edited together: every contact stays exact while either is dragged ([Interaction]).

Importing this package loads its kernels; ``understudy`` itself does not import it until it is used.
"""

from understudy.interaction.actor import Actor, Blend, Implement
from understudy.interaction.clashes import Clash
from understudy.interaction.editing import EditOptions, Pin
from understudy.interaction.handles import Apex, AxisAt, BallAt, ContactAt, Handle, PartAt
from understudy.interaction.outcome import Outcome
from understudy.interaction.play import Ball, End, Hold, Knock, Leg, Play, Start, Touch, Way
from understudy.interaction.projectiles import Cue, Simulated
from understudy.interaction.sensitivity import Sensitivity, sensitivity
from understudy.interaction.session import Session
from understudy.interaction.simulation import simulate

__all__ = [
    "Actor",
    "Apex",
    "AxisAt",
    "Ball",
    "BallAt",
    "Blend",
    "Clash",
    "ContactAt",
    "Cue",
    "EditOptions",
    "End",
    "Handle",
    "Hold",
    "Implement",
    "Knock",
    "Leg",
    "Outcome",
    "PartAt",
    "Pin",
    "Play",
    "Sensitivity",
    "Session",
    "Simulated",
    "Start",
    "Touch",
    "Way",
    "sensitivity",
    "simulate",
]
