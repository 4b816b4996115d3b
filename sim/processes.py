"""The processes of a simulation, known by a mark in their environment.

A mark is inherited by whatever a process starts, and stays with it when its parent dies; a process id in a file may by
now belong to somebody else. So the mark is what says which processes are ours.
"""

from __future__ import annotations

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
TERMINATE_SECONDS = 3.0
KILL_SECONDS = 5.0


@dataclass(frozen=True)
class Process:
    pid: int
    part: str
    """What it belongs to: "<cluster>/control-plane", "<cluster>/kueue" or "skypilot"."""
    program: str


def environment(state: State, part: str, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Environment that marks a process, and what it starts, as part of this simulation."""
    return os.environ | {"HOME": str(state.home)} | dict(extra or {}) | marks(state, part)


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
    """End our processes (of one part), politely first; returns how many there were.

    Raises TimeoutError when one does not even end when killed.
    """
    stopped: set[int] = set()
    for number, seconds in ((signal.SIGTERM, TERMINATE_SECONDS), (signal.SIGKILL, KILL_SECONDS)):
        deadline = time.monotonic() + seconds
        sent: set[int] = set()
        while left := running(state, part):
            for process in left:
                if process.pid not in sent:  # one that was started meanwhile gets it too
                    _signal(process.pid, number)
                    sent.add(process.pid)
            stopped |= sent
            if time.monotonic() > deadline:
                break
            _reap(sent)
            time.sleep(0.05)
        else:
            return len(stopped)
    names = ", ".join(f"{process.program} ({process.pid})" for process in running(state, part))
    raise TimeoutError(f"these processes do not end although killed: {names}")


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


def _signal(pid: int, number: signal.Signals) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:  # it ended by itself
        return


def _reap(pids: Iterable[int]) -> None:
    """Let go of those that were our own children; others belong to init."""
    for pid in pids:
        try:
            os.waitpid(pid, os.WNOHANG)
        except ChildProcessError:
            continue
