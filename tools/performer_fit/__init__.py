"""Fitting the performer's gait model: recorded clips, curves, steps, and the model they make."""
