"""What this machine lacks for a real node: everything at once, each with its remedy. `python -m sim.node.needs` says it."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from pathlib import Path

PACKAGES = {
    "apt-get": "apt",
    "dpkg": "dpkg",
    "nsenter": "util-linux",
    "perl": "perl",
    "unshare": "util-linux",
}
"""Program -> Debian package that has it."""
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
TUNNEL = Path("/dev/net/tun")


def lacks() -> list[str]:
    """Empty where a real node can run."""
    if sys.platform != "linux":
        return [f"a real node needs Linux, this is {sys.platform}; everything but --real-node works without it"]
    return [*_rights(), *_architecture(), *_tunnel(), *_programs()]


def _rights() -> list[str]:
    if os.geteuid() == 0:
        return []
    return ["a real node needs root, since a kubelet mounts volumes; leave out --real-node: all else works without it"]


def _architecture() -> list[str]:
    machine = platform.machine()
    return (
        []
        if machine == "x86_64"
        else [f"a real node is built for x86_64 only, this is {machine}; leave out --real-node"]
    )


def _tunnel() -> list[str]:
    return (
        [] if TUNNEL.exists() else [f"{TUNNEL} is missing, through which a real node has its network; `modprobe tun`"]
    )


def _programs() -> list[str]:
    missing = {package for program, package in PACKAGES.items() if shutil.which(program) is None}
    if not KEYRING.exists():
        missing.add("debian-archive-keyring")
    return [f"a real node needs `apt-get install {' '.join(sorted(missing))}`"] if missing else []


if __name__ == "__main__":
    sys.exit("\n".join(lacks()) or 0)
