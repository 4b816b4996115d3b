"""Queueing: priorities, sizes and time-outs that can have their effect."""

from collections.abc import Iterator

from skyfleet.capacity import pool_room
from skyfleet.check import facts
from skyfleet.check.rule import Problem, Subject, rule


@rule(
    "QUEUE-READY-TIMEOUT",
    "a gang not ready by then is evicted, which deletes SkyPilot's pods (kubernetes-sigs/kueue#11855)",
    "Kueue 0.19.2, waitForPodsReady",
)
def gangs_have_time_to_start(subject: Subject) -> Iterator[Problem]:
    everywhere = facts.clouds()
    least = everywhere.scale_up_minutes + everywhere.image_pull_minutes
    minutes = subject.fleet.organization.queueing.pods_ready_timeout_minutes
    if minutes < least:
        message = f"admitted gangs get {minutes} minutes, less than a node's start and an image's pull take"
        at = ("organization", "queueing", "pods_ready_timeout_minutes")
        yield Problem(at, message, f"give them {least} or more", "warning")


@rule(
    "QUEUE-ONE-PRIORITY",
    "preemption within a queue is by lower priority: with one priority there is none",
    "Kueue 0.19.2, pkg/scheduler/preemption",
)
def there_is_something_to_preempt(subject: Subject) -> Iterator[Problem]:
    priorities = subject.fleet.organization.priorities
    if len(priorities) == 1:
        message = f"'{next(iter(priorities))}' is the only priority"
        yield Problem(("organization", "priorities"), message, "add a second one", "warning")


@rule(
    "QUEUE-PROFILE-SIZE",
    "a limit above everything that there is stops nobody",
    "kubernetes-sigs/kueue#407",
)
def limits_limit(subject: Subject) -> Iterator[Problem]:
    rooms = [pool_room(cluster, pool) for cluster in subject.fleet.clusters.values() for pool in cluster.pools]
    largest = max((room.accelerators for room in rooms if room is not None), default=0)
    for name, profile in subject.fleet.organization.profiles.items():
        if profile.max_accelerators is not None and profile.max_accelerators > largest:
            message = f"profile '{name}' allows {profile.max_accelerators} accelerators, the largest pool has {largest}"
            at = ("organization", "profiles", name, "max_accelerators")
            yield Problem(at, message, f"choose at most {largest}, or remove it", "warning")


@rule(
    "QUEUE-KUBERNETES",
    "Kueue is tested with three minor versions of Kubernetes; on others its webhooks may refuse what should pass",
    "Kueue 0.19, README (works with)",
)
def kubernetes_is_one_that_kueue_knows(subject: Subject) -> Iterator[Problem]:
    versions = facts.kueue().kubernetes
    for cluster in subject.fleet.clusters.values():
        minor = int(cluster.kubernetes.partition(".")[2])
        if not versions.oldest <= minor <= versions.newest:
            message = f"{cluster.name} runs Kubernetes {cluster.kubernetes}"
            remedy = f"choose 1.{versions.oldest} to 1.{versions.newest}"
            yield Problem(("clusters", cluster.name, "kubernetes"), message, remedy, "warning")
