"""Which joint of a skeleton plays which humanoid role: by its name, else by the shape of the skeleton."""

from understudy.core.recognition.recognising import humanoid_from_mapping, humanoid_of

__all__ = ["humanoid_from_mapping", "humanoid_of"]
