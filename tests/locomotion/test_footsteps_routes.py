"""Ways of who stands close to something: a step away first, then with room beside the path."""

from __future__ import annotations

import numpy as np

from understudy.core.body_fit import fit_body
from understudy.locomotion.footsteps.routes import floor_of, routes
from understudy.performer import Person
from understudy.scene import Scene
from understudy.scene.shapes import Box


def test_who_stands_close_to_a_table_goes_round_it_with_room() -> None:
    scene = Scene().with_object("table", Box(size_m=(0.6, 0.54, 0.7)), position=(0.0, 0.27, 0.0))
    start, goal = np.array([-0.2, -0.64]), np.array([0.3, 1.3])
    floor = floor_of(scene, [start, goal], fit_body(Person().skeleton()))
    assert not floor.free(start[None], 0.36)[0]
    route = next(routes(floor, start, goal, 0.3, facing_rad=0.8))
    assert np.hypot(*(route[0] - start)) < 0.31
    assert floor.free(route, 0.35).all()
