"""Kubernetes objects that a change creates, changes or deletes on a cluster."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from addons.manifest import manifest as addons
from kueue.manifest import manifest as queues
from skyfleet.model import Cluster, Fleet

_HASH = re.compile(r"-[0-9a-f]{8}$")

Key = tuple[str, str]
"""Kind, and name after its namespace: an object that moves to another is made anew."""


@dataclass(frozen=True)
class ObjectChange:
    kind: str
    name: str
    change: Literal["create", "change", "delete"]


def compare(base: Fleet | None, head: Fleet | None, name: str) -> list[ObjectChange]:
    before, after = _objects(base, name), _objects(head, name)
    return [change for key in sorted({*before, *after}) for change in _change(key, before, after)]


def _change(key: Key, before: Mapping[Key, Any], after: Mapping[Key, Any]) -> Iterator[ObjectChange]:
    if key not in after:
        yield ObjectChange(*key, "delete")
    elif key not in before:
        yield ObjectChange(*key, "create")
    elif before[key] != after[key]:
        yield ObjectChange(*key, "change")


def _objects(fleet: Fleet | None, name: str) -> dict[Key, Any]:
    cluster: Cluster | None = fleet.clusters.get(name) if fleet else None
    if fleet is None or cluster is None:
        return {}
    return {
        (item["kind"], _name(item["metadata"])): item
        for manifest in (queues, addons)
        for item in manifest(fleet, cluster)
    }


def _name(metadata: Mapping[str, Any]) -> str:
    """A name that ends in the hash of its content is one object through all its contents."""
    name = _HASH.sub("-…", metadata["name"])
    return f"{metadata['namespace']}/{name}" if "namespace" in metadata else name
