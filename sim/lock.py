"""One command at a time on a simulation."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Generator

from sim.errors import SimulationError
from sim.state import State


@contextlib.contextmanager
def hold(state: State) -> Generator[None]:
    """Keep other commands off this simulation.

    Raises SimulationError when one is at work already. The lock is the folder itself, so that removing it leaves nothing.
    """
    for path in state.folders:
        path.mkdir(parents=True, exist_ok=True)
    folder = os.open(state.root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise SimulationError(
                f"another `skyfleet sim` command is at work in {state.root}; wait for it or stop it, then run this again"
            ) from error
        yield
    finally:
        os.close(folder)
