"""The library of named postures.

Recipes (``posture_recipes.toml``) are solved ahead of time by ``tools/solve_postures.py``; ``postures.json`` holds the
solved joints as anatomical rotation vectors, which mean the same on every humanoid. A person of other proportions is
given the same anatomical rotations, and where parts would come too near the recipe is solved again from there.
Postures on the floor are rolled to where they rest.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType

import numpy as np

from understudy import rotations as rot
from understudy.core.body_fit import fit_body
from understudy.core.humanoid import ROLE_PARENTS
from understudy.core.mirror import mirrored
from understudy.core.motion import from_poses
from understudy.core.pose import Pose
from understudy.core.reference_pose import local_rotations
from understudy.core.skeleton import Skeleton
from understudy.errors import OptionError, nearest_name
from understudy.kinematics import pose_world
from understudy.performer.person import Person
from understudy.performer.posture_solver import Recipe, grounded, read_recipe, solve_recipe
from understudy.performer.posture_tasks import self_gaps, strict_pairs
from understudy.performer.resting import rested
from understudy.typing import FloatArray

#: [m] no two parts of a library posture are nearer than this.
LEAST_GAP_M = 0.002
RECIPES_FILE, SOLVED_FILE = "posture_recipes.toml", "postures.json"


def posture_names() -> tuple[str, ...]:
    """Names of all postures."""
    return tuple(_tables())


def posture_about(name: str) -> str:
    """One line on a posture."""
    return str(_table(name).get("about", ""))


def needs_seat(name: str) -> bool:
    """Whether a posture sits on something."""
    table = _table(name)
    if table.get("seat"):
        return True
    base = table.get("from") or table.get("mirror_of")
    return base is not None and needs_seat(str(base))


def posture(name: str, *, person: Person | Skeleton | None = None) -> Pose:
    """A named posture, on the floor, free of self collision (2 mm at least) and within joint limits.

    Args:
        name: One of :func:`posture_names`.
        person: Proportions, or any humanoid skeleton; by default an average adult.

    Raises:
        OptionError: No such posture (the nearest is named).
        SkeletonError: The skeleton is not humanoid.
    """
    _table(name)
    skeleton = person if isinstance(person, Skeleton) else (person or Person()).skeleton()
    skeleton.require_humanoid()
    body = fit_body(skeleton)
    pose = grounded(_transferred(skeleton, _solved()[name]), body)
    fits = float(self_gaps(body, strict_pairs(body), pose_world(pose)).min()) >= LEAST_GAP_M
    if not fits or float(body.limits.excess(pose.rotations).max()) > 1e-9:
        pose = solved_posture(name, skeleton, start=pose)[0]
    return rested(pose, body) if _table(name).get("rests") else pose


def solved_posture(name: str, skeleton: Skeleton, *, start: Pose | None = None) -> tuple[Pose, float]:
    """Solve a posture's recipe on a skeleton, as the tool does; the pose and its least gap [m]."""
    table = _table(name)
    if "mirror_of" not in table:
        recipe = recipes()[name]
        base = solved_posture(recipe.base, skeleton)[0] if recipe.base and start is None else None
        return solve_recipe(recipe, skeleton, base=base, start=start)
    begin = None if start is None else mirrored_pose(start)
    pose, gap = solved_posture(table["mirror_of"], skeleton, start=begin)
    return mirrored_pose(pose), gap


def mirrored_pose(pose: Pose) -> Pose:
    """The mirror image of a pose."""
    return mirrored(from_poses([pose], fps=1.0)).pose(0)


@lru_cache(maxsize=1)
def recipes() -> Mapping[str, Recipe]:
    """All recipes that are not mirror images, in the order of the file."""
    found: dict[str, Recipe] = {}
    for name, table in _tables().items():
        if "mirror_of" not in table:
            found[name] = read_recipe(name, table)
    return MappingProxyType(found)


def _transferred(skeleton: Skeleton, turns: Mapping[str, list[float]]) -> Pose:
    """Stored rotations on a skeleton; a joint it lacks is added to the nearest one above."""
    anatomical = rot.identity((len(skeleton),))
    for role in ROLE_PARENTS:
        if role not in turns:
            continue
        owner: str | None = role
        while owner is not None and owner not in skeleton.humanoid:
            owner = ROLE_PARENTS[owner]
        joint = 0 if owner is None else skeleton.humanoid[owner]
        anatomical[joint] = rot.multiply(anatomical[joint], rot.exp(np.array(turns[role])))
    rotations: FloatArray = local_rotations(skeleton, anatomical)
    return Pose(skeleton=skeleton, root_position=np.zeros(3), rotations=rotations)


def _table(name: str) -> Mapping[str, str]:
    if name not in _tables():
        raise OptionError(f'unknown posture "{name}"; {nearest_name(name, _tables())}')
    return _tables()[name]


@lru_cache(maxsize=1)
def _tables() -> Mapping[str, Mapping[str, str]]:
    text = files("understudy.performer").joinpath(RECIPES_FILE).read_text(encoding="utf-8")
    return MappingProxyType(tomllib.loads(text))


@lru_cache(maxsize=1)
def _solved() -> Mapping[str, Mapping[str, list[float]]]:
    text = files("understudy.performer").joinpath(SOLVED_FILE).read_text(encoding="utf-8")
    return MappingProxyType(json.loads(text))
