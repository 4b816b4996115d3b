"""One dispatch on the provider; the same outputs from each."""

from collections.abc import Callable

from infra.providers import existing
from infra.providers.outputs import ClusterOutputs
from infra.settings import Settings
from skyfleet.model import Cluster, Fleet
from skyfleet.model.cluster import GkeCluster, NebiusCluster

StandUp = Callable[[Fleet, Cluster, Settings], ClusterOutputs]


def _nebius(fleet: Fleet, cluster: Cluster, settings: Settings) -> ClusterOutputs:
    from infra.providers import nebius  # noqa: PLC0415 - each cloud's SDK takes up to a second to import

    assert isinstance(cluster, NebiusCluster)  # noqa: S101 - the dispatch below is by provider
    return nebius.create(fleet, cluster, settings)


def _gke(fleet: Fleet, cluster: Cluster, settings: Settings) -> ClusterOutputs:
    from infra.providers import gke  # noqa: PLC0415 - as above

    assert isinstance(cluster, GkeCluster)  # noqa: S101 - as above
    return gke.create(fleet, cluster, settings)


_PROVIDERS: dict[str, StandUp] = {
    "existing": existing.connect,
    "nebius": _nebius,
    "gke": _gke,
}


def stand_up(fleet: Fleet, cluster: Cluster, settings: Settings) -> ClusterOutputs:
    """The cluster, made or found. A kubeconfig in the stack's configuration says that it exists already."""
    make = existing.connect if settings.kubeconfig else _PROVIDERS[cluster.provider]
    return make(fleet, cluster, settings)


__all__ = ["ClusterOutputs", "stand_up"]
