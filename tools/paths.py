"""Where the tools are. Standard library only: it is imported before the virtual environment exists."""

from __future__ import annotations

import os
from pathlib import Path

from tools import spec

REPOSITORY = Path(__file__).parent.parent


def root() -> Path:
    """Folder of everything built: $SKYFLEET_TOOLS, else `.tools` of this checkout."""
    return Path(os.environ.get("SKYFLEET_TOOLS") or REPOSITORY / ".tools").absolute()


def bin_dir() -> Path:
    """Folder of the binaries, to be put first on PATH."""
    return root() / "bin"


def binary(name: str) -> Path:
    """Path of a binary of tools.toml; it need not exist yet, see tools.placed.missing."""
    every = (binary for group in ("", *spec.groups()) for binary in spec.binaries(group))
    return _place(tuple(every), name)


def share(name: str) -> Path:
    """Path of a data entry of tools.toml (for example "kueue-crds")."""
    return _place(spec.data(), name)


def plugins() -> Path:
    """Folder with Pulumi's plugins as $PULUMI_HOME/plugins has them."""
    return root() / "pulumi-home" / "plugins"


def _place(items: tuple[spec.Item, ...], name: str) -> Path:
    for item in items:
        if item.name == name:
            return root() / item.place
    raise LookupError(f"tools.toml has no {name}; it has {', '.join(item.name for item in items)}")
