"""Plays for this room's tests; kernels compile once per session."""

from __future__ import annotations

import numpy as np
import pytest

from understudy.interaction import Actor, Ball, Blend, End, Hold, Knock, Play, Start, Touch, Way
from understudy.performer import action_examples
from understudy.scene import Box, Scene

SIDES = {"leftHand": "left_hand", "rightHand": "right_hand"}


@pytest.fixture(scope="session")
def juggler():
    return action_examples("juggle", count=1, fps=60)[0]


@pytest.fixture(scope="session")
def blended(juggler) -> Actor:
    motion = juggler.motion
    rng = np.random.default_rng(3)
    t, joints = motion.times_s, len(motion.skeleton)
    clip = Blend(
        name="sway",
        root=0.1 * np.sin(t)[:, None] * rng.standard_normal(3),
        turns=0.3 * np.sin(1.3 * t)[:, None, None] * rng.standard_normal((joints, 3)),
    )
    return Actor(name="a", motion=motion, blends=(clip,), groups=("arms", "trunk", "root", "legs", "head"))


@pytest.fixture(scope="session")
def everything(blended: Actor) -> Play:
    """Every kind of leg once: hands, loose catches, bounces with friction, floor, box, two balls that meet."""
    at = np.array([0.0, 1.0, 1.0])
    rolling = Ball(name="b2", friction=0.3, restitution=0.8, radius_m=0.1, hollow=True)
    slipping = Ball(name="b3", friction=0.02)
    scene = Scene().with_object(
        "box", Box(size_m=(1.0, 1.0, 1.0)), position=(0.0, 0.5, 2.0), rotation=(0.9, 0.1, 0.2, 0.1)
    )
    first = Start(
        time_s=0.3, position=np.array([0.1, 2.0, 0.5]), velocity=np.array([0.0, 1.0, 0.0]), spin=np.ones(3), free=True
    )
    ways = (
        Way(
            ball=Ball(name="b1"),
            legs=(
                Hold(part="a.left_hand", release_s=1.503),
                Hold(part="a.right_hand", catch_s=2.104, release_s=2.407),
                Hold(part="a.left_hand", catch_s=3.111, loose=True),
            ),
        ),
        Way(
            ball=rolling,
            legs=(
                first,
                Touch(part="a.left_thigh", time_s=1.211, tune=True),
                Touch(part="a.right_foot", time_s=1.907),
                Touch(part="floor", time_s=2.413),
                Touch(part="box", time_s=2.809),
                Touch(part="a.head", time_s=3.502),
                End(time_s=4.0, position=at),
            ),
        ),
        Way(
            ball=slipping,
            legs=(
                Hold(part="a.left_hand", release_s=1.703),
                Touch(part="a.left_hand", time_s=2.021),
                End(time_s=3.0, position=at),
            ),
        ),
        Way(
            ball=Ball(name="b4"),
            legs=(
                Hold(part="a.left_hand", release_s=1.704),
                Knock(other="b5", time_s=2.2, position=np.array([0.0, 1.5, 0.5])),
                End(time_s=3.0, position=at),
            ),
        ),
        Way(
            ball=Ball(name="b5", mass_kg=0.4),
            legs=(
                Hold(part="a.right_hand", release_s=1.603),
                Knock(other="b4", time_s=2.2, position=np.array([0.0, 1.56, 0.5])),
                Hold(part="a.right_hand", catch_s=3.003),
            ),
        ),
    )
    return Play(actors=(blended,), scene=scene, ways=ways)


def cascade(example, name: str = "a", **fields) -> Play:
    """The performer's juggling as a play: its own throws and catches."""
    ways = []
    for number in range(3):
        events = [event for event in example.events if event.thing == number]
        part = [f"{name}.{SIDES[event.joint]}" for event in events]
        legs = [Hold(part=part[0], release_s=events[0].time_s)]
        for k in range(1, len(events), 2):
            leaves = events[k + 1].time_s if k + 1 < len(events) else None
            legs.append(Hold(part=part[k], catch_s=events[k].time_s, release_s=leaves))
        ways.append(Way(ball=Ball(name=f"ball{number}"), legs=tuple(legs)))
    return Play(actors=(Actor(name=name, motion=example.motion, **fields),), ways=tuple(ways))


@pytest.fixture(scope="session")
def juggling(juggler) -> Play:
    return cascade(juggler)
