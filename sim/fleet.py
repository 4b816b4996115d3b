"""What the definition says of its clusters, as the simulation needs it."""

from dataclasses import replace

from addons.infiniband import PODS_A_NODE
from sim.machines import ClusterSpec, NodeSpec, Project, Taint
from skyfleet import nodes
from skyfleet.model import AnyPool, Cluster, ExistingPool, Fleet, catalogue
from skyfleet.model.cluster import ExistingCluster, GkeCluster, NebiusCluster
from skyfleet.requests import RDMA_SHARED_DEVICE


def cluster_specs(fleet: Fleet) -> tuple[ClusterSpec, ...]:
    """Those of a cloud are to be made by `pulumi up`, in the project that the definition names."""
    return tuple(replace(cluster_spec(cluster), project=_project(cluster)) for cluster in fleet.clusters.values())


def cluster_spec(cluster: Cluster) -> ClusterSpec:
    """A cluster that is there from the start, whoever would make it."""
    return ClusterSpec(cluster.name, cluster.context, tuple(_pool(cluster, pool) for pool in cluster.pools))


def _project(cluster: Cluster) -> Project | None:
    match cluster:
        case NebiusCluster():
            return Project("nebius", cluster.project, cluster.region)
        case GkeCluster():
            return Project("gcp", cluster.project, cluster.region)
        case ExistingCluster():
            return None


def _pool(cluster: Cluster, pool: AnyPool) -> NodeSpec:
    """Nodes at the pool's largest: an autoscaler is not simulated."""
    capacity_cpu_millis, capacity_memory_mib, allocatable_cpu_millis, allocatable_memory_mib, accelerators = _size(
        cluster, pool
    )
    return NodeSpec(
        pool=pool.name,
        count=pool.max_nodes,
        labels=nodes.labels(cluster, pool),
        taints=tuple(Taint(taint.key, taint.value, taint.effect) for taint in nodes.taints(pool)),
        capacity_cpu_millis=capacity_cpu_millis,
        capacity_memory_mib=capacity_memory_mib,
        allocatable_cpu_millis=allocatable_cpu_millis,
        allocatable_memory_mib=allocatable_memory_mib,
        accelerator_resource=nodes.accelerator_resource(pool),
        accelerators=accelerators,
        devices=_devices(pool),
    )


def _devices(pool: AnyPool) -> dict[str, int]:
    """Of the RDMA shared device plugin, which the manifests install."""
    if pool.infiniband is None or pool.infiniband.exposure != "shared-device-plugin":
        return {}
    return {RDMA_SHARED_DEVICE: PODS_A_NODE}


def _size(cluster: Cluster, pool: AnyPool) -> tuple[int, int, int, int, int]:
    """Cpu and memory of the machine, what of them is allocatable, and accelerators: what a real node reports."""
    if isinstance(pool, ExistingPool):
        cpu, memory = pool.allocatable_cpu_millis, pool.allocatable_memory_mib
        return cpu, memory, cpu, memory, pool.accelerators_per_node
    machine = catalogue().machine(cluster.provider, pool.machine)
    if machine is None:
        raise LookupError(f"no machine '{pool.machine}'; `skyfleet check` reports it")
    return (
        machine.cpu * 1000,
        machine.memory_gib * 1024,
        machine.allocatable_cpu_millis,
        machine.allocatable_memory_mib,
        machine.accelerators,
    )
