"""Which fields of a pod engineers may not set themselves, and how to find them in a configuration."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from skyfleet_policy._fields import mapping
from skyfleet_policy.contract import Action
from skyfleet_policy.nested import get

Place = tuple["str | int", ...]
"""Where a value is: keys of mappings and positions in lists."""

CONTAINER = "ray-node"
"""The container of SkyPilot's pods in which tasks run."""

CAPABILITIES = frozenset({"IPC_LOCK"})
"""What a container may add: InfiniBand registers memory that must stay where it is. The guard in the clusters agrees."""

VOLUMES = frozenset(
    {"configMap", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret"}
)
"""Where a volume may come from. The guard in the clusters agrees."""

TOLERATED = frozenset(
    {"cloud.google.com/gke-spot"}
    | {f"node.kubernetes.io/{what}" for what in ("not-ready", "unreachable", "memory-pressure")}
)
"""Taints that any pod may tolerate; of the pools' own, those of the pool it goes to. The guard in the clusters agrees."""

PLAIN_RESOURCES = frozenset({"cpu", "memory", "ephemeral-storage"})
"""What a container may ask for by itself; everything else is counted by the fleet."""


@dataclass(frozen=True)
class Field:
    """A field that is the fleet's. `[]` in a path is each item of a list, `[x*]` each key or item that begins with x."""

    path: str
    reason: str
    action: Action = "reject"

    @property
    def steps(self) -> tuple[str, ...]:
        """The path in single steps."""
        return tuple(re.findall(r"\[[^\]]*\]|[^.\[\]]+", self.path))


SHAPES: tuple[tuple[tuple[str, ...], type], ...] = (
    (("metadata",), dict),
    (("metadata", "labels"), dict),
    (("metadata", "annotations"), dict),
    (("spec",), dict),
    (("spec", "securityContext"), dict),
    (("spec", "nodeSelector"), dict),
    (("spec", "volumes"), list),
    (("spec", "tolerations"), list),
    (("spec", "containers"), list),
    (("spec", "initContainers"), list),
)
"""What a field must be where it is set; the items of a list are mappings."""

_METADATA = (
    Field("metadata.name", "SkyPilot names the pods"),
    Field("metadata.generateName", "SkyPilot names the pods"),
    Field("metadata.namespace", "pods run in the fleet's namespace"),
    Field("metadata.labels[skypilot-*]", "SkyPilot's labels say whose pod it is"),
    Field("metadata.labels.parent", "SkyPilot's labels say whose pod it is"),
    Field("metadata.finalizers", "a finalizer keeps quota after the pod has gone"),
    Field("metadata.ownerReferences", "an owner of another kind would hide the pod from Kueue"),
    Field("metadata.labels[kueue.x-k8s.io/*]", "Kueue's labels follow from the team and the priority"),
    Field("metadata.annotations[kueue.x-k8s.io/*]", "Kueue trusts its annotations, so they are not for tasks"),
)
_CONTAINERS = tuple(
    field
    for kind in ("containers", "initContainers")
    for field in (
        Field(f"spec.{kind}[].securityContext.privileged", "it takes the whole node"),
        Field(f"spec.{kind}[].securityContext.procMount", "it opens the node's /proc"),
        Field(
            f"spec.{kind}[].securityContext.capabilities.add[]", "it is not among the capabilities that tasks may add"
        ),
        Field(f"spec.{kind}[].ports[].hostPort", "it takes a port of the node"),
        Field(
            f"spec.{kind}[].resources.requests[]",
            "accelerators and devices are asked for with `resources.accelerators`",
        ),
        Field(
            f"spec.{kind}[].resources.limits[]", "accelerators and devices are asked for with `resources.accelerators`"
        ),
    )
)
FIELDS = (
    *_METADATA,
    Field("spec.hostNetwork", "it shares the node's network"),
    Field("spec.hostPID", "it sees the node's processes"),
    Field("spec.hostIPC", "it shares the node's memory segments"),
    Field("spec.hostUsers", "the fleet decides on user namespaces"),
    Field("spec.serviceAccountName", "it acts as somebody else"),
    Field("spec.serviceAccount", "it acts as somebody else"),
    Field("spec.priority", "priority is asked for with `resources.priority_class`"),
    Field("spec.preemptionPolicy", "only Kueue preempts"),
    Field("spec.schedulerName", "another scheduler knows nothing of the quotas"),
    Field("spec.nodeName", "it passes by the scheduler"),
    Field("spec.schedulingGates", "gates are Kueue's"),
    Field("spec.resourceClaims", "accelerators and devices are asked for with `resources.accelerators`"),
    Field("spec.ephemeralContainers", "they are made in running pods, not by tasks"),
    Field("spec.volumes[].hostPath", "it opens the node's files"),
    Field("spec.volumes[][]", "volumes are claims, secrets and the like"),
    *_CONTAINERS,
)
"""In the order in which they are reported."""

_BY_TOP = tuple(
    (top, tuple((field.steps, field) for field in fields))
    for top, fields in itertools.groupby(FIELDS, key=lambda field: field.steps[:2])
)
"""By the first two steps of their paths, so that what a pod does not have costs one look."""
METADATA_FIELDS = tuple(
    (field.steps[1:], field)
    for field in (*_METADATA, Field("metadata.annotations[skyfleet.dev/*]", "the stamp is the fleet's"))
)
"""The same for `custom_metadata`, which SkyPilot puts on pods last of all."""


def forbidden(pod: Mapping[str, object]) -> Iterator[tuple[Field, Place]]:
    """The fields of a pod configuration that are the fleet's, with their places."""
    for top, fields in _BY_TOP:
        if get(pod, top) is None:
            continue
        seen: set[Place] = set()
        for steps, field in fields:
            for place, value in find(pod, steps):
                if place not in seen and not _harmless(place, value):
                    seen.add(place)
                    yield field, place


def forbidden_metadata(metadata: Mapping[str, object]) -> Iterator[tuple[Field, Place]]:
    """The same for `custom_metadata`."""
    for steps, field in METADATA_FIELDS:
        for place, _ in find(metadata, steps):
            yield field, place


def misshapen(pod: Mapping[str, object]) -> Iterator[tuple[Place, str]]:
    """Fields of which Kubernetes could make nothing, and what they should be."""
    for path, shape in SHAPES:
        if path[0] not in pod:
            continue
        value = get(pod, path)
        if value is not None and not isinstance(value, shape):
            yield path, "a mapping" if shape is dict else "a list"
        elif shape is list:
            for index, item in enumerate(cast("list[object]", value or [])):
                if not isinstance(item, dict):
                    yield (*path, index), "a mapping"


def find(value: object, steps: tuple[str, ...], place: Place = ()) -> Iterator[tuple[Place, object]]:
    """The values at a path of steps, with their places."""
    if not steps:
        if value is not None and value is not False and value != []:
            yield place, value
        return
    step, rest = steps[0], steps[1:]
    for key, item in _entries(value, step):
        yield from find(item, rest, (*place, key))


def _entries(value: object, step: str) -> Iterator[tuple[str | int, object]]:
    if not step.startswith("["):
        held = mapping(value)
        if step in held:
            yield step, held[step]
        return
    prefix = step[1:-1].rstrip("*")
    if isinstance(value, list):
        yield from enumerate(cast("list[object]", value))
    else:
        yield from ((key, item) for key, item in mapping(value).items() if str(key).startswith(prefix))


def _harmless(place: Place, value: object) -> bool:
    """Values that a task may have at places where others are forbidden."""
    if place[:-1] == ("metadata", "labels") and place[-1] == "kueue.x-k8s.io/priority-class":
        return True  # overwritten by the rule `priority`
    if "capabilities" in place:
        return isinstance(value, str) and value in CAPABILITIES
    if "volumes" in place:
        return place[-1] == "name" or place[-1] in VOLUMES
    return "resources" in place and place[-1] in PLAIN_RESOURCES


def remove(value: object, place: Place) -> object:
    """The configuration without what is at a place; an item of a list leaves none behind."""
    key, rest = place[0], place[1:]
    if isinstance(key, int):
        items = list(cast("list[object]", value))
        if rest:
            items[key] = remove(items[key], rest)
        else:
            del items[key]
        return items
    held = mapping(value)
    if rest:
        return {**held, key: remove(held[key], rest)}
    return {name: item for name, item in held.items() if name != key}


def shown(place: Place) -> str:
    """A place as messages write it: `spec.volumes[0].hostPath`."""
    text = ""
    for key in place:
        if isinstance(key, int):
            text += f"[{key}]"
        else:
            text += f"[{key}]" if "." in key else f".{key}" if text else key
    return text
