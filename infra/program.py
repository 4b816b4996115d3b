"""What one stack stands up: the cluster, then what Kueue must know of it."""

import pulumi_kubernetes as kubernetes

from infra import repository
from infra.manifests import apply
from infra.providers import ClusterOutputs
from infra.providers import stand_up as stand_up_cluster


def stand_up(stack: str, kubeconfig: str | None) -> None:
    cluster = stand_up_cluster(repository.cluster(stack), kubeconfig)
    apply(repository.manifest(stack), _provider(cluster))
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
