"""Footsteps: walking, stepping and turning made from the gait model, from one stand to another."""
