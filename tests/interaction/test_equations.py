"""Jacobians against central differences, kernels against plain NumPy, laws against conservation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy import rotations as rot
from understudy.interaction import Actor
from understudy.interaction import _law_kernels as law
from understudy.interaction._law_kernels import APEX, APPROACH, BOUNCED, NODE_PLACE, NODE_VELOCITY, PLACE, VELOCITY
from understudy.interaction._small_kernels import bspline, displacement
from understudy.interaction._solve_kernels import gram, whitened
from understudy.interaction.actor import sampled
from understudy.interaction.contact_places import Node
from understudy.interaction.costs import Costs, least_change
from understudy.interaction.surfaces import Surface
from understudy.interaction.system import System
from understudy.interaction.terms import Probe
from understudy.kinematics import forward, point_positions


def differences(function, at: np.ndarray, columns, step: float = 1e-6) -> np.ndarray:
    found = []
    for column in columns:
        change = np.zeros(len(at))
        change[column] = step
        found.append((function(at + change) - function(at - change)) / (2.0 * step))
    return np.array(found).T


@pytest.fixture(scope="module")
def system(everything) -> System:
    elbow = Node(label="watched", time=2.03, point=np.array([0.1, 0.0, 0.0]), player=0, joint=5)
    return System(everything, [elbow])


@pytest.fixture(scope="module")
def somewhere(system: System) -> np.ndarray:
    rng = np.random.default_rng(0)
    return system.start() + 0.05 * rng.standard_normal(system.size)


def test_jacobian_of_every_kind_of_contact_equals_central_differences(system: System, somewhere: np.ndarray) -> None:
    _, jacobian = system.linearised(somewhere)
    used = np.flatnonzero(np.abs(jacobian).max(axis=0))
    rng = np.random.default_rng(1)
    contacts = used[used >= system.control_count]
    columns = np.concatenate([contacts, rng.choice(used[used < system.control_count], 150, replace=False)])
    columns = np.append(columns, system.control_count - 1)  # the blend weight
    expected = differences(system.residual, somewhere, columns)
    assert np.abs(jacobian[:, columns] - expected).max() < 1e-6
    unused = np.setdiff1d(np.arange(system.size), used)
    assert np.abs(differences(system.residual, somewhere, unused[:20])).max() == 0.0


@pytest.mark.parametrize(
    ("kind", "which"),
    [(PLACE, 1), (VELOCITY, 1), (APEX, 1), (NODE_PLACE, -1), (NODE_VELOCITY, -1), (NODE_PLACE, 0), (APPROACH, None)],
)
def test_jacobian_of_handles_equals_central_differences(system: System, somewhere, kind: int, which) -> None:
    if which is None:
        which = next(k for k, arc in enumerate(system.layout.arcs) if arc.law == BOUNCED)
    asked = Probe(kind, which if which >= 0 else len(system.every_node) - 1, 2.001)
    jacobian = np.zeros((3, system.size))
    system.load(somewhere)
    system.probed(asked, 0, jacobian)

    def value(unknowns: np.ndarray) -> np.ndarray:
        system.load(unknowns)
        return system.probed(asked)

    columns = np.flatnonzero(np.abs(jacobian).max(axis=0))
    assert len(columns) > 5
    assert np.abs(jacobian[:, columns] - differences(value, somewhere, columns)).max() < 1e-6


def test_a_players_pose_is_base_times_exponential_of_the_splines(blended: Actor) -> None:
    from scipy.interpolate import BSpline

    rng = np.random.default_rng(2)
    player = blended.player._replace(
        knots=0.3 * rng.standard_normal(blended.player.knots.shape), weights=np.array([0.7])
    )
    frame = 100
    time = blended.motion.times_s[frame]
    roots, turns = sampled(player, blended.motion, np.array([time]))
    spacing, count = player.spacing_s, player.knots.shape[1]
    spline = BSpline((np.arange(count + 4) - 3) * spacing, player.knots.T, 3)(time)
    theta = np.zeros((len(blended.motion.skeleton) + 1, 3))
    for slot in range(len(theta)):
        span = slice(player.dof_starts[slot], player.dof_starts[slot + 1])
        theta[slot] = spline[span] @ player.dof_axes[span]
    clip = blended.blends[0]
    theta[:-1] += 0.7 * clip.turns[frame]
    expected = rot.multiply(blended.base.rotations[frame], rot.exp(theta[:-1]))
    assert rot.angle_between(turns[0], expected).max() < 1e-9
    assert roots[0] == pytest.approx(blended.base.root_positions[frame] + theta[-1] + 0.7 * clip.root[frame], abs=1e-12)


def test_nodes_are_where_forward_kinematics_puts_them(system: System, somewhere: np.ndarray) -> None:
    system.load(somewhere)
    actor = system.play.actors[0]
    for n, node in enumerate(system.every_node):
        if node.player == 0:
            pose = sampled(system.players[0], actor.motion, system.nodes.time[n : n + 1])
            expected = point_positions(
                forward(actor.motion.skeleton, *pose), [node.joint], system.nodes.point[n : n + 1]
            )
            assert system.jets.place[n] == pytest.approx(expected[0, 0], abs=1e-12)


vectors = st.lists(st.floats(-2.0, 2.0), min_size=3, max_size=3).map(np.array)


@given(theta=vectors, rate=vectors)
@settings(max_examples=40)
def test_exponential_map_and_its_jacobian(theta: np.ndarray, rate: np.ndarray) -> None:
    turn, jacobian, jacobian_rate = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    ahead, behind, dull = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    displacement(theta, rate, turn, jacobian, jacobian_rate)
    assert np.abs(turn - rot.to_matrix(rot.exp(theta))).max() < 1e-12
    h = 1e-5
    displacement(theta + h * rate, rate, dull, ahead, np.empty((3, 3)))
    displacement(theta - h * rate, rate, dull, behind, np.empty((3, 3)))
    assert np.abs((ahead - behind) / (2 * h) - jacobian_rate).max() < 1e-7
    change = rot.log(rot.multiply(rot.conjugate(rot.exp(theta)), rot.exp(theta + 1e-6 * rate))) / 1e-6
    assert np.abs(change - jacobian @ rate).max() < 1e-4


def test_bspline_weights_sum_to_one_and_derive() -> None:
    value, rate, second = np.empty(4), np.empty(4), np.empty(4)
    above, below, dull = np.empty(4), np.empty(4), np.empty(4)
    for x in (0.0, 0.3, 2.99, 4.5):
        bspline(x, 5, value, rate, second)
        assert value.sum() == pytest.approx(1.0) and rate.sum() == pytest.approx(0.0)
        bspline(x + 1e-6, 5, above, dull, dull.copy())
        bspline(x - 1e-6, 5, below, dull, dull.copy())
        if x > 0.0:
            assert (above - below) / 2e-6 == pytest.approx(rate, abs=1e-6)


@pytest.mark.parametrize("kind", ["capsule", "box"])
def test_surfaces_against_sampled_points(kind: str) -> None:
    rng = np.random.default_rng(4)
    ends, half = np.array([[0.1, -0.2, 0.0], [0.3, 0.4, 0.2]]), np.array([0.3, 0.2, 0.5])
    still = {"place": np.zeros(3), "turn": np.eye(3)}
    if kind == "capsule":
        surface = Surface(ends=ends, radius_m=0.15, **still)
        solid = ends[0] + np.linspace(0, 1, 4001)[:, None] * (ends[1] - ends[0])
    else:
        surface = Surface(ends=np.zeros((2, 3)), half=half, **still)
        axes = [np.linspace(-edge, edge, 41) for edge in half]
        solid = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 3)
    places = rng.uniform(-1.0, 1.0, (60, 3))
    off, normals = surface.off(places)
    nearest = np.linalg.norm(solid - places[:, None], axis=2).min(axis=1)
    clear = nearest > 0.05
    assert np.abs(off - nearest + surface.radius_m)[clear].max() < 0.01
    assert np.linalg.norm(normals, axis=1) == pytest.approx(1.0)
    for i in range(3):
        step = np.eye(3)[i] * 1e-6
        slope = (surface.off(places + step)[0] - surface.off(places - step)[0]) / 2e-6
        assert np.abs(slope - normals[:, i])[clear].max() < 1e-5
    # Put onto the surface by its own distance and normal, a place is on it.
    assert np.abs(surface.off(places - off[:, None] * normals)[0]).max() < 1e-9


@given(
    velocity=vectors,
    spin=vectors,
    moving=vectors,
    turning=vectors,
    normal=vectors,
    restitution=st.floats(0.0, 1.0),
    friction=st.sampled_from([0.0, 0.05, 0.8]),
)
@settings(max_examples=60)
def test_law_of_impact(velocity, spin, moving, turning, normal, restitution, friction) -> None:
    size = np.linalg.norm(normal)
    if size < 0.1:
        return
    n = normal / size
    if (velocity - moving) @ n > -0.05:
        velocity = velocity - n * ((velocity - moving) @ n + 0.5)
    radius, inertia = 0.1, 0.4
    numbers, facts = np.zeros(law.NUMBERS), np.zeros(law.FACTS)
    facts[law.KIND], facts[law.RADIUS], facts[law.SHARE], facts[law.FRICTION] = law.ROUND, radius, 1.0, friction
    facts[law.ACROSS_M2] = inertia * radius**2
    # For a moment it flies so that it arrives with its velocity, one metre off a point in the way of the normal.
    lasted = 0.1
    arrived = velocity - np.array([0.0, 0.5 * law.GRAVITY * lasted, 0.0])
    for first, value in (
        (law.FROM, n - lasted * arrived),
        (law.AT, n),
        (law.SPIN_IN, spin),
        (law.MOVING, moving),
        (law.SPINNING, turning),
    ):
        numbers[first : first + 3] = value
    numbers[law.BEFORE], numbers[law.BOUNCE] = lasted, restitution
    after, spun = (np.real(value) for value in law.struck(numbers.astype(np.complex128), facts))
    speed = -(velocity - moving) @ n
    assert (after - moving) @ n == pytest.approx(restitution * speed, abs=1e-12)
    # The push acts at the skin: its moment about the contact point vanishes.
    assert inertia * radius * (spun - spin) == pytest.approx(np.cross(-n, after - velocity), abs=1e-12)
    push = (after - velocity) - n * (n @ (after - velocity))
    assert np.linalg.norm(push) <= friction * (1 + restitution) * speed + 1e-12
    skin = (after - moving) - radius * np.cross(spun - turning, n)
    slide = skin - n * (n @ skin)
    slipping = np.linalg.norm(push) > friction * (1 + restitution) * speed - 1e-9
    assert friction == 0.0 or slipping or np.linalg.norm(slide) < 1e-9
    before = (velocity - moving) - radius * np.cross(spin - turning, n)
    before = before - n * (n @ before)
    margin = abs(inertia / (1 + inertia) * np.linalg.norm(before) - friction * (1 + restitution) * speed)
    if np.linalg.norm(before) < 1e-3 or margin < 1e-4:
        return
    used = [k for k in range(law.NUMBERS) if numbers[k] != 0.0]
    for k in used:
        stepped = numbers.astype(np.complex128)
        stepped[k] += 1e-30j
        by = np.imag(law.struck(stepped, facts)) / 1e-30
        ahead, behind = (
            np.real(law.struck((numbers + sign * 1e-6 * (np.arange(law.NUMBERS) == k)).astype(np.complex128), facts))
            for sign in (1.0, -1.0)
        )
        assert np.abs((ahead - behind) / 2e-6 - by).max() < 1e-4 * max(1.0, np.abs(by).max())


def test_sparse_products_equal_dense_ones() -> None:
    rng = np.random.default_rng(5)
    jacobian = rng.standard_normal((6, 11)) * (rng.uniform(size=(6, 11)) < 0.4)
    inverse = np.zeros((2, 4, 4))
    for k in range(2):
        root = rng.standard_normal((4, 4))
        inverse[k] = root @ root.T
    gains = rng.uniform(0.5, 2.0, 11)
    gains[4:8], gains[:4] = gains[4], gains[0]
    white, product = np.empty_like(jacobian), np.empty((6, 6))
    whitened(jacobian, np.array([0, 4]), np.array([4, 4]), inverse, gains, white)
    gram(jacobian, white, product)
    dense = np.diag(gains)
    dense[:4, :4], dense[4:8, 4:8] = gains[0] * inverse[0], gains[4] * inverse[1]
    assert np.abs(white - jacobian @ dense).max() < 1e-12
    assert np.abs(product - jacobian @ dense @ jacobian.T).max() < 1e-12


def optimum(weights, jacobian, wanted, bounds, toward) -> float:
    """The same quadratic program by another method."""
    from scipy.optimize import minimize

    found = minimize(
        lambda x: np.sum(weights * (x - toward) ** 2),
        np.zeros(len(toward)),
        constraints=[
            {"type": "eq", "fun": lambda x: jacobian[: len(wanted)] @ x - wanted},
            {"type": "ineq", "fun": lambda x: bounds + jacobian[len(wanted) :] @ x},
        ],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    return float(found.fun)


def test_least_change_is_the_quadratic_programs_optimum() -> None:
    rng = np.random.default_rng(6)
    count = 9
    costs = Costs(
        firsts=np.array([0]),
        counts=np.array([3]),
        inverses=np.eye(3)[None] * 0.5,
        matrices=np.eye(3)[None] * 2.0,
        gains=np.concatenate([np.ones(3), rng.uniform(0.2, 3.0, count - 3)]),
    )
    weights = np.concatenate([np.full(3, 2.0), 1.0 / costs.gains[3:]])
    for _ in range(5):
        jacobian = rng.standard_normal((6, count))
        wanted, bounds, toward = rng.standard_normal(2), rng.standard_normal(4) * 0.3, rng.standard_normal(count) * 0.2
        change = least_change(costs, jacobian, wanted, bounds, toward)
        assert jacobian[:2] @ change.step == pytest.approx(wanted, abs=1e-9)
        assert (bounds + jacobian[2:] @ change.step > -1e-6).all()  # inequalities give a little
        best = optimum(weights, jacobian, wanted, bounds, toward)
        assert costs.price(change.step - toward) == pytest.approx(best, rel=1e-5)
