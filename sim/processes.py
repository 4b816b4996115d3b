"""The processes of a simulation, known by a mark in their environment.

A mark is inherited by whatever a process starts, and stays with it when its parent dies; a process id in a file may by
now belong to somebody else. So the mark is what says which processes are ours.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sim.state import State

ROOT = "SKYFLEET_SIM_PROCESS_OF"
PART = "SKYFLEET_SIM_PART"
NOT_INHERITED = ("KUBECONFIG", "KWOK_", "SKYPILOT_", "SKY_")
KILL_SECONDS = 10.0
CLEAN_UP_SECONDS = 3.0


@dataclass(frozen=True)
class Process:
    pid: int
    part: str
    """What it belongs to: "<cluster>/control-plane", "<cluster>/kueue" or "skypilot"."""
    program: str


def environment(state: State, part: str, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Environment that marks a process, and what it starts, as part of this simulation."""
    own = {"HOME": str(state.home), "TMPDIR": str(state.temporary)}
    return inherited() | own | dict(extra or {}) | marks(state, part)


def inherited() -> dict[str, str]:
    """The user's environment without the settings of their own clusters, simulations and SkyPilot servers."""
    return {name: value for name, value in os.environ.items() if not name.startswith(NOT_INHERITED)}


def marks(state: State, part: str) -> dict[str, str]:
    """The mark alone."""
    # SPT_NOENV: programs that rename themselves (setproctitle) must not overwrite the mark.
    return {ROOT: str(state.root), PART: part, "SPT_NOENV": "1"}


def start(
    command: Sequence[str | Path],
    state: State,
    part: str,
    *,
    log: Path,
    cwd: Path,
    extra: Mapping[str, str] | None = None,
) -> subprocess.Popen[bytes]:
    """Start a process that outlives us, in a session of its own, writing to `log`."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as output:
        return subprocess.Popen(
            command,
            env=environment(state, part, extra),
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def running(state: State, part: str = "") -> list[Process]:
    """Our processes, or those of one part ("<cluster>/" is every part of a cluster)."""
    found = (_read(int(entry.name), state) for entry in Path("/proc").iterdir() if entry.name.isdigit())
    return sorted(
        (process for process in found if process is not None and process.part.startswith(part)),
        key=lambda process: (process.part, process.pid),
    )


def stop(state: State, part: str = "") -> int:
    """End our processes (of one part); returns how many there were.

    They are killed at once: whatever they would save is thrown away. Those that ignore SIGTERM get a moment to end by
    themselves, because they are what cleans up after the others (Python's tracker of semaphores in /dev/shm).
    Raises TimeoutError when one does not even end when killed.
    """
    ended = _kill(state, part, lambda process: not _ignores_sigterm(process.pid), KILL_SECONDS)
    wait_until(lambda: not running(state, part), None, CLEAN_UP_SECONDS)
    ended |= _kill(state, part, lambda _: True, KILL_SECONDS)
    if left := running(state, part):
        names = ", ".join(f"{process.program} ({process.pid})" for process in left)
        raise TimeoutError(f"these processes do not end although killed: {names}")
    return len(ended)


def wait_until(ready: Callable[[], bool], process: subprocess.Popen[bytes] | None, seconds: float) -> bool:
    """Poll until ready; False after `seconds`, or at once when the process has ended."""
    deadline = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > deadline or (process is not None and process.poll() is not None):
            return False
        time.sleep(0.1)
    return True


def _read(pid: int, state: State) -> Process | None:
    if pid == os.getpid():
        return None
    try:
        entries = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        if f"{ROOT}={state.root}".encode() not in entries:
            return None
        program = Path(f"/proc/{pid}/exe").readlink().name
    except OSError:  # ended meanwhile, or another user's
        return None
    return Process(pid, _value(entries, PART), program)


def _value(entries: Iterable[bytes], name: str) -> str:
    prefix = f"{name}=".encode()
    return next((entry.removeprefix(prefix).decode() for entry in entries if entry.startswith(prefix)), "")


def _kill(state: State, part: str, which: Callable[[Process], bool], seconds: float) -> set[int]:
    """Kill until none of them is left, also those that they start meanwhile; the ids of all."""
    killed: set[int] = set()
    deadline = time.monotonic() + seconds
    while (left := [process for process in running(state, part) if which(process)]) and time.monotonic() < deadline:
        for process in left:
            with contextlib.suppress(ProcessLookupError):  # it ended by itself
                os.kill(process.pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):  # not a child of ours: init sees to it
                os.waitpid(process.pid, os.WNOHANG)
            killed.add(process.pid)
        time.sleep(0.02)
    return killed


def _ignores_sigterm(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:  # ended meanwhile
        return False
    ignored = next(line.split()[1] for line in status.splitlines() if line.startswith("SigIgn:"))
    return bool(int(ignored, 16) >> (signal.SIGTERM - 1) & 1)
