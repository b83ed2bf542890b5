"""Published methods of walking, for comparison: A* and the channel, motion maps, environment-aware sampling."""
