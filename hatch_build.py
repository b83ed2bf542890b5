"""What wheels carry besides the sources: compiled kernels, where ``UNDERSTUDY_KERNELS`` names a folder of them."""

from __future__ import annotations

import os
import sys
import sysconfig
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class KernelHook(BuildHookInterface):
    """Adds the folder, and says on which machines the wheel is to be installed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it builds a wheel."""
        folder = os.environ.get("UNDERSTUDY_KERNELS")
        if not folder:
            return
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["force_include"][folder] = "understudy/compiling/kernels"
        build_data["tag"] = f"cp{sys.version_info[0]}{sys.version_info[1]}-none-{platform}"
        build_data["pure_python"] = False
