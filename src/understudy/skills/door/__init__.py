"""Opening doors: take the handle while walking up, step while the hand holds, let go, walk on."""
