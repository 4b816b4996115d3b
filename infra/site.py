"""Where resources are made: a cluster of the fleet, the provider that makes them, and the rules that they share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import pulumi

from infra.settings import Settings
from skyfleet.model import Fleet
from skyfleet.model.cluster import GkeCluster, NebiusCluster

C = TypeVar("C", NebiusCluster, GkeCluster)

RENAMED: Mapping[str, tuple[str, ...]] = {}
"""Resource name -> its earlier names, so that a rename here is no replacement there. Remove an entry when every stack is past it."""


@dataclass(frozen=True)
class Site(Generic[C]):
    fleet: Fleet
    cluster: C
    settings: Settings
    provider: pulumi.ProviderResource

    def options(
        self,
        name: str,
        *,
        protect: bool = False,
        retain: bool = False,
        deleted_with: pulumi.Resource | None = None,
        depends_on: Sequence[pulumi.Resource] = (),
        ignore_changes: Sequence[str] = (),
    ) -> pulumi.ResourceOptions:
        """Options of the resource `name`.

        `protect` is for what is lost for good or rebuilt in hours, `retain` leaves data in the cloud when the stack goes; a throwaway stack
        has neither. `deleted_with` is for what disappears with something else, even if that is lost.
        """
        return pulumi.ResourceOptions(
            provider=self.provider,
            protect=(protect and self.settings.protect) or None,
            retain_on_delete=(retain and self.settings.protect) or None,
            deleted_with=deleted_with,
            depends_on=list(depends_on),
            ignore_changes=list(ignore_changes) or None,
            aliases=[pulumi.Alias(name=old) for old in RENAMED.get(name, ())] or None,
        )

    def labels(self, **more: str) -> dict[str, str]:
        """Who owns a cloud resource, for the bill."""
        return {
            "organization": self.fleet.organization.organization,
            "fleet-cluster": self.cluster.name,
            "managed-by": "skyfleet",
            **more,
        }
