"""One stage for all scenarios, and the figures at the end. Where no real node can run, the reason is printed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from sim import simulation
from sim.node import needs
from sim.progress import Progress
from sim.state import State
from tests.rehearsal.machine import Machine, look
from tests.rehearsal.stage import Stage, set_up

KEPT = "SKYFLEET_REHEARSAL"
"""Folder of a simulation that is used and left running, for work on a scenario; what is in its caches stays, so test_caches needs a new one."""
_FIGURES = pytest.StashKey[list[tuple[str, str]]]()


@pytest.fixture(scope="package")
def machine_before() -> Machine:
    if lacks := needs.lacks():
        pytest.skip("; ".join(lacks))
    return look()


@pytest.fixture(scope="package")
def stage(
    tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config, machine_before: Machine
) -> Iterator[Stage]:
    del machine_before  # was looked at first
    kept = os.environ.get(KEPT)
    state = State(Path(kept).absolute() if kept else tmp_path_factory.mktemp("rehearsal") / "sim")
    shown = Progress(Console(stderr=True, highlight=False))
    try:
        ready = set_up(state, shown)
        pytestconfig.stash[_FIGURES] = ready.report
        yield ready
    finally:
        if not kept:
            simulation.down(state, shown)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    for what, figure in config.stash.get(_FIGURES, []):
        terminalreporter.write_line(f"rehearsal  {what}: {figure}")
