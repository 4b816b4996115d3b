"""The simulation, stood up once for all end-to-end tests in a folder of its own, and the demo's scenes played on it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from rich.console import Console

from demo.play import Outcome, play
from demo.stage import raise_curtain
from infra import repository
from sim import kubectl, simulation
from sim.progress import Progress
from sim.state import State
from skyfleet.model import Fleet


@dataclass(frozen=True)
class Rehearsal:
    state: State
    fleet: Fleet

    def objects(self, cluster: str, kind: str) -> list[dict[str, Any]]:
        """Objects of the tenant namespace as the API server has them."""
        return kubectl.get(self.state.cluster(cluster), kind, "--namespace", self.fleet.organization.namespace)


@dataclass(frozen=True)
class Evening:
    """What came of every scene, and the clusters as they were right after the last one."""

    outcomes: dict[str, Outcome]
    pods: dict[str, list[dict[str, Any]]]
    workloads: dict[str, list[dict[str, Any]]]

    def pods_of(self, cluster: str, request: str) -> list[dict[str, Any]]:
        return [
            pod for pod in self.pods[cluster] if pod["metadata"]["annotations"].get("skypilot-cluster-name") == request
        ]

    def workload_of(self, cluster: str, request: str) -> dict[str, Any]:
        (workload,) = (
            workload for workload in self.workloads[cluster] if workload["metadata"]["name"].startswith(f"{request}-")
        )
        return workload


@pytest.fixture(scope="package")
def rehearsal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rehearsal]:
    """Clusters, stacks and API server; everything is gone afterwards."""
    state = State(tmp_path_factory.mktemp("e2e") / "sim")
    fleet = repository.fleet()
    progress = Progress(Console(quiet=True))
    try:
        raise_curtain(state, fleet, progress)
        yield Rehearsal(state, fleet)
    finally:
        simulation.down(state, progress)


@pytest.fixture(scope="package")
def evening(rehearsal: Rehearsal) -> Evening:
    """The demo's scenes, played once."""
    played = play(rehearsal.state, rehearsal.fleet, Progress(Console(quiet=True)))
    return Evening(
        outcomes={outcome.scene.file: outcome for outcome in played},
        pods={cluster: rehearsal.objects(cluster, "pods") for cluster in rehearsal.fleet.clusters},
        workloads={cluster: rehearsal.objects(cluster, "workloads") for cluster in rehearsal.fleet.clusters},
    )
