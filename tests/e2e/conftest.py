"""The simulation, stood up once for all end-to-end tests in a folder of its own, and the demo's scenes played on it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from demo.play import Outcome, play
from demo.stage import raise_curtain
from sim import kubectl, simulation
from sim.progress import Progress
from sim.state import State
from skyfleet.load import load
from skyfleet.model import Fleet
from tools import paths


@dataclass(frozen=True)
class Rehearsal:
    state: State
    fleet: Fleet

    def objects(self, cluster: str, kind: str) -> list[dict[str, Any]]:
        """Objects of the tenant namespace as the API server has them."""
        return kubectl.get(self.state.cluster(cluster), kind, "--namespace", self.fleet.organization.namespace)

    def pods_of(self, cluster: str, request: str) -> list[dict[str, Any]]:
        return [
            pod
            for pod in self.objects(cluster, "pods")
            if pod["metadata"]["annotations"].get("skypilot-cluster-name") == request
        ]


@pytest.fixture(scope="session")
def rehearsal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rehearsal]:
    """Clusters, stacks and API server; everything is gone afterwards."""
    state = State(tmp_path_factory.mktemp("e2e") / "sim")
    fleet = load(Path(paths.REPOSITORY / "fleet")).fleet
    assert fleet is not None
    progress = Progress(Console(quiet=True))
    try:
        raise_curtain(state, fleet, progress)
        yield Rehearsal(state, fleet)
    finally:
        simulation.down(state, progress)


@pytest.fixture(scope="session")
def outcomes(rehearsal: Rehearsal) -> dict[str, Outcome]:
    """What came of every scene, by its file's name."""
    played = play(rehearsal.state, rehearsal.fleet, Progress(Console(quiet=True)))
    return {outcome.scene.file: outcome for outcome in played}
