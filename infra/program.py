"""What one stack stands up: the cluster, Kueue in it, then what Kueue and the cluster must know of the fleet."""

import pulumi
import pulumi_kubernetes as kubernetes

from infra import kueue_chart, repository
from infra.manifests import apply
from infra.providers import ClusterOutputs
from infra.providers import stand_up as stand_up_cluster
from infra.settings import Settings


def stand_up(stack: str, settings: Settings) -> None:
    fleet = repository.fleet()
    cluster = stand_up_cluster(fleet, repository.cluster(stack), settings)
    provider = _provider(cluster)
    before: tuple[pulumi.Resource, ...] = ()
    if cluster.resource is not None:
        before = (kueue_chart.install(cluster, provider, settings),)
    apply(repository.manifests(stack), provider, depends_on=before, deleted_with=cluster.resource)
    cluster.export()


def _provider(cluster: ClusterOutputs) -> kubernetes.Provider:
    """`cluster_identifier` keeps a changed kubeconfig from replacing every object (pulumi/pulumi-kubernetes#4019)."""
    return kubernetes.Provider(
        cluster.name,
        kubeconfig=cluster.kubeconfig,
        context=cluster.context,
        cluster_identifier=cluster.name,
        enable_server_side_apply=True,
    )
