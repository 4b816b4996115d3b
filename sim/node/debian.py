"""Debian file systems, made by mmdebstrap. Where it is not installed it is unpacked for the occasion: nothing is installed here."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from sim.errors import SimulationError

SUITE = "bookworm"
NOT_NEEDED = ("/usr/share/doc/*", "/usr/share/man/*", "/usr/share/locale/*")


def make(packages: Sequence[str], target: Path) -> None:
    """A file system with these packages and what they depend on, in a folder that does not exist yet.

    Raises SimulationError with the last words of what failed.
    """
    with tempfile.TemporaryDirectory(prefix="skyfleet-debian-") as scratch:
        programs = _programs(Path(scratch))
        excluded = [f"--dpkgopt=path-exclude={pattern}" for pattern in NOT_NEEDED]
        options = ["--mode=root", "--variant=apt", "--format=directory", '--aptopt=APT::Install-Recommends "false"']
        command = ["mmdebstrap", *options, *excluded, f"--include={','.join(packages)}", SUITE, target]
        run(command, env=os.environ | {"PATH": f"{programs}:{os.environ['PATH']}", "TMPDIR": scratch})


def run(command: Sequence[str | Path], *, env: dict[str, str] | None = None, cwd: Path | None = None) -> None:
    """Raises SimulationError with the last words of a command that fails."""
    done = subprocess.run(command, env=env, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        words = "\n".join((done.stdout + done.stderr).splitlines()[-15:])
        raise SimulationError(f"`{' '.join(map(str, command[:2]))} …` failed:\n{words}")


def _programs(scratch: Path) -> Path:
    """Folder with mmdebstrap in it."""
    installed = shutil.which("mmdebstrap")
    if installed is not None:
        return Path(installed).parent
    try:
        _download(scratch, [])
    except SimulationError:  # this machine's package lists were thrown away
        lists = ["-o", f"Dir::State::Lists={scratch}/lists", "-o", f"Dir::Cache={scratch}/cache"]
        run(["apt-get", *lists, "update"])
        _download(scratch, lists)
    (package,) = scratch.glob("mmdebstrap_*.deb")
    run(["dpkg", "-x", package, scratch / "unpacked"])
    return scratch / "unpacked/usr/bin"


def _download(folder: Path, options: Sequence[str]) -> None:
    run(["apt-get", *options, "-o", "APT::Sandbox::User=root", "download", "mmdebstrap"], cwd=folder)
