"""What the clusters themselves say of a request: its pods and its Workload, read from their API servers."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sim import kubectl
from sim.state import ClusterState, State
from skyfleet.model import Fleet

Standing = Literal["admitted", "waiting", "preempted", "finished"]

GROUP = "kueue.x-k8s.io/pod-group-name"
PRIORITY = "kueue.x-k8s.io/priority-class"


@dataclass(frozen=True)
class Sighting:
    """One request on one cluster."""

    request: str
    """The SkyPilot cluster's name as the user wrote it."""
    workload: str
    cluster: str
    queue: str
    priority: str
    standing: Standing
    pods: int
    detail: str
    """Kueue's own words."""


def sightings(state: State, fleet: Fleet) -> list[Sighting]:
    return [sighting for name in fleet.clusters for sighting in _on(state.cluster(name), fleet.organization.namespace)]


def preemptions(state: State, fleet: Fleet, since: datetime) -> dict[str, str]:
    """Workload to Kueue's words. From events, since a preempted gang's Workload goes with its last pod."""
    return {
        event["involvedObject"]["name"]: event["message"]
        for name in fleet.clusters
        for event in _events(state.cluster(name), fleet.organization.namespace, "Preempted")
        if _when(event) >= since
    }


def _events(cluster: ClusterState, namespace: str, reason: str) -> list[dict[str, Any]]:
    return kubectl.get(cluster, "events", "--namespace", namespace, "--field-selector", f"reason={reason}")


def _when(event: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(event["lastTimestamp"] or event["eventTime"])


def _on(cluster: ClusterState, namespace: str) -> Iterator[Sighting]:
    pods = kubectl.get(cluster, "pods", "--namespace", namespace)
    for workload in kubectl.get(cluster, "workloads", "--namespace", namespace):
        yield _sighting(cluster.name, workload, pods)


def _sighting(cluster: str, workload: dict[str, Any], pods: list[dict[str, Any]]) -> Sighting:
    group = workload["metadata"]["name"]
    standing, detail = _standing(workload)
    return Sighting(
        request=group.rsplit("-", 1)[0],  # SkyPilot appends the user's hash
        workload=group,
        cluster=cluster,
        queue=workload["spec"]["queueName"],
        priority=workload["spec"].get("priorityClassRef", {}).get("name", ""),
        standing=standing,
        pods=sum(pod["metadata"]["labels"].get(GROUP) == group for pod in pods),
        detail=detail,
    )


def _standing(workload: dict[str, Any]) -> tuple[Standing, str]:
    """Preemption first: a gang that ended by it is Finished too."""
    holding = {
        condition["type"]: condition["message"]
        for condition in workload.get("status", {}).get("conditions", [])
        if condition["status"] == "True"
    }
    waiting = [
        condition["message"]
        for condition in workload.get("status", {}).get("conditions", [])
        if condition["type"] == "QuotaReserved"
    ]
    if "Preempted" in holding:
        return "preempted", holding["Preempted"]
    if "Finished" in holding:
        return "finished", holding["Finished"]
    if "Admitted" in holding:
        return "admitted", holding["Admitted"]
    return "waiting", waiting[0] if waiting else "not looked at yet"
