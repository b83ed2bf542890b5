"""Skills: doors, modes, the multi-modal planner and the task language, on top of walking and limbs."""
