"""Pieces of CEL that several rules need."""

import json
from collections.abc import Iterable, Mapping

from kueue.chart_values import USER

GATE = "kueue.x-k8s.io/admission"
GATES = "kueue.x-k8s.io/"
"""Kueue's scheduling gates, that of admission and that of topology."""
QUEUE = "kueue.x-k8s.io/queue-name"
PRIORITY = "kueue.x-k8s.io/priority-class"
GROUP = "kueue.x-k8s.io/pod-group-name"
ROLE_HASH = "kueue.x-k8s.io/role-hash"
CLUSTER_NAME = "skypilot-cluster-name"
"""Label by which SkyPilot knows the pods of one of its clusters."""
STAMP = "skyfleet.dev/definition"

IS_KUEUE = (
    f"request.userInfo.username == '{USER}' || "
    "(has(request.userInfo.groups) && 'system:masters' in request.userInfo.groups)"
)
"""Kueue's manager. Administrators of the cluster could remove the guard itself, so it does not pretend to hold them."""


def text(value: str) -> str:
    return json.dumps(value)


def texts(values: Iterable[str]) -> str:
    return json.dumps(list(values))


def mapping(values: Mapping[str, Iterable[str]]) -> str:
    return json.dumps({key: list(value) for key, value in values.items()})


def labels(of: str = "object") -> str:
    """Labels, or an empty mapping."""
    return f"(has({of}.metadata.labels) ? {of}.metadata.labels : {{}})"


def annotations(of: str = "object") -> str:
    return f"(has({of}.metadata.annotations) ? {of}.metadata.annotations : {{}})"


def listed(path: str) -> str:
    """A list that may be missing; `path` is a field of an object that is there."""
    return f"(has({path}) ? {path} : [])"
