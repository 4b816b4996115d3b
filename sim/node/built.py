"""What a real node is made of, built once and kept beside the tools: its file system and the images of its pods."""

from __future__ import annotations

from pathlib import Path

from tools import paths

LIBRARIES = "usr/lib/x86_64-linux-gnu"
LOADER = "ld-linux-x86-64.so.2"


def folder() -> Path:
    return paths.root() / "node"


def root() -> Path:
    """File system of a node, only read."""
    return folder() / "root"


def images() -> Path:
    """OCI image layout with every image that its pods may ask for."""
    return folder() / "images"


def program(name: str) -> list[str]:
    """A command that runs a program of the node's file system on this machine, which need not have it installed."""
    libraries = root() / LIBRARIES
    return [str(libraries / LOADER), "--library-path", str(libraries), str(root() / "usr/bin" / name)]
