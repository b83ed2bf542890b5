"""Bodies and worlds as flat arrays, the form in which compiled kernels see them."""

from __future__ import annotations

from typing import NamedTuple

from understudy.typing import FloatArray, IntArray

#: Kinds of solid, column 0 of ``SolidArrays.kinds``.
SPHERE, CAPSULE, BOX, CYLINDER, HALF_SPACE, HULL, MESH = range(7)

#: Whom a capsule can meet, column 2 of ``SolidArrays.kinds``, and rows of a distance report.
SCENE, OTHERS, SELF = range(3)

#: Columns of ``SolidArrays.rows``: bounding sphere, pose (position, rotation matrix row by row), sizes, and the
#: bounding sphere's centre in the solid's own frame.
CENTRE, BOUND, PLACE, TURN, SIZE, MIDDLE, COLUMNS = 0, 3, 4, 7, 16, 19, 22

#: Columns of ``SolidArrays.meshes``.
NODE_START, NODE_END, PLANE_START, PLANE_END, EDGE_START, EDGE_END, CLOSED = range(7)


class SolidArrays(NamedTuple):
    """Solids at their poses.

    Attributes:
        rows: ``(solids, 22)`` see the columns above [m].
        kinds: ``(solids, 3)`` kind, row in ``meshes`` or -1, ``SCENE`` or ``OTHERS``.
        meshes: ``(meshes, 7)`` where a mesh or hull lies in the arrays below; last column 1 when closed.
        boxes: ``(nodes, 6)`` of the triangle trees (``_tree_kernels``).
        links: ``(nodes, 3)`` of the triangle trees.
        triangles: ``(triangles, 9)`` corners [m], in tree order.
        planes: ``(planes, 4)`` of hulls.
        edges: ``(edges, 12)`` of hulls (``_hull_kernels``).
    """

    rows: FloatArray
    kinds: IntArray
    meshes: IntArray
    boxes: FloatArray
    links: IntArray
    triangles: FloatArray
    planes: FloatArray
    edges: FloatArray


class BroadArrays(NamedTuple):
    """How to find the solids near a body.

    Attributes:
        boxes: ``(nodes, 6)`` tree of the still, bounded solids.
        links: ``(nodes, 3)`` of that tree.
        items: ``(still solids,)`` solids in tree order.
        always: Solids that move or have no bounds; looked at every time.
    """

    boxes: FloatArray
    links: IntArray
    items: IntArray
    always: IntArray


class TrackArrays(NamedTuple):
    """How solids move: keyed poses, positions interpolated linearly and rotations by slerp, held at both ends.

    Attributes:
        spans: ``(tracks, 3)`` solid, first key, one past its last key.
        times: ``(keys,)`` [s], increasing within a track.
        poses: ``(keys, 7)`` position [m] and quaternion wxyz.
    """

    spans: IntArray
    times: FloatArray
    poses: FloatArray


class BodyArrays(NamedTuple):
    """A body's capsules on its joints.

    Attributes:
        parents: ``(joints,)``.
        offsets: ``(joints, 3)`` [m].
        joints: ``(capsules,)`` carrying joint.
        ends: ``(capsules, 6)`` start and end in that joint's frame [m].
        radii: ``(capsules,)`` [m].
        bounds: ``(capsules,)`` [m] radius of the sphere about a capsule's middle that holds it.
        reach: ``(joints, capsules)`` [m] farthest the capsule's segment can be from a joint it hangs from; else 0.
    """

    parents: IntArray
    offsets: FloatArray
    joints: IntArray
    ends: FloatArray
    radii: FloatArray
    bounds: FloatArray
    reach: FloatArray


class Placed(NamedTuple):
    """A body in a pose.

    Attributes:
        at: ``(joints, 3)`` [m].
        turned: ``(joints, 4)``.
        segments: ``(capsules, 9)`` start, end and middle [m].
    """

    at: FloatArray
    turned: FloatArray
    segments: FloatArray


class PartArrays(NamedTuple):
    """Which part of a body a query moves and tests.

    Attributes:
        joints: Joints to place, parents first.
        capsules: Capsules to test against the world.
        pairs: ``(pairs, 2)`` capsules to test against each other.
        gaps: ``(pairs,)`` [m] distance of the pair's segments at which they count as touching.
        shared: ``(pairs,)`` lowest joint that both hang from.
    """

    joints: IntArray
    capsules: IntArray
    pairs: IntArray
    gaps: FloatArray
    shared: IntArray
