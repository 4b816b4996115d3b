"""The objects generated for one cluster, as the rules look at them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from kueue.configuration import configuration
from kueue.manifest import manifest
from kueue.objects import Manifest
from skyfleet.check.rule import Problem
from skyfleet.finding import Severity
from skyfleet.model import Cluster, Fleet


@dataclass(frozen=True)
class Objects:
    cluster: str
    manifest: tuple[Manifest, ...]
    configuration: Manifest
    """Kueue's own, which holds on every cluster."""

    @classmethod
    def of(cls, fleet: Fleet, cluster: Cluster) -> "Objects":
        return cls(cluster.name, tuple(manifest(fleet, cluster)), configuration(fleet))

    def all(self, *kinds: str) -> Iterator[Manifest]:
        return (item for item in self.manifest if item["kind"] in kinds)

    def names(self, kind: str) -> frozenset[str]:
        return frozenset(item["metadata"]["name"] for item in self.all(kind))

    def problem(self, item: Manifest, message: str, remedy: str, severity: Severity = "error") -> Problem:
        """A problem of one object; its place is the cluster's file, since the definition is what people edit."""
        subject = f"{item['kind']} '{item['metadata']['name']}'" if "metadata" in item else item["kind"]
        return Problem(("clusters", self.cluster), f"{subject} of {self.cluster} {message}", remedy, severity)


def groups(item: Manifest) -> list[Mapping[str, Any]]:
    """Resource groups of a ClusterQueue or Cohort."""
    return item["spec"].get("resourceGroups", [])


def flavors(item: Manifest) -> Iterator[Mapping[str, Any]]:
    return (flavor for group in groups(item) for flavor in group["flavors"])


def quotas(item: Manifest) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Flavor name and quota of one resource."""
    return ((flavor["name"], quota) for flavor in flavors(item) for quota in flavor["resources"])
