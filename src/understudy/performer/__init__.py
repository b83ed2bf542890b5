"""The built-in performer: real-looking clips with no download, and their ground truth."""

from understudy.performer.clips import CLIPS, SETS, builtin_clips, performance
from understudy.performer.gait import Performance
from understudy.performer.person import Person
from understudy.performer.style import STYLES, Style

__all__ = ["CLIPS", "SETS", "STYLES", "Performance", "Person", "Style", "builtin_clips", "performance"]
