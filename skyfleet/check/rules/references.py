"""Every name that a file mentions must be defined somewhere."""

import difflib
from collections.abc import Iterable, Iterator

from skyfleet.capacity import quota_key
from skyfleet.check.rule import Problem, Subject, rule


@rule(
    "REF-CLUSTER",
    "a quota or route on a cluster that has no file would be dropped without a word",
    "this repository, skyfleet/generate/routes.py",
)
def clusters(subject: Subject) -> Iterator[Problem]:
    for name, team in subject.fleet.teams.items():
        for cluster in team.quota:
            if cluster not in subject.clusters:
                message = f"team '{name}' has quota on cluster '{cluster}', which has no file"
                yield Problem(("teams", name, "quota", cluster), message, _choose(cluster, subject.clusters))
    routing = subject.fleet.organization.routing
    for field, names in (("prefer", routing.prefer), ("cpu", routing.cpu)):
        for index, cluster in enumerate(names):
            if cluster not in subject.clusters:
                message = f"routing.{field} names cluster '{cluster}', which has no file"
                yield Problem(("organization", "routing", field, index), message, _choose(cluster, subject.clusters))


@rule(
    "REF-PRIORITY",
    "Kueue makes no Workload for a pod whose priority class does not exist; it waits for ever",
    "Kueue 0.19.2, pkg/controller/jobs/pod (WorkloadPriorityClassNotFound)",
)
def priorities(subject: Subject) -> Iterator[Problem]:
    known = subject.fleet.organization.priorities
    for name, profile in subject.fleet.organization.profiles.items():
        if profile.priority not in known:
            at = ("organization", "profiles", name, "priority")
            yield Problem(
                at, f"profile '{name}' uses unknown priority '{profile.priority}'", _choose(profile.priority, known)
            )
    for name, team in subject.fleet.teams.items():
        for index, priority in enumerate(team.priorities):
            if priority not in known:
                at = ("teams", name, "priorities", index)
                yield Problem(at, f"team '{name}' may use unknown priority '{priority}'", _choose(priority, known))


@rule(
    "REF-ACCELERATOR",
    "quota for something that no pool of the cluster offers can never be used",
    "this repository, skyfleet/capacity.py",
)
def quota_accelerators(subject: Subject) -> Iterator[Problem]:
    for name, team in subject.fleet.teams.items():
        for cluster_name, quotas in team.quota.items():
            cluster = subject.fleet.clusters.get(cluster_name)
            if cluster is None:
                continue
            offered = {quota_key(pool) for pool in cluster.pools}
            for accelerator in quotas:
                if accelerator not in offered:
                    message = f"team '{name}' has quota for {accelerator}, which no pool of {cluster_name} offers"
                    yield Problem(
                        ("teams", name, "quota", cluster_name, accelerator), message, _choose(accelerator, offered)
                    )


def _choose(name: str, known: Iterable[str]) -> str:
    """The nearest known name, or all of them."""
    choices = sorted(known)
    close = difflib.get_close_matches(name, choices, n=1, cutoff=0.5)
    return f"did you mean '{close[0]}'?" if close else f"known are {', '.join(choices) or 'none'}"
