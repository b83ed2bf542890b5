"""Ask how much room a pose has, and whether a reach from one pose to another is free."""

import understudy as us
from understudy import rotations as rot
from understudy.collision import Checker, CollisionBody, World
from understudy.scene import Box

walk = us.builtin_clips("walk")[0]
standing = walk.pose(len(walk) // 2)
x, _, z = standing.root_position
scene = us.Scene(floor=False).with_object("shelf", Box(size_m=(0.9, 0.04, 0.3)), position=(x, 1.2, z + 0.55))
checker = Checker(CollisionBody(us.fit_body(walk.skeleton)), World.from_scene(scene))

nearest = checker.distances(standing.rotations, standing.root_position).scene
print(f"nearest to the scene: {nearest.capsule} - {nearest.other}, {100 * nearest.distance_m:.1f} cm apart")

raised = standing.with_rotation("rightUpperArm", rot.from_yaw(1.4))
sweep = checker.segment_is_free(standing, raised, limb="right_arm", find_first=True)
print("the arm may swing up:", sweep.free)
if sweep.pair is not None and sweep.contact is not None:
    part, thing = sweep.pair
    print(f"its {part} meets the {thing} after {sweep.contact:.0%} of the way")
