"""What this machine needs for a simulation, said before any long work."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from sim import kueue
from sim.errors import MachineError
from tools import placed

MIB_PER_CLUSTER = 700
"""Measured with all parts idle: about 550 MiB for the control plane and 60 MiB for Kueue."""

ALLOW_NAMESPACES = (
    "`sudo sysctl -w kernel.unprivileged_userns_clone=1 user.max_user_namespaces=15000`, "
    "on Ubuntu 24.04 and later also `sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`"
)


def check(clusters_to_start: int) -> None:
    """Raise MachineError with every lack and its remedy, when there is any."""
    lacks = [*_system(), *_tools(), *_mounts(), *_memory(clusters_to_start)]
    if lacks:
        raise MachineError("\n".join(lacks))


def _system() -> list[str]:
    return (
        [] if sys.platform == "linux" else [f"a simulation needs Linux, this is {sys.platform}; use a virtual machine"]
    )


def _tools() -> list[str]:
    missing = placed.missing()
    return [f"not built yet: {', '.join(missing)}; run `make tools`"] if missing else []


def _mounts() -> list[str]:
    """Kueue needs an /etc of its own, see sim/kueue.py."""
    if shutil.which("unshare") is None or shutil.which("mount") is None:
        return [
            "unshare and mount are not on PATH; install util-linux (Debian, Ubuntu: `sudo apt-get install util-linux mount`)"
        ]
    trial = subprocess.run([*kueue.private_mounts(), "true"], capture_output=True, text=True, check=False)
    if trial.returncode == 0:
        return []
    command = " ".join(kueue.private_mounts())
    return [f"`{command}` fails ({trial.stderr.strip()}); run as root, or allow user namespaces: {ALLOW_NAMESPACES}"]


def _memory(clusters: int) -> list[str]:
    needed = clusters * MIB_PER_CLUSTER
    available = _available_mib()
    if available >= needed:
        return []
    return [f"{clusters} clusters need about {needed} MiB of memory, {available} MiB are available; end other programs"]


def _available_mib() -> int:
    for line in Path("/proc/meminfo").read_text().splitlines():
        name, _, value = line.partition(":")
        if name == "MemAvailable":
            return int(value.split()[0]) // 1024
    raise MachineError("/proc/meminfo has no MemAvailable; a simulation needs Linux 3.14 or later")
