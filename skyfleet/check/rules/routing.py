"""Routing: what the policy sends somewhere must be able to run there."""

from collections.abc import Iterator

from skyfleet.capacity import teams_on
from skyfleet.check.rule import Problem, Subject, rule
from skyfleet.model import ExistingCluster, catalogue


@rule(
    "ROUTING-CPU",
    "CPU-only tasks and controllers need nodes without accelerators",
    "policy/skyfleet_policy/rules/routing.py",
)
def cpu_homes_have_cpu_pools(subject: Subject) -> Iterator[Problem]:
    for index, name in enumerate(subject.fleet.organization.routing.cpu):
        cluster = subject.fleet.clusters.get(name)
        if cluster is not None and all(pool.accelerator for pool in cluster.pools):
            message = f"routing.cpu names {name}, which has no pool without accelerators"
            yield Problem(("organization", "routing", "cpu", index), message, "add a CPU pool to it or remove it here")


@rule(
    "ROUTING-NO-QUEUE",
    "on a cluster where no team has quota there is no queue: every task for it is rejected",
    "kueue/cluster_queues.py",
)
def every_cluster_has_a_queue(subject: Subject) -> Iterator[Problem]:
    for cluster in subject.fleet.clusters.values():
        if not teams_on(subject.fleet, cluster):
            offered = sorted({pool.accelerator for pool in cluster.pools if pool.accelerator}) or ["cpu"]
            message = f"no team has a queue on {cluster.name}, so its {', '.join(offered)} cannot be used"
            yield Problem(("clusters", cluster.name), message, "give a team quota on it", "warning")


@rule(
    "ROUTING-NO-QUOTA",
    "a team that is routed to a cluster where it is guaranteed nothing waits for what others leave",
    "kueue/cohort.py",
)
def every_queue_has_a_guarantee(subject: Subject) -> Iterator[Problem]:
    for name, team in subject.fleet.teams.items():
        for cluster, quota in team.quota.items():
            if not sum(quota.values()):
                message = f"team '{name}' reaches {cluster} but is guaranteed nothing there"
                yield Problem(
                    ("teams", name, "quota", cluster), message, "give it quota, or remove the cluster", "warning"
                )


@rule(
    "ROUTING-TEAM",
    "a team without quota anywhere has no queue: whatever it submits is rejected",
    "policy/skyfleet_policy/rules/routing.py",
)
def every_team_reaches_a_cluster(subject: Subject) -> Iterator[Problem]:
    for name, team in subject.fleet.teams.items():
        if not team.quota:
            yield Problem(
                ("teams", name, "quota"), f"team '{name}' has no quota on any cluster", "give it some", "warning"
            )


@rule(
    "ROUTING-CPU-TEAM",
    "tasks without accelerator go to the homes in routing.cpu; who has no queue there is rejected",
    "policy/skyfleet_policy/rules/routing.py",
)
def every_team_reaches_a_cpu_home(subject: Subject) -> Iterator[Problem]:
    homes = [home for home in subject.fleet.organization.routing.cpu if home in subject.clusters]
    for name, team in subject.fleet.teams.items():
        if homes and team.quota and not any(home in team.quota for home in homes):
            message = f"team '{name}' has quota at no home of CPU-only tasks ({', '.join(homes)})"
            yield Problem(
                ("teams", name, "quota"),
                message,
                "give it quota at one, or add one of its clusters to routing.cpu",
                "warning",
            )


@rule(
    "ROUTING-LABEL",
    "SkyPilot finds an accelerator by a node label of the provider; without one it says that there is none",
    "SkyPilot 0.14.1, provision/kubernetes/utils.py (label formatters)",
)
def accelerators_have_labels(subject: Subject) -> Iterator[Problem]:
    for cluster in subject.fleet.clusters.values():
        if isinstance(cluster, ExistingCluster):
            continue
        for index, pool in enumerate(cluster.pools):
            known = catalogue().accelerators.get(pool.accelerator or "")
            if known is not None and cluster.provider not in known.node_labels:
                message = f"SkyPilot knows no label for {pool.accelerator} on {cluster.provider}"
                remedy = "add it to accelerators in skyfleet/data/machines.yaml"
                yield Problem(("clusters", cluster.name, "pools", index, "accelerator"), message, remedy)
