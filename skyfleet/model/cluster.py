"""Clusters: one file, one stack, one manifest, all under the cluster's name."""

from typing import Annotated, Any, Literal

from pydantic import Field

from skyfleet.model.base import Model
from skyfleet.model.network import Endpoint, GkeNetwork, NebiusNetwork
from skyfleet.model.pool import ExistingPool, GkePool, NebiusPool
from skyfleet.model.storage import Caches, Scratch

Provider = Literal["nebius", "gke", "existing"]


class Maintenance(Model):
    """When the provider may upgrade the control plane and nodes; pods on GPUs do not move with their node."""

    start: Annotated[str, Field(description="begin of the first window, RFC 3339")] = "2026-01-03T02:00:00Z"
    end: Annotated[str, Field(description="end of the first window, RFC 3339")] = "2026-01-03T14:00:00Z"
    recurrence: Annotated[str, Field(description="RFC 5545 rule; at least 48 hours in 32 days")] = (
        "FREQ=WEEKLY;BYDAY=SA,SU"
    )


class FederatedIdentity(Model):
    """Whose tokens CI presents instead of a key."""

    issuer: Annotated[str, Field(description="e.g. https://token.actions.githubusercontent.com")]
    subject: Annotated[str, Field(description="e.g. repo:acme/skyfleet:environment:production")]


class _Cluster(Model):
    name: str
    kubernetes: Annotated[str, Field(pattern=r"^1\.\d+$", description='minor version, quoted: "1.33"')]
    caches: Caches | None = None
    scratch: Scratch | None = None
    skypilot_user: Annotated[
        str | None,
        Field(
            description="how the cluster knows the SkyPilot server, beside the ServiceAccount made for it; known on GKE"
        ),
    ] = None


class NebiusCluster(_Cluster):
    provider: Literal["nebius"]
    project: Annotated[str, Field(description="Nebius project id, project-...")]
    region: Annotated[str, Field(description="e.g. eu-north1")]
    endpoint: Endpoint = Endpoint()
    network: NebiusNetwork = NebiusNetwork()
    ci: Annotated[FederatedIdentity | None, Field(description="lets CI deploy without a stored key")] = None
    pools: Annotated[tuple[NebiusPool, ...], Field(min_length=1)]

    @property
    def context(self) -> str:
        return self.name

    @property
    def aliases(self) -> tuple[str, ...]:
        return ("nebius",)


class GkeCluster(_Cluster):
    provider: Literal["gke"]
    project: Annotated[str, Field(description="Google Cloud project id")]
    region: Annotated[str, Field(description="region or zone, e.g. us-central1")]
    endpoint: Endpoint = Endpoint()
    network: GkeNetwork = GkeNetwork()
    release_channel: Literal["RAPID", "REGULAR", "STABLE", "EXTENDED"] = "REGULAR"
    maintenance: Maintenance = Maintenance()
    filestore_tier: Annotated[
        Literal["ZONAL", "REGIONAL", "BASIC_HDD", "BASIC_SSD"], Field(description="of caches and scratch")
    ] = "REGIONAL"

    @property
    def is_regional(self) -> bool:
        """us-central1, in all of whose zones the cluster stands, and not us-central1-a."""
        return self.region.count("-") == 1

    @property
    def service_accounts(self) -> dict[str, str]:
        """Purpose -> id of the service account made for it; an id has 6 to 30 characters."""
        return {purpose: f"{self.name[:21]}-{purpose}" for purpose in ("nodes", "skypilot", "ci")}

    def service_account_email(self, purpose: str) -> str:
        return f"{self.service_accounts[purpose]}@{self.project}.iam.gserviceaccount.com"

    pools: Annotated[tuple[GkePool, ...], Field(min_length=1)]

    @property
    def context(self) -> str:
        """`gke_PROJECT_LOCATION_NAME`, from which SkyPilot reads the pools' autoscaling (clouds.md, 2.3)."""
        return f"gke_{self.project}_{self.region}_{self.name}"

    @property
    def aliases(self) -> tuple[str, ...]:
        return ("gke", "gcp")


class ExistingCluster(_Cluster):
    """Any conformant cluster that runs already: on premises, kind, another team's."""

    provider: Literal["existing"]
    context: Annotated[str, Field(description="its context in the kubeconfig")]
    region: Annotated[str, Field(description="where it stands, for prices")] = "on-premises"
    shared_path: Annotated[
        str, Field(pattern="^/", description="folder on every node in which shared file systems are mounted")
    ] = "/mnt/skyfleet"
    pools: Annotated[tuple[ExistingPool, ...], Field(min_length=1)]

    @property
    def aliases(self) -> tuple[str, ...]:
        return ()


Cluster = NebiusCluster | GkeCluster | ExistingCluster
AnyPool = NebiusPool | GkePool | ExistingPool

CLUSTERS: dict[Any, type[Cluster]] = {
    "nebius": NebiusCluster,
    "gke": GkeCluster,
    "existing": ExistingCluster,
}
"""The one place that knows which model belongs to a provider."""
