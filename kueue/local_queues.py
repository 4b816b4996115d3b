"""LocalQueue: what a pod's `kueue.x-k8s.io/queue-name` says; one for each team, under its name."""

from kueue.objects import Manifest, kueue_object
from skyfleet.capacity import teams_on
from skyfleet.model import Cluster, Fleet


def local_queues(fleet: Fleet, cluster: Cluster) -> list[Manifest]:
    namespace = fleet.organization.namespace
    return [
        kueue_object("LocalQueue", team.name, namespace=namespace, spec={"clusterQueue": team.name})
        for team in teams_on(fleet, cluster)
    ]
