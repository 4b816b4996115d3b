"""What a workload asks a cluster for, and whether it could ever get it."""

from __future__ import annotations

from dataclasses import dataclass

from kueue import quantity
from kueue.objects import Manifest, kueue_object
from skyfleet import nodes
from skyfleet.capacity import Room, guarantee, node_room, quota_key, teams_on, units
from skyfleet.model import AnyPool, Cluster, Fleet
from whatif.workload import Workload


class NoPlaceError(Exception):
    """A workload can never start under a definition; the message says why."""


@dataclass(frozen=True)
class Demand:
    """A workload on the pool of a definition that it belongs to."""

    workload: Workload
    pool: str
    priority: int
    manifest: Manifest


def place(workload: Workload, fleet: Fleet) -> Demand:
    """Raises NoPlaceError where the arithmetic alone says that it would wait for ever."""
    cluster = fleet.clusters.get(workload.cluster)
    if cluster is None:
        raise NoPlaceError(f"there is no cluster {workload.cluster}")
    if workload.team not in {team.name for team in teams_on(fleet, cluster)}:
        raise NoPlaceError(f"team {workload.team} has no queue on {cluster.name}")
    if workload.priority not in fleet.organization.priorities:
        raise NoPlaceError(f"there is no priority {workload.priority}")
    pool, each = _pool(workload, cluster)
    if workload.shape.units > (most := _most(fleet, cluster, pool)):
        raise NoPlaceError(f"{workload.shape} is more than the {most} {workload.shape.unit} of {cluster.name}")
    priority = fleet.organization.priorities[workload.priority]
    return Demand(workload, pool.name, priority, _manifest(workload, fleet, cluster, pool, each))


def _pool(workload: Workload, cluster: Cluster) -> tuple[AnyPool, Room]:
    """The pool whose node has room for one of the workload's nodes, and what that one asks for."""
    shape = workload.shape
    pools = [pool for pool in cluster.pools if quota_key(pool) == shape.unit]
    if not pools:
        raise NoPlaceError(f"{cluster.name} has no {shape.unit}")
    for pool in pools:
        whole = node_room(cluster, pool)
        if whole is not None and shape.count <= units(pool, whole):
            return pool, _share(shape.count, pool, whole)
    raise NoPlaceError(f"no node of {cluster.name} has {shape.count} {shape.unit}")


def _share(count: int, pool: AnyPool, node: Room) -> Room:
    """A node's cpu and memory in proportion to what is asked of it, as guarantees are reckoned."""
    if pool.accelerator:
        return node.share(count, node.accelerators)
    return Room(count * 1000, node.share(count * 1000, node.cpu_millis).memory_mib)


def _most(fleet: Fleet, cluster: Cluster, pool: AnyPool) -> int:
    """Units that all queues of the cohort can lend to one: what is guaranteed and what is nobody's."""
    granted = sum(units(pool, guarantee(team, cluster, pool)) for team in teams_on(fleet, cluster))
    return max(granted, pool_units(cluster, pool))


def pool_units(cluster: Cluster, pool: AnyPool) -> int:
    """Accelerators or cores of the pool at its largest."""
    node = node_room(cluster, pool)
    return 0 if node is None else units(pool, node.times(pool.max_nodes))


def _manifest(workload: Workload, fleet: Fleet, cluster: Cluster, pool: AnyPool, each: Room) -> Manifest:
    """The Workload that Kueue makes of a gang of pods, without the pods."""
    requests = {"cpu": quantity.cpu(each.cpu_millis), "memory": quantity.memory(each.memory_mib)}
    resource = nodes.accelerator_resource(pool)
    if resource is not None:
        requests[resource] = quantity.count(each.accelerators)
    pod = {
        "restartPolicy": "Never",
        "nodeSelector": nodes.labels(cluster, pool),
        "tolerations": [
            {"key": taint.key, "operator": "Exists", "effect": taint.effect} for taint in nodes.taints(pool)
        ],
        "containers": [{"name": "task", "image": "none", "resources": {"requests": requests}}],
    }
    spec = {
        "queueName": workload.team,
        "priority": fleet.organization.priorities[workload.priority],
        "priorityClassRef": {"group": "kueue.x-k8s.io", "kind": "WorkloadPriorityClass", "name": workload.priority},
        "podSets": [{"name": "main", "count": workload.shape.nodes, "template": {"spec": pod}}],
    }
    return kueue_object("Workload", f"line-{workload.line}", namespace=fleet.organization.namespace, spec=spec)
