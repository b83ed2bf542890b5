"""The stage: shapes, objects that stand, move, swing or are carried, characters, tasks, scene files."""

from understudy.scene.attachments import Attachment, Carry
from understudy.scene.characters import Character
from understudy.scene.contacts import FLOOR, ContactRule, contact_rules
from understudy.scene.meshes import load_mesh
from understudy.scene.objects import Handle, SceneObject
from understudy.scene.placements import Hinge, Placement, Static, Track
from understudy.scene.scene import Scene
from understudy.scene.scene_file import load_scene, save_scene
from understudy.scene.shapes import Box, Capsule, ConvexHull, Cylinder, HalfSpace, Mesh, Shape, Sphere
from understudy.scene.state import HandlePose, SceneState
from understudy.scene.tasks import KINDS, Task, TaskKind, add_kind
from understudy.scene.transforms import Transform

__all__ = [
    "FLOOR",
    "KINDS",
    "Attachment",
    "Box",
    "Capsule",
    "Carry",
    "Character",
    "ContactRule",
    "ConvexHull",
    "Cylinder",
    "HalfSpace",
    "Handle",
    "HandlePose",
    "Hinge",
    "Mesh",
    "Placement",
    "Scene",
    "SceneObject",
    "SceneState",
    "Shape",
    "Sphere",
    "Static",
    "Task",
    "TaskKind",
    "Track",
    "Transform",
    "add_kind",
    "contact_rules",
    "load_mesh",
    "load_scene",
    "save_scene",
]
