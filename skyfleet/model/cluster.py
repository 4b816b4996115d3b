"""Clusters: one file, one stack, one manifest, all under the cluster's name."""

from typing import Annotated, Any, Literal

from pydantic import Field

from skyfleet.model.base import Model, Positive
from skyfleet.model.pool import ExistingPool, GkePool, NebiusPool

Provider = Literal["nebius", "gke", "existing"]


class Caches(Model):
    """Shared caches, one volume for every node of the cluster."""

    size_gib: Positive
    packages: Annotated[bool, Field(description="Python packages: uv and pip")] = True
    models: Annotated[bool, Field(description="model weights: the Hugging Face hub cache")] = True


class Scratch(Model):
    size_gib: Positive
    retention_days: Positive


class _Cluster(Model):
    name: str
    kubernetes: Annotated[str, Field(pattern=r"^1\.\d+$", description='minor version, quoted: "1.33"')]
    caches: Caches | None = None
    scratch: Scratch | None = None


class NebiusCluster(_Cluster):
    provider: Literal["nebius"]
    project: Annotated[str, Field(description="Nebius project id, project-...")]
    region: Annotated[str, Field(description="e.g. eu-north1")]
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
