"""Where a motion file keeps its certificate: inside it where the format has room, else in a file beside it.

A certificate is a table of plain values whose meaning is the judge's; here it is put into files and taken out again.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from understudy.core.documents import json_values
from understudy.errors import FormatError, OptionError
from understudy.formats.atomic import replacing
from understudy.formats.gltf_document import GltfDocument, load_document, packed_glb
from understudy.formats.registry import BESIDE, format_of
from understudy.typing import PathLike

#: The key in a glTF's ``asset.extras`` and in a USD layer's custom data.
KEY = "understudy_certificate"

Values = dict[str, Any]


def beside(path: PathLike) -> Path:
    """The file that holds the certificate of a format without room for it."""
    target = Path(path)
    return target.with_name(target.name + BESIDE)


def put_certificate(path: PathLike, values: Values) -> Path:
    """Put a certificate into a motion file, or beside it.

    Returns:
        The file that holds it.
    """
    target = Path(path)
    kind = format_of(target).name
    if kind == "glb":
        _put_into_gltf(target, values)
        return target
    if kind == "usd":
        _put_into_usd(target, values)
        return target
    with replacing(beside(target)) as temporary:
        temporary.write_text(_text(values) + "\n", encoding="utf-8")
    return beside(target)


def find_certificate(path: PathLike) -> tuple[Values, str] | None:
    """The certificate in or beside a motion file and the name of where it was; ``None`` without one.

    Raises:
        FormatError: The file is missing or damaged.
        OptionError: The certificate is cut short or no JSON.
    """
    target = Path(path)
    if not target.is_file():
        raise FormatError("is a folder, not a motion file" if target.is_dir() else "no such file", path=target)
    kind = format_of(target).name
    if kind == "glb":
        found = _extras(load_document(target)).get(KEY)
        return None if found is None else (_table(found, target), str(target))
    if kind == "usd":
        text = _usd_layer(target).customLayerData.get(KEY)
        return None if text is None else (_parsed(str(text), target), str(target))
    place = beside(target)
    if not place.is_file():
        return None
    try:
        text = place.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise OptionError(f"{place}: the certificate cannot be read: {error}") from error
    return _parsed(text, place), str(place)


def made_from(path: PathLike) -> dict[str, tuple[str, ...]] | None:
    """Digests of the clips that each motion of a file was made from, by name, as its certificate says.

    ``None`` for a file without certificate: a stranger's recording. A certificate that cannot be read says at least
    that the motion was made.
    """
    try:
        found = find_certificate(path)
    except OptionError:
        return {"": ()}
    if found is None:
        return None
    motions, evidence = found[0].get("motions"), found[0].get("evidence")
    entries = [one for one in motions if isinstance(one, dict)] if isinstance(motions, list) else []
    made = [str(one.get("name", "")) for one in entries if one.get("kind", "made") == "made"]
    return {name: _digests(evidence, name) for name in made} or (None if entries else {"": ()})


def _digests(evidence: object, name: str) -> tuple[str, ...]:
    """Digests of a character's clips, as far as a certificate has them."""
    numbers = evidence.get(name) if isinstance(evidence, dict) else None
    clips = numbers.get("clips") if isinstance(numbers, dict) else None
    return tuple(str(one["sha256"]) for one in clips or () if isinstance(one, dict) and "sha256" in one)


def content_digest(path: PathLike) -> str:
    """The sha256 of everything in a motion file but its certificate."""
    target = Path(path)
    kind = format_of(target).name
    digest = hashlib.sha256()
    if kind == "glb":
        document = load_document(target)
        digest.update(_text(_without_certificate(document)).encode())
        digest.update(document.binary or b"")
        for buffer in document.entries("buffers"):
            uri = buffer.get("uri")
            if isinstance(uri, str) and not uri.startswith("data:"):
                digest.update(document.resource(uri, "buffer"))
    elif kind == "usd":
        from pxr import Sdf

        bare = Sdf.Layer.CreateAnonymous()
        bare.TransferContent(_usd_layer(target))
        bare.customLayerData = {key: one for key, one in bare.customLayerData.items() if key != KEY}
        # The layer's own comment names its file.
        digest.update(bare.ExportToString().encode())
    else:
        digest.update(target.read_bytes())
    return digest.hexdigest()


def _put_into_gltf(path: Path, values: Values) -> None:
    document = load_document(path)
    root = _without_certificate(document)
    asset = root["asset"]
    root["asset"] = {**asset, "extras": {**asset.get("extras", {}), KEY: values}}
    with replacing(path) as temporary:
        if path.suffix.lower() == ".gltf":
            temporary.write_text(json.dumps(root, allow_nan=False), encoding="utf-8")
        else:
            temporary.write_bytes(packed_glb(root, document.binary or b"", document.other_chunks))


def _extras(document: GltfDocument) -> Values:
    extras = document.root["asset"].get("extras", {})
    return extras if isinstance(extras, dict) else {}


def _without_certificate(document: GltfDocument) -> Values:
    asset = dict(document.root["asset"])
    extras = {key: one for key, one in _extras(document).items() if key != KEY}
    asset.pop("extras", None)
    return {**document.root, "asset": {**asset, "extras": extras} if extras else asset}


def _put_into_usd(path: Path, values: Values) -> None:
    from pxr import Sdf

    from understudy.formats.usd import refusing_damage

    changed = Sdf.Layer.CreateAnonymous()
    changed.TransferContent(_usd_layer(path))
    changed.customLayerData = {**changed.customLayerData, KEY: _text(values)}
    with replacing(path) as temporary, refusing_damage(path, "could not be written by USD"):
        if not changed.Export(str(temporary)):
            raise FormatError("USD could not write the file", path=path)


def _usd_layer(path: Path) -> Any:
    from understudy.formats.usd import require_pxr

    require_pxr("reading USD files")
    from pxr import Sdf, Tf

    try:
        # Anonymous, so that a file that has changed since is not taken from memory.
        layer = Sdf.Layer.OpenAsAnonymous(str(path))
    except Tf.ErrorException as error:
        raise FormatError("cannot be opened as USD", path=path) from error
    if layer is None:
        raise FormatError("cannot be opened as USD", path=path)
    return layer


def _text(values: Values) -> str:
    return json.dumps(values, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def _parsed(text: str, place: Path) -> Values:
    try:
        found = json_values(text, None, "certificate")
    except FormatError as error:
        raise OptionError(f"{place}: the certificate is cut short or damaged: {error}") from error
    return _table(found, place)


def _table(found: object, place: Path) -> Values:
    if not isinstance(found, dict):
        raise OptionError(f"{place}: the certificate is damaged: it must be a table")
    return found
