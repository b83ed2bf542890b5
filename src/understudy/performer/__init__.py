"""The built-in performer: real-looking clips with no download, and their ground truth."""

from understudy.performer.actions import ACTIONS, Event, Example, action_examples, action_names
from understudy.performer.clips import CLIPS, SETS, builtin_clips, performance
from understudy.performer.gait import Performance
from understudy.performer.person import Person
from understudy.performer.postures import posture, posture_about, posture_names
from understudy.performer.style import STYLES, Style

__all__ = [
    "ACTIONS",
    "CLIPS",
    "SETS",
    "STYLES",
    "Event",
    "Example",
    "Performance",
    "Person",
    "Style",
    "action_examples",
    "action_names",
    "builtin_clips",
    "performance",
    "posture",
    "posture_about",
    "posture_names",
]
