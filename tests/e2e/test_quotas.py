"""Guarantees, lending and reclaiming, decided by the real Kueue from the committed manifest."""

from collections.abc import Iterator

import pytest

from demo.sightings import sightings
from sim import kubectl
from sim.state import ClusterState
from tests.e2e.conftest import Rehearsal
from tests.e2e.gangs import Gang
from tests.e2e.waiting import until

pytestmark = pytest.mark.e2e


@pytest.fixture
def nebius(rehearsal: Rehearsal) -> Iterator[ClusterState]:
    """The H200 cluster with nothing on it: 32 H200, of which search and research are guaranteed 16 each."""
    cluster = rehearsal.state.cluster("nebius-eu-north1")
    _clear(rehearsal, cluster)
    yield cluster
    _clear(rehearsal, cluster)


def test_idle_quota_is_lent_and_then_reclaimed(rehearsal: Rehearsal, nebius: ClusterState) -> None:
    """Research borrows search's idle nodes at standard priority; search takes its guarantee back at batch priority."""
    _launch(rehearsal, nebius, Gang("borrower", "research", "standard", nodes=4))
    _until(rehearsal, {"borrower": "admitted"})

    _launch(rehearsal, nebius, Gang("owner", "search", "batch", nodes=2))

    _until(rehearsal, {"owner": "admitted"})
    assert "borrower" not in _standing(rehearsal)


def test_a_guarantee_is_not_touched_by_another_team(rehearsal: Rehearsal, nebius: ClusterState) -> None:
    """Production work of search waits while research uses no more than its own."""
    _launch(rehearsal, nebius, Gang("mine", "research", "batch", nodes=2))
    _launch(rehearsal, nebius, Gang("theirs", "search", "standard", nodes=2))
    _until(rehearsal, {"mine": "admitted", "theirs": "admitted"})

    _launch(rehearsal, nebius, Gang("more", "research", "batch", nodes=2))
    _until(rehearsal, {"more": "waiting"})

    assert _standing(rehearsal) == {"mine": "admitted", "theirs": "admitted", "more": "waiting"}


def test_a_gang_waits_whole(rehearsal: Rehearsal, nebius: ClusterState) -> None:
    """Three nodes where two are free: no pod of it is let through, and it starts when the third is there."""
    _launch(rehearsal, nebius, Gang("first", "search", "standard", nodes=2))
    _until(rehearsal, {"first": "admitted"})

    _launch(rehearsal, nebius, Gang("second", "search", "standard", nodes=3))
    _until(rehearsal, {"second": "waiting"})
    gated = [pod for pod in rehearsal.objects(nebius.name, "pods") if pod["spec"].get("schedulingGates")]
    kubectl.run(nebius, "delete", "pods", "--namespace", "skyfleet", "--selector", f"{_GROUP}=first", "--wait=false")

    _until(rehearsal, {"second": "admitted"})
    assert len(gated) == 3


_GROUP = "kueue.x-k8s.io/pod-group-name"


def _launch(rehearsal: Rehearsal, cluster: ClusterState, gang: Gang) -> None:
    kubectl.create(cluster, gang.pods(rehearsal.fleet))


def _standing(rehearsal: Rehearsal) -> dict[str, str]:
    """Live Workloads on the cluster; what has finished or was preempted has left."""
    return {
        sighting.workload: sighting.standing
        for sighting in sightings(rehearsal.state, rehearsal.fleet)
        if sighting.cluster == "nebius-eu-north1" and sighting.standing in {"admitted", "waiting"}
    }


def _until(rehearsal: Rehearsal, expected: dict[str, str]) -> None:
    until(lambda: _standing(rehearsal), lambda standing: expected.items() <= standing.items())


def _clear(rehearsal: Rehearsal, cluster: ClusterState) -> None:
    kubectl.run(cluster, "delete", "pods", "--all", "--namespace", "skyfleet", "--wait=false")
    until(
        lambda: [*rehearsal.objects(cluster.name, "pods"), *rehearsal.objects(cluster.name, "workloads")],
        lambda left: not left,
    )
