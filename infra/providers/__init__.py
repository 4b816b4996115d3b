"""One dispatch on the provider; the same outputs from each."""

from collections.abc import Callable

import pulumi

from infra.providers import existing
from infra.providers.outputs import ClusterOutputs
from skyfleet.model import Cluster

StandUp = Callable[[Cluster, str | None], ClusterOutputs]

_PROVIDERS: dict[str, StandUp] = {
    "existing": existing.connect,
}


class CannotCreate(pulumi.RunError):
    """The cluster does not exist and this program cannot create it yet."""


def stand_up(cluster: Cluster, kubeconfig: str | None) -> ClusterOutputs:
    """The cluster, made or found. A kubeconfig in the stack's configuration says that it exists already.

    Raises:
        CannotCreate: no kubeconfig, and a provider whose clusters this program does not create.
    """
    make = existing.connect if kubeconfig else _PROVIDERS.get(cluster.provider)
    if make is None:
        raise CannotCreate(
            f"creating {cluster.provider} clusters is not built yet; name the kubeconfig of the cluster that exists: "
            f"pulumi config set kubeconfig PATH -s {cluster.name}"
        )
    return make(cluster, kubeconfig)


__all__ = ["CannotCreate", "ClusterOutputs", "stand_up"]
