"""Nebius: pairs of platform, preset, region and fabric that exist."""

from collections.abc import Iterator

from skyfleet.capacity import node_room
from skyfleet.check.rule import Problem, Subject, rule
from skyfleet.finding import Where
from skyfleet.model import NebiusCluster, NebiusPool
from skyfleet.model.cloud import nebius_facts

_TABLE = "add it to skyfleet/data/nebius.yaml if your contract says so"
_SOURCE = "Nebius, InfiniBand fabrics; SkyPilot 0.14.1, provision/nebius/constants.py"


@rule("NEBIUS-REGION", "an accelerator that the region does not have makes the node group wait for ever", _SOURCE)
def accelerators_are_in_the_region(subject: Subject) -> Iterator[Problem]:
    fabrics = nebius_facts().fabrics
    for cluster in _clusters(subject):
        for at, pool in _pools(cluster):
            regions = fabrics.get(pool.accelerator or "")
            if regions is not None and cluster.region not in regions:
                message = f"pool '{pool.name}' wants {pool.accelerator}, which {cluster.region} does not have"
                yield Problem((*at, "accelerator"), message, f"choose one of {', '.join(regions)}; {_TABLE}")


@rule(
    "NEBIUS-FABRIC",
    "a GPU cluster on a fabric of another region or accelerator is refused, or waits without a word",
    _SOURCE,
)
def fabrics_fit(subject: Subject) -> Iterator[Problem]:
    for cluster in _clusters(subject):
        for at, pool in _pools(cluster):
            fabrics = nebius_facts().fabrics.get(pool.accelerator or "", {}).get(cluster.region)
            if pool.infiniband is not None and fabrics is not None and pool.infiniband.fabric not in fabrics:
                message = (
                    f"pool '{pool.name}' uses fabric '{pool.infiniband.fabric}' "
                    f"for {pool.accelerator} in {cluster.region}"
                )
                remedy = f"it should be {' or '.join(fabrics)}; {_TABLE}"
                yield Problem((*at, "infiniband", "fabric"), message, remedy)


@rule(
    "NEBIUS-INFINIBAND-PRESET",
    "only the preset with all accelerators of a machine can join a GPU cluster; the call fails after minutes",
    "Nebius, GPU clusters",
)
def whole_machines_join_infiniband(subject: Subject) -> Iterator[Problem]:
    needed = nebius_facts().accelerators_in_gpu_cluster
    for cluster in _clusters(subject):
        for at, pool in _pools(cluster):
            room = node_room(cluster, pool)
            if pool.infiniband is not None and room is not None and room.accelerators != needed:
                message = f"pool '{pool.name}' has infiniband, but preset {pool.preset} is a part of a machine"
                remedy = f"choose a preset with all {needed} accelerators, or remove infiniband"
                yield Problem((*at, "infiniband"), message, remedy)


@rule(
    "NEBIUS-DRIVERS",
    "the drivers preset goes with the Kubernetes version; without one no accelerator node can be described",
    "Nebius, mk8s node-group get-compatibility-matrix",
)
def drivers_are_known(subject: Subject) -> Iterator[Problem]:
    drivers = nebius_facts().drivers
    for cluster in _clusters(subject):
        for at, pool in _pools(cluster):
            if pool.accelerator and pool.drivers is None and cluster.kubernetes not in drivers:
                message = f"no drivers preset is known for pool '{pool.name}' with Kubernetes {cluster.kubernetes}"
                remedy = f"state drivers, or choose Kubernetes {' or '.join(drivers)}"
                yield Problem(at, message, remedy)


@rule("NEBIUS-NODES", "a node group has at most 100 nodes", "Nebius, mk8s NodeGroup (fixed_node_count)")
def node_groups_are_small_enough(subject: Subject) -> Iterator[Problem]:
    most = nebius_facts().nodes_in_group
    for cluster in _clusters(subject):
        for at, pool in _pools(cluster):
            if pool.max_nodes > most:
                message = f"pool '{pool.name}' may have {pool.max_nodes} nodes"
                yield Problem((*at, "nodes"), message, f"choose at most {most}, or a second cluster")


@rule(
    "NEBIUS-SCALE-FROM-ZERO",
    "SkyPilot cannot ask Nebius' autoscaler: of a pool with no node it says that the accelerator is not there",
    "SkyPilot 0.14.1, provision/kubernetes/utils.py (NebiusAutoscaler)",
)
def accelerator_pools_keep_a_node(subject: Subject) -> Iterator[Problem]:
    for cluster in _clusters(subject):
        for at, pool in _pools(cluster):
            if pool.accelerator and pool.min_nodes == 0:
                message = f"pool '{pool.name}' can shrink to no node"
                yield Problem((*at, "nodes"), message, "set min to 1 or more", "warning")


def _clusters(subject: Subject) -> Iterator[NebiusCluster]:
    return (cluster for cluster in subject.fleet.clusters.values() if isinstance(cluster, NebiusCluster))


def _pools(cluster: NebiusCluster) -> Iterator[tuple[Where, NebiusPool]]:
    return ((("clusters", cluster.name, "pools", index), pool) for index, pool in enumerate(cluster.pools))
