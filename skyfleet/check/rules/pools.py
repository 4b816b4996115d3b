"""Pools: machines that exist, with the accelerator that is claimed for them."""

from collections import Counter
from collections.abc import Iterator

from skyfleet.capacity import node_room, quota_key
from skyfleet.check.rule import Problem, Subject, rule
from skyfleet.finding import Where
from skyfleet.model import AnyPool, Cluster, ExistingPool, catalogue


@rule(
    "POOL-NAME",
    "a pool's name is its ResourceFlavor: two would be one flavor",
    "this repository, kueue/resource_flavors.py",
)
def distinct_names(subject: Subject) -> Iterator[Problem]:
    for cluster in subject.fleet.clusters.values():
        seen: set[str] = set()
        for at, pool in _pools(cluster):
            if pool.name in seen:
                yield Problem((*at, "name"), f"{cluster.name} has two pools called '{pool.name}'", "rename one")
            seen.add(pool.name)


@rule(
    "POOL-ONE-EACH",
    "quota is given by accelerator; with two pools of one it would be unclear which guarantees it",
    "this repository, skyfleet/capacity.py",
)
def one_pool_each(subject: Subject) -> Iterator[Problem]:
    for cluster in subject.fleet.clusters.values():
        seen: Counter[str] = Counter()
        for at, pool in _pools(cluster):
            key = quota_key(pool)
            seen[key] += 1
            if seen[key] > 1:
                message = f"{cluster.name} has a second pool for {key}, '{pool.name}'"
                yield Problem(at, message, "make it one larger pool, or another cluster")


@rule(
    "POOL-MACHINE",
    "a machine that the catalogue lacks has no known size, so no quota can be derived from it",
    "this repository, skyfleet/data/machines.yaml",
)
def known_machines(subject: Subject) -> Iterator[Problem]:
    for cluster in subject.fleet.clusters.values():
        for at, pool in _pools(cluster):
            if isinstance(pool, ExistingPool) or node_room(cluster, pool) is not None:
                continue
            known = sorted(catalogue().machines[cluster.provider])
            message = (
                f"pool '{pool.name}' uses {cluster.provider} machine '{pool.machine}', which is not in the catalogue"
            )
            yield Problem(at, message, f"known are {', '.join(known)}; or add it to skyfleet/data/machines.yaml")


@rule(
    "POOL-ACCELERATOR",
    "the accelerator's name routes tasks: it must be what the machine carries",
    "this repository, skyfleet/data/machines.yaml",
)
def right_accelerators(subject: Subject) -> Iterator[Problem]:
    for cluster in subject.fleet.clusters.values():
        for at, pool in _pools(cluster):
            yield from _accelerator(cluster, pool, at)


@rule(
    "POOL-CPU",
    "controllers, CoreDNS and Kueue itself need nodes without the accelerator taint",
    "Google Kubernetes Engine, GPU node pools (taint nvidia.com/gpu)",
)
def a_cpu_pool(subject: Subject) -> Iterator[Problem]:
    for cluster in subject.fleet.clusters.values():
        if all(pool.accelerator for pool in cluster.pools):
            message = f"{cluster.name} has only pools with accelerators"
            yield Problem(("clusters", cluster.name, "pools"), message, "add a pool without accelerator")


@rule(
    "POOL-ALLOCATABLE",
    "quota on a machine's full size admits pods that the kubelet's own share leaves no room for",
    "kubernetes-sigs/kueue#2665",
)
def sizes_are_what_is_left_for_pods(subject: Subject) -> Iterator[Problem]:
    for cluster in subject.fleet.clusters.values():
        for at, pool in _pools(cluster):
            if not isinstance(pool, ExistingPool):
                continue
            if pool.allocatable_cpu_millis % 1000 == 0 and pool.allocatable_memory_mib % 1024 == 0:
                message = f"pool '{pool.name}' states whole cores and GiB, which looks like the machine and not what it leaves"
                remedy = "take .status.allocatable of a node: kubectl get node NAME -o jsonpath={.status.allocatable}"
                yield Problem((*at, "allocatable_cpu_millis"), message, remedy, "warning")


def _accelerator(cluster: Cluster, pool: AnyPool, at: Where) -> Iterator[Problem]:
    if pool.accelerator is not None and pool.accelerator not in catalogue().accelerators:
        known = ", ".join(catalogue().accelerators)
        message = f"pool '{pool.name}' offers unknown accelerator '{pool.accelerator}'"
        yield Problem((*at, "accelerator"), message, f"known are {known}; or add it to skyfleet/data/machines.yaml")
    elif isinstance(pool, ExistingPool):
        if bool(pool.accelerator) != bool(pool.accelerators_per_node):
            message = (
                f"pool '{pool.name}' states accelerator {pool.accelerator} but {pool.accelerators_per_node} a node"
            )
            yield Problem((*at, "accelerators_per_node"), message, "state both, or neither")
    else:
        machine = catalogue().machine(cluster.provider, pool.machine)
        if machine is not None and machine.accelerator != pool.accelerator:
            message = f"pool '{pool.name}' claims accelerator {pool.accelerator}, but {pool.machine} carries {machine.accelerator}"
            yield Problem((*at, "accelerator"), message, f"write {machine.accelerator}, or choose another machine")


def _pools(cluster: Cluster) -> Iterator[tuple[Where, AnyPool]]:
    for index, pool in enumerate(cluster.pools):
        yield ("clusters", cluster.name, "pools", index), pool
