"""How the rigs of the world spell their joints, as data.

A *convention* gives, for each body part, the stems it may be spelled with. Stems are folded: lower case,
letters and digits only. ``SIDE_SPELLINGS`` says how a stem is dressed for the left and the right, in every
convention, so ``"arm"`` stands for ``LeftArm``, ``arm.L``, ``L_Arm`` and the like. The spine is not listed
anywhere: it is read from the tree, whatever its joints are called.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

#: How a stem is dressed for a side; ``""`` is the midline.
SIDE_SPELLINGS: Mapping[str, tuple[str, ...]] = {
    "": ("{}", "c{}"),
    "left": ("left{}", "l{}", "{}left", "{}l"),
    "right": ("right{}", "r{}", "{}right", "{}r"),
}

#: Prefixes glued to a name without a separator, which a reading may take off (regular expressions, folded).
GLUED_PREFIXES: tuple[str, ...] = (
    r"mixamorig\d*",
    r"bip\d+",
    r"character\d*",
    r"ccbase",
    r"valvebipedbip\d+",
)

#: Last words that only say "this is a joint".
IDLE_SUFFIXES: frozenset[str] = frozenset({"jnt", "joint", "jt", "bone", "bn", "bind", "skin"})

#: Names of end points, which are not joints of the body.
END_WORDS: tuple[str, ...] = ("end", "tip", "nub", "top", "site")

#: Parts on the midline, spelled like their role.
MIDLINE: tuple[str, ...] = ("hips", "neck", "head")

_THUMB = ("ThumbMetacarpal", "ThumbProximal", "ThumbDistal")
_INDEX = ("IndexProximal", "IndexIntermediate", "IndexDistal")
_MIDDLE = ("MiddleProximal", "MiddleIntermediate", "MiddleDistal")
_RING = ("RingProximal", "RingIntermediate", "RingDistal")
_LITTLE = ("LittleProximal", "LittleIntermediate", "LittleDistal")


def _fingers(*stems_of_finger: tuple[str, str, str]) -> dict[str, tuple[str, ...]]:
    """Part -> stems for thumb, index, middle, ring and little finger, base to tip."""
    chains = zip((_THUMB, _INDEX, _MIDDLE, _RING, _LITTLE), stems_of_finger, strict=True)
    return {part: (stem,) for parts, stems in chains for part, stem in zip(parts, stems, strict=True)}


def _counted(names: str, numbers: str = "1 2 3") -> dict[str, tuple[str, ...]]:
    """Fingers spelled as a name and a number, such as ``handindex`` + ``1``."""
    first, second, third = numbers.split()
    return _fingers(*((name + first, name + second, name + third) for name in names.split()))


@dataclass(frozen=True, kw_only=True)
class Convention:
    """One way of spelling a humanoid.

    Attributes:
        name: What people call it.
        stems: Body part (a midline role, or a role without its side) -> stems, best first.
        fingers: The same for fingers.
    """

    name: str
    stems: Mapping[str, tuple[str, ...]]
    fingers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def spellings(self) -> dict[str, tuple[str, ...]]:
        """Role -> folded spellings, best first."""
        table: dict[str, tuple[str, ...]] = {}
        for part, stems in {**self.stems, **self.fingers}.items():
            sides = ("",) if part in MIDLINE else ("left", "right")
            for side in sides:
                dressed = (form.format(stem) for stem in stems for form in SIDE_SPELLINGS[side])
                table[side + part] = tuple(dressed)
        return table


def _body(
    *, hips: str, shoulder: str, arm: str, leg: str, toes: str, neck: str = "neck", head: str = "head"
) -> dict[str, tuple[str, ...]]:
    """Stems of a body. Words are best first; ``arm`` and ``leg`` hold three parts split by ``/``."""
    parts = ("UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot")
    limbs = [*arm.split("/"), *leg.split("/")]
    table = {"hips": hips, "neck": neck, "head": head, "Shoulder": shoulder, "Toes": toes}
    table.update(zip(parts, limbs, strict=True))
    return {part: tuple(stems.split()) for part, stems in table.items()}


#: Tried in this order; on equal terms the earlier one wins.
CONVENTIONS: tuple[Convention, ...] = (
    Convention(
        name="MotionBuilder, Mixamo, LAFAN1, CMU",
        stems=_body(
            hips="hips",
            shoulder="shoulder",
            arm="arm/forearm/hand",
            leg="upleg/leg/foot",
            toes="toebase toe toes",
        ),
        fingers=_counted("handthumb handindex handmiddle handring handpinky"),
    ),
    Convention(
        name="VRM 1.0",
        stems=_body(
            hips="hips",
            shoulder="shoulder",
            arm="upperarm/lowerarm/hand",
            leg="upperleg/lowerleg/foot",
            toes="toes toebase",
        ),
        fingers=_fingers(
            ("thumbmetacarpal", "thumbproximal", "thumbdistal"),
            ("indexproximal", "indexintermediate", "indexdistal"),
            ("middleproximal", "middleintermediate", "middledistal"),
            ("ringproximal", "ringintermediate", "ringdistal"),
            ("littleproximal", "littleintermediate", "littledistal"),
        ),
    ),
    Convention(
        name="VRM 0 and Unity",
        stems=_body(
            hips="hips",
            shoulder="shoulder",
            arm="upperarm/lowerarm/hand",
            leg="upperleg/lowerleg/foot",
            toes="toes",
        ),
        fingers=_fingers(
            ("thumbproximal", "thumbintermediate", "thumbdistal"),
            ("indexproximal", "indexintermediate", "indexdistal"),
            ("middleproximal", "middleintermediate", "middledistal"),
            ("ringproximal", "ringintermediate", "ringdistal"),
            ("littleproximal", "littleintermediate", "littledistal"),
        ),
    ),
    Convention(
        name="VRoid",
        stems=_body(
            hips="hips",
            shoulder="shoulder",
            arm="upperarm/lowerarm/hand",
            leg="upperleg/lowerleg/foot",
            toes="toebase",
        ),
        fingers=_counted("thumb index middle ring little"),
    ),
    Convention(
        name="Rokoko",
        stems=_body(
            hips="hips hip",
            shoulder="shoulder",
            arm="arm/forearm/hand",
            leg="thigh/shin/foot",
            toes="toe toes",
        ),
        fingers=_fingers(
            ("finger1metacarpal", "finger1proximal", "finger1distal"),
            *((f"finger{number}proximal", f"finger{number}medial", f"finger{number}distal") for number in (2, 3, 4, 5)),
        ),
    ),
    Convention(
        name="Biovision",
        stems=_body(
            hips="hips hip",
            shoulder="collar",
            arm="shoulder/elbow/wrist",
            leg="hip/knee/ankle",
            toes="toe toes toebase",
        ),
    ),
    Convention(
        name="SMPL",
        stems=_body(
            hips="pelvis hips root",
            shoulder="collar",
            arm="shoulder/elbow/wrist",
            leg="hip/knee/ankle",
            toes="foot",
        ),
        fingers=_counted("thumb index middle ring pinky"),
    ),
    Convention(
        name="CMU Acclaim",
        stems=_body(
            hips="root",
            neck="lowerneck",
            shoulder="clavicle",
            # A bone called "wrist" starts at the wrist; the one called "hand" starts in the palm.
            arm="humerus/radius/wrist hand",
            leg="femur/tibia/foot",
            toes="toes",
        ),
    ),
    Convention(
        name="Daz and Poser",
        stems=_body(
            hips="hip pelvis",
            neck="neck necklower",
            shoulder="collar",
            arm="shldr shldrbend/forearm forearmbend/hand",
            leg="thigh thighbend/shin/foot",
            toes="toe toes",
        ),
        fingers=_counted("thumb index mid ring pinky"),
    ),
    Convention(
        name="Rigify",
        stems=_body(
            hips="spine hips",
            neck="neck spine004",
            head="head spine006 spine005",
            shoulder="shoulder",
            arm="upperarm/forearm/hand",
            leg="thigh/shin/foot",
            toes="toe",
        ),
        fingers=_counted("thumb findex fmiddle fring fpinky", "01 02 03"),
    ),
    Convention(
        name="Unreal",
        stems=_body(
            hips="pelvis",
            neck="neck01 neck",
            shoulder="clavicle",
            arm="upperarm/lowerarm/hand",
            leg="thigh/calf/foot",
            toes="ball toe",
        ),
        fingers=_counted("thumb index middle ring pinky", "01 02 03"),
    ),
    Convention(
        name="Biped",
        stems=_body(
            hips="pelvis",
            shoulder="clavicle",
            arm="upperarm/forearm/hand",
            leg="thigh/calf/foot",
            toes="toe0 toe toebase",
        ),
        fingers=_fingers(*((f"finger{number}", f"finger{number}1", f"finger{number}2") for number in range(5))),
    ),
    Convention(
        name="MakeHuman",
        stems=_body(
            hips="root",
            neck="neck01",
            shoulder="clavicle",
            arm="upperarm01/lowerarm01/wrist",
            leg="upperleg01/lowerleg01/foot",
            toes="toe11",
        ),
        fingers=_fingers(*((f"finger{number}1", f"finger{number}2", f"finger{number}3") for number in range(1, 6))),
    ),
    # Last: rigs that mix the vocabularies above, where every word still has one meaning.
    Convention(
        name="mixed",
        stems=_body(
            hips="hips pelvis hip root",
            neck="neck neck1 neck01 necklower necktwist01",
            head="head head1 head01",
            shoulder="clavicle collar collarbone shoulder",
            arm="upperarm uparm arm upperarm01/lowerarm forearm lowarm loarm lowerarm01/hand wrist hand01",
            leg="upperleg upleg thigh upperleg01/lowerleg lowleg loleg leg shin calf lowerleg01/foot ankle foot01",
            toes="toes toebase toe ball toe01",
        ),
        fingers=_counted("thumb index middle ring pinky"),
    ),
)
