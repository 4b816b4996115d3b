"""Names become labels, queues and Kubernetes objects: they must be legal in all of them."""

import re
from collections.abc import Iterator

from skyfleet.check.rule import Problem, Subject, rule
from skyfleet.finding import Where

_DNS_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
_LABEL_VALUE = re.compile(r"[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?")
_LABEL_KEY = re.compile(r"[a-z]([a-z0-9_-]{0,61}[a-z0-9])?")


@rule(
    "NAME-OBJECT",
    "a name is a Kubernetes object, a stack and a label value on GCP at once: DNS-1123 label, 63 characters",
    "Kubernetes, object names (RFC 1123); Google Cloud, labels",
)
def object_names(subject: Subject) -> Iterator[Problem]:
    for at, kind, name in _objects(subject):
        if not _DNS_LABEL.fullmatch(name):
            yield Problem(at, f"{kind} name '{name}' is not legal", f"rename it, for example '{_legal(name)}'")


@rule(
    "NAME-DEFAULT",
    "Kueue sends every pod without a queue to a LocalQueue called 'default', SkyPilot's controllers too",
    "Kueue 0.19.2, feature LocalQueueDefaulting",
)
def no_default_queue(subject: Subject) -> Iterator[Problem]:
    if "default" in subject.teams:
        yield Problem(("teams", "default"), "a team cannot be called 'default'", "rename its file")


@rule(
    "NAME-LABEL-VALUE",
    "a cost center is a label value on pods and on GCP, whose characters are fewer than Kubernetes'",
    "Kubernetes, label syntax; Google Cloud, labels",
)
def label_values(subject: Subject) -> Iterator[Problem]:
    for name, team in subject.fleet.teams.items():
        if not _LABEL_VALUE.fullmatch(team.cost_center):
            at = ("teams", name, "cost_center")
            yield Problem(at, f"cost center '{team.cost_center}' is not legal", f"write '{_legal(team.cost_center)}'")


@rule(
    "NAME-LABEL-KEY", "GCP label keys start with a lowercase letter and hold no dots or slashes", "Google Cloud, labels"
)
def label_keys(subject: Subject) -> Iterator[Problem]:
    for field, key in subject.fleet.organization.labels:
        if not _LABEL_KEY.fullmatch(key):
            at = ("organization", "labels", field)
            yield Problem(at, f"label key '{key}' is not legal", f"write '{_legal(key)}'")


@rule(
    "NAME-CONTEXT",
    "SkyPilot splits gke_PROJECT_LOCATION_NAME at its underscores; exactly three may be there",
    "SkyPilot 0.14.1, provision/kubernetes/utils.py",
)
def gke_contexts(subject: Subject) -> Iterator[Problem]:
    for name, cluster in subject.fleet.clusters.items():
        if cluster.provider != "gke":
            continue
        for field, value in (("project", cluster.project), ("region", cluster.region)):
            if not _DNS_LABEL.fullmatch(value):
                message = f"{field} '{value}' is not one of Google Cloud"
                yield Problem(("clusters", name, field), message, "lowercase letters, digits and hyphens only")


def _objects(subject: Subject) -> Iterator[tuple[Where, str, str]]:
    organization = subject.fleet.organization
    yield ("organization", "organization"), "organization", organization.organization
    yield ("organization", "namespace"), "namespace", organization.namespace
    for name in sorted(subject.clusters):
        yield ("clusters", name), "cluster", name
    for name in sorted(subject.teams):
        yield ("teams", name), "team", name
    for name in organization.priorities:
        yield ("organization", "priorities", name), "priority", name
    for name in organization.profiles:
        yield ("organization", "profiles", name), "profile", name
    for cluster in subject.fleet.clusters.values():
        for index, pool in enumerate(cluster.pools):
            yield ("clusters", cluster.name, "pools", index, "name"), "pool", pool.name


def _legal(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:63] or "a-name"
