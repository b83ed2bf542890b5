"""Programs: walk, take, carry, put down and act, one after the other, with continuous motion in between."""
