"""Quotas: no more than there is, and nothing that pods request forgotten."""

from collections.abc import Iterator

from skyfleet.capacity import pool_room, quota_key, teams_on, units
from skyfleet.check.rule import Problem, Subject, rule
from skyfleet.model import AnyPool, Cluster
from skyfleet.requests import covered_resources, requested_resources


@rule("QUOTA-CAPACITY", "quota above the nodes admits pods that then stay Pending", "kubernetes-sigs/kueue#2665")
def within_capacity(subject: Subject) -> Iterator[Problem]:
    for cluster in subject.fleet.clusters.values():
        for pool in cluster.pools:
            room = pool_room(cluster, pool)
            if room is not None:
                yield from _over(subject, cluster, pool, units(pool, room))


@rule("QUOTA-COVERED", "one resource that no quota covers keeps a pod waiting for ever", "kubernetes-sigs/kueue#4848")
def every_request_is_covered(subject: Subject) -> Iterator[Problem]:
    prefixes = subject.fleet.organization.queueing.exclude_resource_prefixes
    for cluster in subject.fleet.clusters.values():
        covered = covered_resources(cluster)
        for index, pool in enumerate(cluster.pools):
            for resource in requested_resources(pool):
                if resource not in covered and not resource.startswith(prefixes):
                    message = f"pods on pool '{pool.name}' request {resource}, which no quota covers"
                    remedy = "add its prefix to queueing.exclude_resource_prefixes in fleet.yaml"
                    yield Problem(("clusters", cluster.name, "pools", index), message, remedy)


@rule(
    "QUOTA-EXCLUDED",
    "an excluded resource is not counted: its quota would be dead",
    "Kueue 0.19.2, apis/config/v1beta2 (excludeResourcePrefixes)",
)
def no_quota_is_excluded(subject: Subject) -> Iterator[Problem]:
    prefixes = subject.fleet.organization.queueing.exclude_resource_prefixes
    covered = {resource for cluster in subject.fleet.clusters.values() for resource in covered_resources(cluster)}
    for index, prefix in enumerate(prefixes):
        dead = sorted(resource for resource in covered if resource.startswith(prefix))
        if dead:
            message = f"prefix '{prefix}' excludes {', '.join(dead)}, which quotas are about"
            yield Problem(
                ("organization", "queueing", "exclude_resource_prefixes", index), message, "remove the prefix"
            )


def _over(subject: Subject, cluster: Cluster, pool: AnyPool, capacity: int) -> Iterator[Problem]:
    key = quota_key(pool)
    granted = {
        team.name: team.quota[cluster.name][key]
        for team in teams_on(subject.fleet, cluster)
        if key in team.quota[cluster.name]
    }
    remedy = f"lower the quota or add nodes to pool '{pool.name}'"
    unit = "cpu cores" if pool.accelerator is None else key
    alone = {team for team, amount in granted.items() if amount > capacity}
    for team in sorted(alone):
        message = f"team '{team}' is guaranteed {granted[team]} {unit} on {cluster.name}, whose pools have {capacity}"
        yield Problem(("teams", team, "quota", cluster.name, key), message, remedy)
    if not alone and sum(granted.values()) > capacity:
        largest = max(granted, key=lambda team: (granted[team], team))
        each = ", ".join(f"{team} {amount}" for team, amount in granted.items())
        message = f"teams are guaranteed {sum(granted.values())} {unit} on {cluster.name} ({each}), whose pools have {capacity}"
        yield Problem(("teams", largest, "quota", cluster.name, key), message, remedy)
