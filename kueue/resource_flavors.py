"""ResourceFlavor: one for each pool, under its name."""

from kueue.objects import Manifest, kueue_object
from skyfleet import nodes
from skyfleet.model import AnyPool, Cluster


def resource_flavors(cluster: Cluster) -> list[Manifest]:
    return [_flavor(cluster, pool) for pool in cluster.pools]


def _flavor(cluster: Cluster, pool: AnyPool) -> Manifest:
    """Labels become the admitted pod's nodeSelector; the taint keeps pods without accelerators off this flavor."""
    spec: Manifest = {"nodeLabels": nodes.labels(cluster, pool)}
    taints = [{"key": taint.key, "value": taint.value, "effect": taint.effect} for taint in nodes.taints(pool)]
    if taints:
        spec["nodeTaints"] = taints
    return kueue_object("ResourceFlavor", pool.name, spec=spec)
