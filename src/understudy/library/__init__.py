"""Motion libraries: clips cut, joined and saved, ready to be searched."""
