"""A cluster that runs already: on premises, kind, any conformant one, found by its context."""

import os
from pathlib import Path

from infra.providers.outputs import ClusterOutputs
from infra.settings import Settings
from skyfleet.model import Cluster, Fleet


def connect(_: Fleet, cluster: Cluster, settings: Settings) -> ClusterOutputs:
    """Nothing is made. The kubeconfig stays a path, so that no credential of it reaches the state."""
    path = settings.kubeconfig or os.environ.get("KUBECONFIG") or str(Path("~/.kube/config").expanduser())
    return ClusterOutputs(
        name=cluster.name,
        context=cluster.context,
        kubeconfig=path,
        pools=tuple(pool.name for pool in cluster.pools),
    )
