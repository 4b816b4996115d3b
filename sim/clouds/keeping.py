"""The process beside a simulated cluster that runs Kueue for it, see kueue_keeper.py."""

from __future__ import annotations

import sys

from sim import processes
from sim.state import ClusterState, State


def part(cluster: str) -> str:
    return f"{cluster}/keeper"


def start(state: State, cluster: ClusterState) -> None:
    command = [sys.executable, "-m", "sim.clouds.kueue_keeper", str(state.root), cluster.name]
    processes.start(command, state, part(cluster.name), log=cluster.folder / "keeper.log", cwd=cluster.folder)
