"""Quota of a ClusterQueue or Cohort: cpu, memory and accelerators of all flavors in one resource group.

One group, since Kueue chooses a flavor for each group on its own: cpu in a second group could land on another pool than the accelerator.
"""

from collections.abc import Callable

from kueue import quantity
from kueue.objects import Manifest
from skyfleet import nodes
from skyfleet.capacity import Room
from skyfleet.model import AnyPool, Cluster
from skyfleet.requests import covered_resources


def resource_groups(cluster: Cluster, room: Callable[[AnyPool], Room]) -> list[Manifest]:
    """The group with `room(pool)` as nominal quota of each flavor."""
    covered = covered_resources(cluster)
    flavors = [
        {"name": pool.name, "resources": [_quota(resource, pool, room(pool)) for resource in covered]}
        for pool in _cheapest_first(cluster)
    ]
    return [{"coveredResources": covered, "flavors": flavors}]


def _cheapest_first(cluster: Cluster) -> list[AnyPool]:
    """Pools without accelerators first: Kueue takes the first flavor that fits, and CPU pods fit on GPU nodes too."""
    return sorted(cluster.pools, key=lambda pool: pool.accelerator is not None)


def _quota(resource: str, pool: AnyPool, room: Room) -> Manifest:
    if resource == "cpu":
        nominal = quantity.cpu(room.cpu_millis)
    elif resource == "memory":
        nominal = quantity.memory(room.memory_mib)
    else:
        nominal = quantity.count(room.accelerators if nodes.accelerator_resource(pool) == resource else 0)
    return {"name": resource, "nominalQuota": nominal}
