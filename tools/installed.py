"""Tools that the machine has already, in the version we want."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from tools import paths, spec

PROBE_SECONDS = 20


def find(item: spec.Item, bundle: Path | None) -> Path | None:
    """File on this machine that serves as `item` as it is.

    `bundle` is the program that may bring it along, when that one was found on this machine itself.
    """
    if item.bundled_with and bundle is not None:
        return _existing(bundle.resolve().with_name(item.name))
    if isinstance(item, spec.Data):
        return None
    if item.name.startswith("pulumi-resource-"):
        return _existing(_pulumi_home() / Path(item.place).relative_to("pulumi-home"))
    return _on_path(item)


def _on_path(item: spec.Binary) -> Path | None:
    found = shutil.which(item.name, path=_path_without_ours()) if item.probe else None
    return Path(found) if found and _answers_with_version(found, item) else None


def _answers_with_version(program: str, item: spec.Binary) -> bool:
    try:
        answer = subprocess.run(
            [program, *item.probe], capture_output=True, text=True, timeout=PROBE_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):  # a program that cannot say its version is not the one we want
        return False
    return re.search(rf"(?<![\d.]){re.escape(item.number)}(?![\d.])", answer.stdout) is not None


def _path_without_ours() -> str:
    ours = str(paths.bin_dir())
    return os.pathsep.join(part for part in os.environ.get("PATH", "").split(os.pathsep) if part != ours)


def _pulumi_home() -> Path:
    return Path(os.environ.get("PULUMI_HOME") or Path.home() / ".pulumi")


def _existing(path: Path) -> Path | None:
    return path if path.exists() else None
