"""The surface of a capsule body as a triangle mesh that follows its joints."""
