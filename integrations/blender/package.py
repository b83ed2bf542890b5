"""Zip the add-on for Blender: ``python integrations/blender/package.py [-o FOLDER]``."""

from __future__ import annotations

import argparse
import tomllib
import zipfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parent / "understudy_blender"
#: A date zip files can hold, the same for every file: the same source gives the same bytes.
_DATE = (2026, 1, 1, 0, 0, 0)


def packaged(folder: Path) -> Path:
    """Write ``understudy_blender-VERSION.zip`` into a folder and return its path."""
    manifest = tomllib.loads((SOURCE / "blender_manifest.toml").read_text("utf-8"))
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{manifest['id']}-{manifest['version']}.zip"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted([*SOURCE.glob("*.py"), SOURCE / "blender_manifest.toml"]):
            archive.writestr(zipfile.ZipInfo(path.name, _DATE), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return target


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=Path("dist"), help="folder for the zip file")
    print(packaged(parser.parse_args().output))
