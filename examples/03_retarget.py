"""Put a walk on a smaller person; the feet stay where they step."""

import understudy as us
from understudy.inspection import foot_contacts, stance_drift_m

walk = us.builtin_clips("walk")[0]
child = walk.skeleton.scaled(0.7)
result = us.retarget(walk, child)

drift = stance_drift_m(result.motion, foot_contacts(result.motion))
print(f"{result.status.value} {result.reason}".strip())
print(f"scale {result.trace.scale:.2f}, ankles within {1000 * result.trace.foot_error_m:.2f} mm of their targets")
print(f"largest slide of a planted foot {1000 * max(d.max() for d in drift.values()):.1f} mm")
