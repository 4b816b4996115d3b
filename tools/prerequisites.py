"""What the machine must have before anything is installed or built: `python3 -m tools.prerequisites`.

Every lack is told at once, with the command that mends it. It must run with whatever Python there is, to say that it is
too old, so it uses nothing newer than Python 3.7 and imports the rest of tools only after that.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

PYTHON = (3, 11)
MEMORY_GIB = 4
"""Two control planes with Kueue and SkyPilot's API server take about 3 GiB."""

ALLOW_NAMESPACES = (
    "run as root, or `sudo sysctl -w kernel.unprivileged_userns_clone=1 user.max_user_namespaces=15000`, "
    "on Ubuntu 24.04 and later also `sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`"
)


def main() -> int:
    """Exit status: 0 the machine has what is needed, 2 it lacks what was printed."""
    lacks = python_lacks() or system_lacks()
    lacks = lacks or [*go_lacks(), *mount_lacks(), *memory_lacks(MEMORY_GIB * 1024, "total")]
    if lacks:
        print("This machine lacks what Skyfleet needs; nothing was started:", file=sys.stderr)
        print("\n".join(f"- {lack}" for lack in lacks), file=sys.stderr)
    return 2 if lacks else 0


def python_lacks() -> list[str]:
    wanted = ".".join(str(part) for part in PYTHON)
    if sys.version_info < PYTHON:
        version = sys.version.split()[0]
        return [
            f"{sys.executable} is Python {version}; install {wanted} or later, or name one: `make PYTHON=python{wanted}`"
        ]
    if importlib.util.find_spec("ensurepip") is None:
        return [
            f"{sys.executable} cannot make virtual environments; Debian, Ubuntu: `sudo apt-get install python3-venv`"
        ]
    return []


def go_lacks() -> list[str]:
    """Nothing when every tool is in place already, because Go is not needed then."""
    from tools import go, placed, spec  # noqa: PLC0415 - these need the Python that was just checked

    if not placed.missing():
        return []
    try:
        go.check([binary.module for binary in spec.binaries()])
    except go.GoMissingError as error:
        return [str(error)]
    return []


def system_lacks() -> list[str]:
    return (
        [] if sys.platform == "linux" else [f"a simulation needs Linux, this is {sys.platform}; use a virtual machine"]
    )


def private_mounts() -> list[str]:
    """Start of a command that gives a program a view of the file system of its own.

    As root a mount namespace is enough; an ordinary user gets one within a user namespace.
    """
    return ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-Urm"]


def mount_lacks() -> list[str]:
    """The simulation gives Kueue an /etc of its own, see sim/kueue.py."""
    if shutil.which("unshare") is None or shutil.which("mount") is None:
        return ["unshare and mount are not on PATH; Debian, Ubuntu: `sudo apt-get install util-linux mount`"]
    trial = subprocess.run(
        [*private_mounts(), "sh", "-c", "mount --bind /tmp /etc"], capture_output=True, text=True, check=False
    )
    command = " ".join(private_mounts())
    return [] if trial.returncode == 0 else [f"`{command}` fails ({trial.stderr.strip()}); {ALLOW_NAMESPACES}"]


def memory_lacks(needed_mib: int, which: str) -> list[str]:
    """Compare with the "total" or the "available" memory of the machine."""
    name = {"total": "MemTotal", "available": "MemAvailable"}[which]
    lines = (line.split() for line in Path("/proc/meminfo").read_text().splitlines())
    mib = next(int(words[1]) for words in lines if words[0] == f"{name}:") // 1024
    # The kernel keeps some: a machine sold as 4 GiB reports about 3.8.
    if mib >= needed_mib * 0.9:
        return []
    return [
        f"about {needed_mib} MiB of memory are needed, {mib} MiB are {which}; end other programs or use a larger machine"
    ]


if __name__ == "__main__":
    sys.exit(main())
