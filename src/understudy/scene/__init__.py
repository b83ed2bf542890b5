"""The stage: shapes, objects that stand, move, swing or are carried, characters, scene files."""
