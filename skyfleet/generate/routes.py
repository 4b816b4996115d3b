"""The policy's routing table. Its contract is `skyfleet_policy.routes`, which belongs to the consumer."""

from typing import Any

from kueue.priority_classes import POD_PRIORITY_CLASS
from skyfleet import nodes
from skyfleet.capacity import Room, node_room
from skyfleet.generate.pods import fabric, mounts
from skyfleet.generate.stamp import GENERATED, digest
from skyfleet.model import AnyPool, Cluster, ExistingPool, Fleet, Profile, Team

CONTRACT = 1
SKYPILOT_MINIMUM = "0.14.1"


def routes(fleet: Fleet) -> dict[str, Any]:
    table = _table(fleet)
    return {"generated": GENERATED, "contract": CONTRACT, "definition": digest(table), **table}


def _table(fleet: Fleet) -> dict[str, Any]:
    organization = fleet.organization
    return {
        "organization": organization.organization,
        "skypilot_minimum": SKYPILOT_MINIMUM,
        "labels": organization.labels.model_dump(),
        "namespace": organization.namespace,
        "priority_class": POD_PRIORITY_CLASS,
        "priorities": dict(organization.priorities),
        "profiles": {name: _profile(profile) for name, profile in organization.profiles.items()},
        "clusters": {name: _cluster(cluster) for name, cluster in fleet.clusters.items()},
        "routes": {accelerator: _homes(fleet, accelerator) for accelerator in _accelerators(fleet)},
        "cpu_routes": [name for name in organization.routing.cpu if name in fleet.clusters],
        "teams": {name: _team(fleet, team) for name, team in fleet.teams.items()},
    }


def _profile(profile: Profile) -> dict[str, Any]:
    return profile.model_dump(mode="json")


def _cluster(cluster: Cluster) -> dict[str, Any]:
    return {
        "provider": cluster.provider,
        "answers_to": [*cluster.aliases, cluster.name],
        "context": cluster.context,
        "region": cluster.region,
        "pools": {pool.name: _pool(cluster, pool) for pool in cluster.pools},
        "volumes": mounts(cluster),
    }


def _pool(cluster: Cluster, pool: AnyPool) -> dict[str, Any]:
    room = node_room(cluster, pool) or Room()
    return {
        "accelerator": pool.accelerator,
        "accelerators_per_node": room.accelerators,
        "cpu": room.cpu_millis // 1000,
        "memory_gib": room.memory_mib // 1024,
        "nodes": pool.max_nodes,
        "node_labels": nodes.labels(cluster, pool),
        "taints": [taint.key for taint in nodes.taints(pool)],
        "instance_type": _instance_type(pool),
        "infiniband": fabric(pool),
    }


def _instance_type(pool: AnyPool) -> str | None:
    """What SkyPilot calls the machine at its provider: on Nebius `platform_preset` (sky/clouds/nebius.py)."""
    return None if isinstance(pool, ExistingPool) else pool.machine.replace("/", "_")


def _accelerators(fleet: Fleet) -> list[str]:
    return sorted(
        {pool.accelerator for cluster in fleet.clusters.values() for pool in cluster.pools if pool.accelerator}
    )


def _homes(fleet: Fleet, accelerator: str) -> list[str]:
    """Preferred clusters first, in the order of the definition; the rest by name."""
    prefer = fleet.organization.routing.prefer
    homes = [
        name
        for name, cluster in fleet.clusters.items()
        if any(pool.accelerator == accelerator for pool in cluster.pools)
    ]
    return sorted(homes, key=lambda name: (prefer.index(name) if name in prefer else len(prefer), name))


def _team(fleet: Fleet, team: Team) -> dict[str, Any]:
    return {
        "cost_center": team.cost_center,
        "members": list(team.members),
        "clusters": [name for name in fleet.clusters if name in team.quota],
        "priorities": list(team.priorities),
    }
