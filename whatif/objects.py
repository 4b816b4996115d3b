"""Kueue's Workload object of a gang, as its pod integration would make it."""

from typing import Any

from kueue import quantity
from kueue.objects import API_VERSION, Manifest
from skyfleet import nodes
from skyfleet.capacity import node_room, quota_key
from skyfleet.model import Cluster, Fleet
from whatif.workload import Workload

TOLERATION = {"key": nodes.ACCELERATOR_TAINT.key, "operator": "Exists", "effect": nodes.ACCELERATOR_TAINT.effect}
"""SkyPilot puts it on pods that ask for accelerators."""


class CannotRun(LookupError):  # noqa: N818 - it says what is so
    """No definition of the cluster could ever run it; the message says why."""


def workload_object(fleet: Fleet, cluster: Cluster, name: str, workload: Workload) -> Manifest:
    """A Workload with its requests.

    Raises:
        CannotRun: the cluster has no pool for it, or the priority is unknown.
    """
    priority = fleet.organization.priorities.get(workload.priority)
    if priority is None:
        raise CannotRun(f"priority {workload.priority} is not in the definition")
    container = {"name": "main", "image": "none", "resources": {"requests": _requests(cluster, workload)}}
    template: dict[str, Any] = {"spec": {"restartPolicy": "Never", "containers": [container]}}
    if workload.accelerator != "cpu":
        template["spec"]["tolerations"] = [TOLERATION]
    return {
        "apiVersion": API_VERSION,
        "kind": "Workload",
        "metadata": {"name": name, "namespace": fleet.organization.namespace},
        "spec": {
            "queueName": workload.team,
            "priority": priority,
            "priorityClassRef": {"group": "kueue.x-k8s.io", "kind": "WorkloadPriorityClass", "name": workload.priority},
            "podSets": [{"name": "main", "count": workload.nodes, "template": template}],
        },
    }


def _requests(cluster: Cluster, workload: Workload) -> dict[str, str]:
    """Accelerators with their share of the node's cpu and memory, in whole cores and GiB; or cores with theirs."""
    pool = next((pool for pool in cluster.pools if quota_key(pool) == workload.accelerator), None)
    node = node_room(cluster, pool) if pool else None
    if pool is None or node is None:
        raise CannotRun(f"{cluster.name} has no {workload.accelerator}")
    resource = nodes.accelerator_resource(pool)
    if resource is None:
        share = node.share(workload.per_node * 1000, node.cpu_millis)
        return {"cpu": str(workload.per_node), "memory": quantity.memory(share.memory_mib)}
    if workload.per_node > node.accelerators:
        raise CannotRun(f"a node of {cluster.name} has {node.accelerators} {workload.accelerator}")
    share = node.share(workload.per_node, node.accelerators)
    return {
        "cpu": quantity.cpu(share.cpu_millis),
        "memory": quantity.memory(share.memory_mib),
        resource: quantity.count(workload.per_node),
    }
