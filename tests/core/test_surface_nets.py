"""Surface nets against shapes whose surface is known."""

from __future__ import annotations

import numpy as np
import pytest

from understudy.core.skin.surface_nets import surface_nets


def ball(radius: float, size: int = 24) -> np.ndarray:
    axis = np.arange(size) - 0.5 * (size - 1)
    x, y, z = np.meshgrid(axis, axis, axis, indexing="ij")
    return np.sqrt(x**2 + y**2 + z**2) - radius


@pytest.mark.parametrize("radius", [4.3, 6.0, 9.7])
def test_ball(radius: float) -> None:
    vertices, faces = surface_nets(ball(radius))
    centred = vertices - 11.5
    np.testing.assert_allclose(np.linalg.norm(centred, axis=1), radius, atol=0.25)
    corners = centred[faces]
    volume = np.einsum("ij,ij->i", np.cross(corners[:, 0], corners[:, 1]), corners[:, 2]).sum() / 6
    assert volume == pytest.approx(4 / 3 * np.pi * radius**3, rel=0.12)
    edges = {tuple(edge) for face in faces.tolist() for edge in zip(face, face[1:] + face[:1], strict=True)}
    assert edges == {(b, a) for a, b in edges}
    # A closed surface without holes (Euler): V - E + F = 2.
    assert len(vertices) - len(edges) // 2 + len(faces) == 2


def test_flat_field_gives_flat_surface() -> None:
    height = np.broadcast_to(np.arange(8.0) - 3.3, (6, 6, 8))
    vertices, faces = surface_nets(np.pad(height, 1, constant_values=9.0)[:, :, 1:-1])
    top = np.abs(vertices[:, 2] - 3.3) < 1e-9
    assert top.sum() >= 25
    assert len(faces) > 0
