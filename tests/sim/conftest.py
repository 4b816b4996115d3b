"""A simulation of its own for each test, of which nothing remains."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from sim import processes
from sim.state import State


@pytest.fixture
def state(tmp_path: Path) -> Iterator[State]:
    state = State(tmp_path / "sim")
    yield state
    processes.stop(state)
    for folder in state.folders:
        shutil.rmtree(folder, ignore_errors=True)
