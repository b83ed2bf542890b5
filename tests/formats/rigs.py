"""Skeletons of the common rigs as outlines, each joint with the role it should be taken for.

``name = role`` is a joint with its role, ``>`` goes on down the chain, indentation opens a branch. A block of
lines holding ``@`` is written twice, ``@`` standing for the rig's word for left and right, ``~`` for the role's.
"""

from __future__ import annotations

_MIXAMO_FINGERS = "\n".join(
    f"      @Hand{name}1=~{finger}{bones[0]} > @Hand{name}2=~{finger}{bones[1]} > @Hand{name}3=~{finger}{bones[2]}"
    f" > @Hand{name}4"
    for name, finger, bones in (
        ("Thumb", "Thumb", ("Metacarpal", "Proximal", "Distal")),
        ("Index", "Index", ("Proximal", "Intermediate", "Distal")),
        ("Middle", "Middle", ("Proximal", "Intermediate", "Distal")),
        ("Ring", "Ring", ("Proximal", "Intermediate", "Distal")),
        ("Pinky", "Little", ("Proximal", "Intermediate", "Distal")),
    )
)

#: Rig -> (its words for left and right, outline).
OUTLINES: dict[str, tuple[str, str, str]] = {
    "cmu": (
        "Left",
        "Right",
        """
Hips=hips
  LHipJoint > LeftUpLeg=leftUpperLeg > LeftLeg=leftLowerLeg > LeftFoot=leftFoot > LeftToeBase=leftToes
  RHipJoint > RightUpLeg=rightUpperLeg > RightLeg=rightLowerLeg > RightFoot=rightFoot > RightToeBase=rightToes
  LowerBack=spine > Spine=chest > Spine1=upperChest
    Neck=neck > Neck1 > Head=head
    LeftShoulder=leftShoulder > LeftArm=leftUpperArm > LeftForeArm=leftLowerArm > LeftHand=leftHand
      LeftFingerBase > LeftHandIndex1
      LThumb
    RightShoulder=rightShoulder > RightArm=rightUpperArm > RightForeArm=rightLowerArm > RightHand=rightHand
      RightFingerBase > RightHandIndex1
      RThumb
""",
    ),
    "acclaim": (
        "l",
        "r",
        """
root=hips
  @hipjoint > @femur=~UpperLeg > @tibia=~LowerLeg > @foot=~Foot > @toes=~Toes
  lowerback=spine > upperback=chest > thorax=upperChest
    lowerneck=neck > upperneck > head=head
    @clavicle=~Shoulder > @humerus=~UpperArm > @radius=~LowerArm > @wrist=~Hand > @hand > @fingers
""",
    ),
    "lafan1": (
        "Left",
        "Right",
        """
Hips=hips
  @UpLeg=~UpperLeg > @Leg=~LowerLeg > @Foot=~Foot > @Toe=~Toes
  Spine=spine > Spine1=chest > Spine2=upperChest
    Neck=neck > Head=head
    @Shoulder=~Shoulder > @Arm=~UpperArm > @ForeArm=~LowerArm > @Hand=~Hand
""",
    ),
    "mixamo": (
        "Left",
        "Right",
        f"""
Hips=hips
  Spine=spine > Spine1=chest > Spine2=upperChest
    Neck=neck > Head=head > HeadTop_End
    @Shoulder=~Shoulder > @Arm=~UpperArm > @ForeArm=~LowerArm > @Hand=~Hand
{_MIXAMO_FINGERS}
  @UpLeg=~UpperLeg > @Leg=~LowerLeg > @Foot=~Foot > @ToeBase=~Toes > @Toe_End
""",
    ),
    "rokoko": (
        "Left",
        "Right",
        """
Hips=hips
  Spine1=spine > Spine2 > Spine3=chest > Spine4=upperChest
    Neck=neck > Head=head
    @Shoulder=~Shoulder > @Arm=~UpperArm > @ForeArm=~LowerArm > @Hand=~Hand
      @Finger1Metacarpal=~ThumbMetacarpal > @Finger1Proximal=~ThumbProximal > @Finger1Distal=~ThumbDistal
      @Finger2Metacarpal > @Finger2Proximal=~IndexProximal > @Finger2Medial=~IndexIntermediate
      @Finger5Metacarpal > @Finger5Proximal=~LittleProximal > @Finger5Medial=~LittleIntermediate
  @Thigh=~UpperLeg > @Shin=~LowerLeg > @Foot=~Foot > @Toe=~Toes > @ToeTip
""",
    ),
    "biovision": (
        "Left",
        "Right",
        """
Hips=hips
  @Hip=~UpperLeg > @Knee=~LowerLeg > @Ankle=~Foot > @Toe=~Toes
  Chest=spine
    @Collar=~Shoulder > @Shoulder=~UpperArm > @Elbow=~LowerArm > @Wrist=~Hand
    Neck=neck > Head=head
""",
    ),
    "poser": (
        "l",
        "r",
        """
hip=hips
  abdomen=spine > chest=chest
    neck=neck > head=head
    @Collar=~Shoulder > @Shldr=~UpperArm > @ForeArm=~LowerArm > @Hand=~Hand
      @Thumb1=~ThumbMetacarpal > @Thumb2=~ThumbProximal > @Thumb3=~ThumbDistal
      @Mid1=~MiddleProximal > @Mid2=~MiddleIntermediate > @Mid3=~MiddleDistal
  @Buttock > @Thigh=~UpperLeg > @Shin=~LowerLeg > @Foot=~Foot > @Toe=~Toes
""",
    ),
    "genesis 8": (
        "l",
        "r",
        """
hip=hips
  pelvis
    @ThighBend=~UpperLeg > @ThighTwist > @Shin=~LowerLeg > @Foot=~Foot > @Metatarsals > @Toe=~Toes
  abdomenLower=spine > abdomenUpper > chestLower=chest > chestUpper=upperChest
    @Collar=~Shoulder > @ShldrBend=~UpperArm > @ShldrTwist > @ForearmBend=~LowerArm > @ForearmTwist > @Hand=~Hand
    neckLower=neck > neckUpper > head=head
""",
    ),
    "rigify": (
        "L",
        "R",
        """
spine=hips
  spine.001=spine > spine.002=chest > spine.003=upperChest
    spine.004=neck > spine.005 > spine.006=head
    shoulder.@=~Shoulder > upper_arm.@=~UpperArm > forearm.@=~LowerArm > hand.@=~Hand
      palm.01.@ > f_index.01.@=~IndexProximal > f_index.02.@=~IndexIntermediate > f_index.03.@=~IndexDistal
      thumb.01.@=~ThumbMetacarpal > thumb.02.@=~ThumbProximal > thumb.03.@=~ThumbDistal
  pelvis.@
  thigh.@=~UpperLeg > shin.@=~LowerLeg > foot.@=~Foot > toe.@=~Toes
""",
    ),
    "rigify deform bones": (
        "L",
        "R",
        """
DEF-spine=hips
  DEF-spine.001=spine > DEF-spine.002=chest > DEF-spine.003=upperChest
    DEF-spine.004=neck > DEF-spine.005 > DEF-spine.006=head
    DEF-shoulder.@=~Shoulder > DEF-upper_arm.@=~UpperArm > DEF-upper_arm.@.001
      DEF-forearm.@=~LowerArm > DEF-forearm.@.001 > DEF-hand.@=~Hand
  DEF-thigh.@=~UpperLeg > DEF-thigh.@.001
    DEF-shin.@=~LowerLeg > DEF-shin.@.001 > DEF-foot.@=~Foot > DEF-toe.@=~Toes
""",
    ),
    "blender with underscores": (
        "L",
        "R",
        """
hips=hips
  spine=spine > chest=chest
    neck=neck > head=head
    shoulder_@=~Shoulder > upper_arm_@=~UpperArm > forearm_@=~LowerArm > hand_@=~Hand
  thigh_@=~UpperLeg > shin_@=~LowerLeg > foot_@=~Foot > toe_@=~Toes
""",
    ),
    "smpl": (
        "L",
        "R",
        """
Pelvis=hips
  @_Hip=~UpperLeg > @_Knee=~LowerLeg > @_Ankle=~Foot > @_Foot=~Toes
  Spine1=spine > Spine2=chest > Spine3=upperChest
    Neck=neck > Head=head
    @_Collar=~Shoulder > @_Shoulder=~UpperArm > @_Elbow=~LowerArm > @_Wrist=~Hand > @_Hand
""",
    ),
    "smpl-x": (
        "left",
        "right",
        """
pelvis=hips
  @_hip=~UpperLeg > @_knee=~LowerLeg > @_ankle=~Foot > @_foot=~Toes
  spine1=spine > spine2=chest > spine3=upperChest
    neck=neck > head=head > jaw
    @_collar=~Shoulder > @_shoulder=~UpperArm > @_elbow=~LowerArm > @_wrist=~Hand
      @_index1=~IndexProximal > @_index2=~IndexIntermediate > @_index3=~IndexDistal
      @_thumb1=~ThumbMetacarpal > @_thumb2=~ThumbProximal > @_thumb3=~ThumbDistal
""",
    ),
    "unreal": (
        "l",
        "r",
        """
root > pelvis=hips
  spine_01=spine > spine_02=chest > spine_03=upperChest
    clavicle_@=~Shoulder > upperarm_@=~UpperArm
      upperarm_twist_01_@
      lowerarm_@=~LowerArm
        lowerarm_twist_01_@
        hand_@=~Hand
          thumb_01_@=~ThumbMetacarpal > thumb_02_@=~ThumbProximal > thumb_03_@=~ThumbDistal
          index_01_@=~IndexProximal > index_02_@=~IndexIntermediate > index_03_@=~IndexDistal
    neck_01=neck > head=head
  thigh_@=~UpperLeg
    thigh_twist_01_@
    calf_@=~LowerLeg > foot_@=~Foot > ball_@=~Toes
""",
    ),
    "vroid": (
        "L",
        "R",
        """
Root > J_Bip_C_Hips=hips
  J_Bip_C_Spine=spine > J_Bip_C_Chest=chest > J_Bip_C_UpperChest=upperChest
    J_Bip_C_Neck=neck > J_Bip_C_Head=head
      J_Sec_Hair1_01 > J_Sec_Hair1_02
    J_Bip_@_Shoulder=~Shoulder > J_Bip_@_UpperArm=~UpperArm > J_Bip_@_LowerArm=~LowerArm > J_Bip_@_Hand=~Hand
      J_Bip_@_Thumb1=~ThumbMetacarpal > J_Bip_@_Thumb2=~ThumbProximal > J_Bip_@_Thumb3=~ThumbDistal
      J_Bip_@_Little1=~LittleProximal > J_Bip_@_Little2=~LittleIntermediate > J_Bip_@_Little3=~LittleDistal
  J_Bip_@_UpperLeg=~UpperLeg > J_Bip_@_LowerLeg=~LowerLeg > J_Bip_@_Foot=~Foot > J_Bip_@_ToeBase=~Toes
""",
    ),
    "vrm": (
        "left",
        "right",
        """
hips=hips
  spine=spine > chest=chest > upperChest=upperChest
    neck=neck > head=head
    @Shoulder=~Shoulder > @UpperArm=~UpperArm > @LowerArm=~LowerArm > @Hand=~Hand
      @ThumbMetacarpal=~ThumbMetacarpal > @ThumbProximal=~ThumbProximal > @ThumbDistal=~ThumbDistal
      @IndexProximal=~IndexProximal > @IndexIntermediate=~IndexIntermediate > @IndexDistal=~IndexDistal
  @UpperLeg=~UpperLeg > @LowerLeg=~LowerLeg > @Foot=~Foot > @Toes=~Toes
""",
    ),
    "unity": (
        "Left",
        "Right",
        """
Hips=hips
  Spine=spine > Chest=chest > UpperChest=upperChest
    Neck=neck > Head=head
    @ Shoulder=~Shoulder > @ UpperArm=~UpperArm > @ LowerArm=~LowerArm > @ Hand=~Hand
      @ Thumb Proximal=~ThumbMetacarpal > @ Thumb Intermediate=~ThumbProximal > @ Thumb Distal=~ThumbDistal
      @ Index Proximal=~IndexProximal > @ Index Intermediate=~IndexIntermediate > @ Index Distal=~IndexDistal
  @ UpperLeg=~UpperLeg > @ LowerLeg=~LowerLeg > @ Foot=~Foot > @ Toes=~Toes
""",
    ),
    # Old Biped hangs the thighs on the spine and the collar bones on the neck.
    "biped": (
        "L",
        "R",
        """
Bip01 > Bip01 Pelvis=hips > Bip01 Spine=spine
  Bip01 Spine1=chest > Bip01 Spine2=upperChest > Bip01 Neck=neck
    Bip01 Head=head > Bip01 HeadNub
    Bip01 @ Clavicle=~Shoulder > Bip01 @ UpperArm=~UpperArm > Bip01 @ Forearm=~LowerArm > Bip01 @ Hand=~Hand
      Bip01 @ Finger0=~ThumbMetacarpal > Bip01 @ Finger01=~ThumbProximal > Bip01 @ Finger02=~ThumbDistal
      Bip01 @ Finger1=~IndexProximal > Bip01 @ Finger11=~IndexIntermediate > Bip01 @ Finger12=~IndexDistal
  Bip01 @ Thigh=~UpperLeg > Bip01 @ Calf=~LowerLeg > Bip01 @ Foot=~Foot > Bip01 @ Toe0=~Toes
""",
    ),
    "xsens": (
        "Left",
        "Right",
        """
Pelvis=hips
  L5=spine > L3 > T12=chest > T8=upperChest
    Neck=neck > Head=head
    @Shoulder=~Shoulder > @UpperArm=~UpperArm > @ForeArm=~LowerArm > @Hand=~Hand
  @UpperLeg=~UpperLeg > @LowerLeg=~LowerLeg > @Foot=~Foot > @Toe=~Toes
""",
    ),
    "makehuman": (
        "L",
        "R",
        """
root=hips
  pelvis.@ > upperleg01.@=~UpperLeg > upperleg02.@ > lowerleg01.@=~LowerLeg > lowerleg02.@ > foot.@=~Foot
  spine05=spine > spine04 > spine03=chest > spine02 > spine01=upperChest
    clavicle.@=~Shoulder > shoulder01.@ > upperarm01.@=~UpperArm > upperarm02.@ > lowerarm01.@=~LowerArm > wrist.@=~Hand
      finger1-1.@=~ThumbMetacarpal > finger1-2.@=~ThumbProximal > finger1-3.@=~ThumbDistal
      metacarpal1.@ > finger2-1.@=~IndexProximal > finger2-2.@=~IndexIntermediate > finger2-3.@=~IndexDistal
    neck01=neck > neck02 > neck03 > head=head
""",
    ),
    "reallusion": (
        "L",
        "R",
        """
CC_Base_BoneRoot > CC_Base_Hip=hips
  CC_Base_Pelvis
    CC_Base_@_Thigh=~UpperLeg > CC_Base_@_Calf=~LowerLeg > CC_Base_@_Foot=~Foot > CC_Base_@_ToeBase=~Toes
  CC_Base_Waist=spine > CC_Base_Spine01=chest > CC_Base_Spine02=upperChest
    CC_Base_NeckTwist01=neck > CC_Base_NeckTwist02 > CC_Base_Head=head
    CC_Base_@_Clavicle=~Shoulder > CC_Base_@_Upperarm=~UpperArm > CC_Base_@_Forearm=~LowerArm > CC_Base_@_Hand=~Hand
""",
    ),
    "studio joints": (
        "l",
        "r",
        """
root_jnt > pelvis_jnt=hips
  spine_01_jnt=spine > spine_02_jnt=chest
    neck_jnt=neck > head_jnt=head
    @_clavicle_jnt=~Shoulder > @_upperarm_jnt=~UpperArm > @_forearm_jnt=~LowerArm > @_hand_jnt=~Hand
  @_thigh_jnt=~UpperLeg > @_shin_jnt=~LowerLeg > @_foot_jnt=~Foot > @_toe_jnt=~Toes
""",
    ),
}


