"""What is wrong with a motion, where its feet stand, and repair."""

from understudy.inspection.clean import CleanResult, Repair, clean
from understudy.inspection.contacts import ContactOptions, FootContacts, foot_contacts, stance_drift_m
from understudy.inspection.gait import Gait, gait_of
from understudy.inspection.problem import Problem
from understudy.inspection.problems import find_problems

__all__ = [
    "CleanResult",
    "ContactOptions",
    "FootContacts",
    "Gait",
    "Problem",
    "Repair",
    "clean",
    "find_problems",
    "foot_contacts",
    "gait_of",
    "stance_drift_m",
]
