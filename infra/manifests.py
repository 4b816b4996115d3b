"""Kubernetes objects from a manifest as Pulumi resources, each after those it refers to."""

from collections.abc import Iterator
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

Manifest = dict[str, Any]
Key = tuple[str, str]
"""Kind and name; the manifest of one cluster has one namespace."""


def apply(manifest: list[Manifest], provider: kubernetes.Provider) -> dict[Key, pulumi.CustomResource]:
    """Declare every object, in the order of the manifest.

    Plain custom resources, since `apiextensions.CustomResource` takes only `spec` and WorkloadPriorityClass has `value` beside it.
    """
    made: dict[Key, pulumi.CustomResource] = {}
    for item in manifest:
        depends_on = [made[key] for key in references(item) if key in made]
        options = pulumi.ResourceOptions(provider=provider, depends_on=depends_on)
        made[key(item)] = pulumi.CustomResource(_token(item), _name(item), dict(item), options)
    return made


def key(item: Manifest) -> Key:
    return item["kind"], item["metadata"]["name"]


def references(item: Manifest) -> Iterator[Key]:
    """What an object needs to be there first: a queue its cohort and flavors, a local queue its queue and namespace."""
    spec: Manifest = item.get("spec", {})
    if "namespace" in item["metadata"]:
        yield "Namespace", item["metadata"]["namespace"]
    if "cohortName" in spec:
        yield "Cohort", spec["cohortName"]
    if "clusterQueue" in spec:
        yield "ClusterQueue", spec["clusterQueue"]
    for group in spec.get("resourceGroups", []):
        for flavor in group["flavors"]:
            yield "ResourceFlavor", flavor["name"]


def _token(item: Manifest) -> str:
    version: str = item["apiVersion"]
    return f"kubernetes:{version if '/' in version else f'core/{version}'}:{item['kind']}"


def _name(item: Manifest) -> str:
    kind, name = key(item)
    return f"{kind.lower()}/{name}"
