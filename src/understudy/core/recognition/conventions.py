"""How the rigs of the world spell their joints, as data.

A *convention* gives, for each body part, the stems it may be spelled with. Stems are folded: lower case,
letters and digits only. ``SIDE_SPELLINGS`` says how a stem is dressed for the left and the right, in every
convention, so ``"arm"`` stands for ``LeftArm``, ``arm.L``, ``L_Arm`` and the like. The spine is not listed
anywhere: it is read from the tree, whatever its joints are called.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

#: How a stem is dressed for a side; ``""`` is the midline.
SIDE_SPELLINGS: Mapping[str, tuple[str, ...]] = {
    "": ("{}", "c{}"),
    "left": ("left{}", "l{}", "{}left", "{}l"),
    "right": ("right{}", "r{}", "{}right", "{}r"),
}

#: Prefixes glued to a name without a separator, which a reading may take off (regular expressions, folded).
GLUED_PREFIXES: tuple[str, ...] = (r"mixamorig\d*", r"bip\d+", r"character\d*", r"ccbase", r"valvebipedbip\d+")

#: Last words that only say "this is a joint".
IDLE_SUFFIXES: frozenset[str] = frozenset({"jnt", "joint", "jt", "bone", "bn", "bind", "skin"})

#: Names of end points, which are not joints of the body.
END_WORDS: tuple[str, ...] = ("end", "tip", "nub", "top", "site")

#: Parts on the midline, spelled like their role.
MIDLINE: tuple[str, ...] = ("hips", "neck", "head")

_LIMBS = ("UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot")
_THUMB = ("ThumbMetacarpal", "ThumbProximal", "ThumbDistal")
_OTHERS = [
    tuple(f"{finger}{bone}" for bone in ("Proximal", "Intermediate", "Distal"))
    for finger in ("Index", "Middle", "Ring", "Little")
]

#: Role -> folded spellings, best first.
Convention = Mapping[str, tuple[str, ...]]


def _rig(
    hips: str, collar: str, arm: str, leg: str, toes: str, fingers: str = "", *, neck: str = "neck", head: str = "head"
) -> Convention:
    """One way of spelling a humanoid; words are best first.

    ``arm`` and ``leg`` hold three parts split by ``/``; ``fingers`` five names, thumb first, then the endings of their
    bones from the base on, first the thumb's where they are not the others' (``-`` for none).
    """
    table = {"hips": hips, "neck": neck, "head": head, "Shoulder": collar, "Toes": toes}
    table |= dict(zip(_LIMBS, [*arm.split("/"), *leg.split("/")], strict=True))
    names, *endings = (part.split() for part in fingers.split("/"))
    for number, (name, parts) in enumerate(zip(names, (_THUMB, *_OTHERS), strict=False)):
        table |= {
            part: name + end.strip("-") for part, end in zip(parts, endings[0 if number == 0 else -1], strict=True)
        }
    return {
        side + part: tuple(form.format(stem) for stem, form in product(stems.split(), SIDE_SPELLINGS[side]))
        for part, stems in table.items()
        for side in (("",) if part in MIDLINE else ("left", "right"))
    }


# fmt: off
#: Tried in this order; on equal terms the earlier one wins.
CONVENTIONS: tuple[Convention, ...] = (
    # MotionBuilder, Mixamo, LAFAN1, CMU
    _rig("hips", "shoulder", "arm/forearm/hand", "upleg/leg/foot", "toebase toe toes",
         "handthumb handindex handmiddle handring handpinky/1 2 3"),
    # VRM 1.0
    _rig("hips", "shoulder", "upperarm/lowerarm/hand", "upperleg/lowerleg/foot", "toes toebase",
         "thumb index middle ring little/metacarpal proximal distal/proximal intermediate distal"),
    # VRM 0 and Unity
    _rig("hips", "shoulder", "upperarm/lowerarm/hand", "upperleg/lowerleg/foot", "toes",
         "thumb index middle ring little/proximal intermediate distal"),
    # VRoid
    _rig("hips", "shoulder", "upperarm/lowerarm/hand", "upperleg/lowerleg/foot", "toebase",
         "thumb index middle ring little/1 2 3"),
    # Rokoko
    _rig("hips hip", "shoulder", "arm/forearm/hand", "thigh/shin/foot", "toe toes",
         "finger1 finger2 finger3 finger4 finger5/metacarpal proximal distal/proximal medial distal"),
    # Biovision
    _rig("hips hip", "collar", "shoulder/elbow/wrist", "hip/knee/ankle", "toe toes toebase"),
    # SMPL
    _rig("pelvis hips root", "collar", "shoulder/elbow/wrist", "hip/knee/ankle", "foot",
         "thumb index middle ring pinky/1 2 3"),
    # CMU Acclaim: a bone called "wrist" starts at the wrist; the one called "hand" starts in the palm.
    _rig("root", "clavicle", "humerus/radius/wrist hand", "femur/tibia/foot", "toes", neck="lowerneck"),
    # Daz and Poser
    _rig("hip pelvis", "collar", "shldr shldrbend/forearm forearmbend/hand", "thigh thighbend/shin/foot", "toe toes",
         "thumb index mid ring pinky/1 2 3", neck="neck necklower"),
    # Rigify
    _rig("spine hips", "shoulder", "upperarm/forearm/hand", "thigh/shin/foot", "toe",
         "thumb findex fmiddle fring fpinky/01 02 03", neck="neck spine004", head="head spine006 spine005"),
    # Unreal
    _rig("pelvis", "clavicle", "upperarm/lowerarm/hand", "thigh/calf/foot", "ball toe",
         "thumb index middle ring pinky/01 02 03", neck="neck01 neck"),
    # Biped
    _rig("pelvis", "clavicle", "upperarm/forearm/hand", "thigh/calf/foot", "toe0 toe toebase",
         "finger0 finger1 finger2 finger3 finger4/- 1 2"),
    # MakeHuman
    _rig("root", "clavicle", "upperarm01/lowerarm01/wrist", "upperleg01/lowerleg01/foot", "toe11",
         "finger1 finger2 finger3 finger4 finger5/1 2 3", neck="neck01"),
    # Rigs that mix the vocabularies above, where every word still has one meaning.
    _rig("hips pelvis hip root", "clavicle collar collarbone shoulder",
         "upperarm uparm arm upperarm01/lowerarm forearm lowarm loarm lowerarm01/hand wrist hand01",
         "upperleg upleg thigh upperleg01/lowerleg lowleg loleg leg shin calf lowerleg01/foot ankle foot01",
         "toes toebase toe ball toe01", "thumb index middle ring pinky/1 2 3",
         neck="neck neck1 neck01 necklower necktwist01", head="head head1 head01"),
)
# fmt: on
