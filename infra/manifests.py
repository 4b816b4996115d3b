"""Kubernetes objects from a manifest as Pulumi resources, each after those it refers to."""

from collections.abc import Iterator, Sequence
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

Manifest = dict[str, Any]
Key = tuple[str, str]
"""Kind and name: within a cluster's manifests no two objects of a kind share a name, whatever their namespaces."""


def apply(
    manifest: list[Manifest],
    provider: kubernetes.Provider,
    *,
    depends_on: Sequence[pulumi.Resource] = (),
    deleted_with: pulumi.Resource | None = None,
) -> dict[Key, pulumi.CustomResource]:
    """Declare every object, in the order of the manifest.

    Plain custom resources, since `apiextensions.CustomResource` takes only `spec` and WorkloadPriorityClass has `value` beside it.
    `deleted_with` is the cluster: when it goes, its objects need not be asked to.
    """
    made: dict[Key, pulumi.CustomResource] = {}
    for item in manifest:
        needed = [made[key] for key in references(item) if key in made]
        options = pulumi.ResourceOptions(
            provider=provider, depends_on=[*depends_on, *needed], deleted_with=deleted_with
        )
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
    if "policyName" in spec:
        yield "ValidatingAdmissionPolicy", spec["policyName"]
    if "volumeName" in spec:
        yield "PersistentVolume", spec["volumeName"]
    if "roleRef" in item:
        yield item["roleRef"]["kind"], item["roleRef"]["name"]
    for group in spec.get("resourceGroups", []):
        for flavor in group["flavors"]:
            yield "ResourceFlavor", flavor["name"]
    yield from _of_pod(_pod(item))


def _of_pod(pod: Manifest) -> Iterator[Key]:
    """What a pod cannot start without."""
    if "serviceAccountName" in pod:
        yield "ServiceAccount", pod["serviceAccountName"]
    for volume in pod.get("volumes", []):
        if "configMap" in volume:
            yield "ConfigMap", volume["configMap"]["name"]
        if "persistentVolumeClaim" in volume:
            yield "PersistentVolumeClaim", volume["persistentVolumeClaim"]["claimName"]


def _pod(item: Manifest) -> Manifest:
    """The pod that an object is to start, if any: of a DaemonSet, a Job, a CronJob."""
    spec: Manifest = item.get("spec", {})
    return spec.get("jobTemplate", {"spec": spec})["spec"].get("template", {}).get("spec", {})


def _token(item: Manifest) -> str:
    version: str = item["apiVersion"]
    return f"kubernetes:{version if '/' in version else f'core/{version}'}:{item['kind']}"


def _name(item: Manifest) -> str:
    kind, name = key(item)
    return f"{kind.lower()}/{name}"
