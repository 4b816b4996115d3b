"""The control groups of the node's pods. They are the machine's, so they are made and removed by name."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from pathlib import Path

from sim import processes
from sim.node import plan
from sim.state import State

ROOT = Path("/sys/fs/cgroup")
SECONDS = 20


def make(state: State) -> None:
    """One in every hierarchy, as the kubelet expects."""
    for hierarchy in _hierarchies():
        (hierarchy / plan.cgroup(state).lstrip("/")).mkdir(exist_ok=True)


def remove(state: State) -> None:
    """With everything below; the processes in them must have been told to end.

    Raises TimeoutError when some do not.
    """
    for top in left(state):
        if not processes.wait_until(lambda top=top: _remove(top), None, SECONDS):
            raise TimeoutError(f"{top} cannot be removed: processes in it do not end")


def _remove(top: Path) -> bool:
    """Whether it is gone; a process that is ending keeps its group for a moment."""
    for group in [*sorted((path for path in top.rglob("*") if path.is_dir()), reverse=True), top]:
        try:
            group.rmdir()
        except FileNotFoundError:
            continue
        except OSError as error:
            if error.errno != errno.EBUSY:
                raise
            return False
    return True


def left(state: State) -> list[Path]:
    """Those that are there."""
    own = (hierarchy / plan.cgroup(state).lstrip("/") for hierarchy in _hierarchies())
    return [path for path in own if path.is_dir()]


def _hierarchies() -> Iterator[Path]:
    """One where controllers are unified, else one for each that is mounted."""
    if (ROOT / "cgroup.controllers").exists():
        yield ROOT
        return
    yield from (path for path in sorted(ROOT.iterdir()) if (path / "cgroup.procs").exists() and not path.is_symlink())
