"""What the papers print, in their own units (lengths in metres), to be read beside our numbers."""

from __future__ import annotations

#: Thesis, table 3.1: frames; seconds, nodes and edges of the standard and of the feature graph.
TABLE_31 = (
    (693, (208.1, 42, 16), (1.5, 51, 80)),
    (1009, (467.2, 69, 28), (5.9, 22, 11)),
    (1539, (1107.4, 137, 67), (7.0, 33, 137)),
    (1660, (1297.7, 135, 59), (6.3, 35, 125)),
    (2329, (2577.5, 188, 81), (6.5, 22, 46)),
    (3347, (4853.5, 310, 211), (6.6, 19, 47)),
    (6887, (22272.5, 1245, 933), (27.0, 100, 403)),
)
#: Thesis, table 3.2, by environment: mutual %; s, m and expansions of either graph; gains: time, length, expansions.
TABLE_32 = (
    (93.26, (0.41, 6.03, 3623), (0.32, 5.83, 1805), (45.43, 3.13, 66.99)),
    (92.15, (2.18, 7.78, 17463), (1.85, 7.52, 9498), (39.48, 3.85, 59.76)),
    (86.86, (2.81, 8.91, 22259), (0.94, 8.79, 4429), (60.84, 1.31, 76.07)),
    (80.52, (2.91, 8.62, 23128), (0.96, 8.51, 4565), (59.31, 1.33, 75.20)),
)
#: Thesis, table 3.3, by environment: gains in length, expansions and time %, of four ways.
TABLE_33 = (
    ((17.9, 73.3, 36.8), (1.5, 55.0, 29.2), (18.0, 80.0, 57.2), (5.0, 49.1, 30.8)),
    ((17.6, 67.4, 29.9), (2.5, 53.3, 21.8), (16.6, 75.6, 43.9), (4.5, 49.3, 13.5)),
    ((17.6, 62.7, 23.4), (5.6, 58.1, 23.9), (13.7, 67.1, 19.9), (4.2, 56.5, 19.0)),
    ((17.6, 67.3, 29.9), (5.6, 48.1, 15.1), (12.9, 55.2, 6.2), (4.4, 47.4, 14.6)),
)
#: Thesis, table 3.4: our row, and gains in length, expansions and time % by environment.
TABLE_34 = {
    "F": ("3.2: feature graph", ((8.7, 60.1, 31.0), (10.3, 61.9, 33.4), (13.4, 60.8, 27.2), (14.7, 68.5, 42.9))),
    "FC": ("3.4: FC", ((12.9, 79.0, 49.2), (13.8, 78.8, 37.1), (15.1, 74.3, 15.3), (16.7, 78.2, 27.1))),
    "FCI": ("3.4: FCI", ((10.4, 91.8, 67.3), (11.2, 87.0, 42.6), (11.4, 14.2, 19.9), (14.6, 85.3, 34.7))),
}
#: Thesis, table 4.2: seconds and MB by depth.
TABLE_42 = {4: (0.19, 0.9), 6: (1.21, 7.0), 8: (6.76, 35.0), 10: (35.38, 179.0), 12: (184.0, 889.0)}
#: Thesis, table 4.1: the same of standard graphs.
TABLE_41 = {14: (11.58, 59.0), 16: (22.93, 116.0), 18: (44.23, 225.0), 20: (83.0, 428.0), 22: (158.0, 805.0)}
#: Thesis, table 4.4: success % and ms by depth, standard graphs.
TABLE_44 = {12: (17, 175.6), 20: (55, 352.1), 22: (70, 556.9)}
#: Thesis, table 4.3: success % and ms by depth.
TABLE_43 = {8: (63, 412.6), 10: (87, 188.7), 12: (93, 145.8)}
#: Environment-aware sampling, tables 1 and 2: PFF, then EMS.
SAMPLING_TABLES = {
    "two corners": ((12.5, 3.74, 338.4, 10.1, 2.03, 1058.36, 106.2), (11.3, 3.88, 327.6, 11.16, 7.2, 966.41, 39.03)),
    "clutter, random, low": (
        (22.7, 6.5, 490.1, 32.88, 12.99, 1481.69, 740.82),
        (11.4, 3.41, 275.0, 30.13, 5.82, 831.87, 38.13),
    ),
    "clutter, grid, low": (
        (27.0, 5.5, 287.0, 24.45, 0.93, 854.44, 332.3),
        (6.0, 1.28, 230.0, 11.67, 2.86, 807.23, 3.86),
    ),
}
#: Posture energy, table 1: seconds without and with safe zone.
POSTURE_TABLE = {
    "arm fold": (11.415, 10.722),
    "leg cross": (41.874, 39.671),
    "yoga": (85.108, 81.258),
    "contortion": (224.923, 138.106),
}
#: Thesis, tables 4.5 and 4.6: success %, ms and m of three methods, by graph.
FOLLOWING = {
    "feature": {
        "A*": (100.0, 23527.8, 13.95),
        "A* in the channel": (98.0, 1742.1, 13.95),
        "motion maps": (93.0, 149.3, 14.51),
    },
    "standard": {
        "A*": (100.0, 44184.0, 12.48),
        "A* in the channel": (96.0, 3192.4, 12.58),
        "motion maps": (58.0, 872.4, 13.30),
    },
}
