"""Example sets for action skills: families of motions with targets spread over a region."""

from understudy.performer.actions.example import Event, Example
from understudy.performer.actions.families import ACTIONS, Family, action_examples, action_names

__all__ = ["ACTIONS", "Event", "Example", "Family", "action_examples", "action_names"]