def rig(name: str) -> tuple[list[str], list[int], dict[str, int]]:
    """Joint names, parents and expected roles of a rig."""
    left, right, outline = OUTLINES[name]
    return _read(_both_sides(outline, left, right))


def _both_sides(outline: str, left: str, right: str) -> list[str]:
    written: list[str] = []
    block: list[str] = []
    for line in [*outline.splitlines(), ""]:
        deeper = bool(block) and _indent(line) > _indent(block[0])
        if "@" in line and (deeper or not block):
            block.append(line)
            continue
        for word, role in ((left, "left"), (right, "right")):
            written += [text.replace("@", word).replace("~", role) for text in block]
        block = [line] if "@" in line else []
        written += [] if block else [line]
    return [line for line in written if line.strip()]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _read(lines: list[str]) -> tuple[list[str], list[int], dict[str, int]]:
    names: list[str] = []
    parents: list[int] = []
    roles: dict[str, int] = {}
    above: list[tuple[int, int]] = []
    for line in lines:
        indent = _indent(line)
        while above and above[-1][0] >= indent:
            above.pop()
        parent = above[-1][1] if above else -1
        for item in line.split(">"):
            name, _, role = item.strip().partition("=")
            names.append(name)
            parents.append(parent)
            parent = len(names) - 1
            if role:
                roles[role] = parent
        above.append((indent, parent))
    return names, parents, roles
