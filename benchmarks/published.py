"""What the five papers print, in their own units, to be read beside our numbers.

Their computers were those of their day, so ratios of times say little about algorithms. What can be compared is
success, lengths and counts.
"""

from __future__ import annotations

#: By suite: what was measured, and what was printed.
PUBLISHED: dict[str, tuple[tuple[str, str], ...]] = {
    "limbs": (
        ("one planned arm motion", "about 1 s"),
        ("plan and smooth among 30,000 triangles", "about 2 s"),
    ),
    "postures": (
        ("arm fold, with safe zone", "11.4 s, 10.7 s"),
        ("leg cross, with safe zone", "41.9 s, 39.7 s"),
        ("yoga, with safe zone", "85.1 s, 81.3 s"),
        ("contortion (7 tangles), with safe zone", "224.9 s, 138.1 s"),
        ("Thomas flare, then stage two", "23.7 s, 142.5 s"),
    ),
    "library": (
        ("standard / feature graph, 693 frames", "208 s / 1.5 s"),
        ("standard / feature graph, 1,009 frames", "467 s / 5.9 s"),
        ("standard / feature graph, 1,539 frames", "1,107 s / 7.0 s"),
        ("standard / feature graph, 1,660 frames", "1,298 s / 6.3 s"),
        ("standard / feature graph, 2,329 frames", "2,578 s / 6.5 s"),
        ("standard / feature graph, 3,347 frames", "4,854 s / 6.6 s"),
        ("standard / feature graph, 6,887 frames", "22,273 s / 27.0 s"),
    ),
    "locomotion": (
        ("feature graph, A*, 14.3 m", "23,528 ms, 100 % solved"),
        ("feature graph, A* in the channel", "1,742 ms, 98 % solved"),
        ("feature graph, maps of depth 11", "149 ms, 93 % solved"),
        ("standard graph, maps", "872 ms, 58 % solved"),
        ("length over shortest path", "about 1.01"),
    ),
    "maps": (
        ("depth 11, 72 nodes", "88 s, 444 MB"),
        ("depth 12, 72 nodes", "184 s, 889 MB"),
    ),
    "sampling": (
        ("two corners, decoupled / sampled: transitions", "12.5 / 11.3"),
        ("two corners, decoupled / sampled: distance", "1,058 cm / 966 cm"),
        ("two corners, decoupled / sampled: time", "106 s / 39 s"),
        ("clutter, decoupled / sampled: transitions", "22.7 / 11.4"),
        ("clutter, decoupled / sampled: distance", "1,482 cm / 832 cm"),
        ("clutter, decoupled / sampled: time", "741 s / 38 s"),
        ("grid of boxes, decoupled / sampled: time", "332 s / 3.9 s"),
    ),
}
