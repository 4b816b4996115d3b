"""All objects of a cluster in the order in which kubectl may apply them."""

from kueue.cluster_queues import cluster_queues
from kueue.cohort import cohort
from kueue.local_queues import local_queues
from kueue.namespace import namespace
from kueue.objects import Manifest
from kueue.priority_classes import priority_class, workload_priority_classes
from kueue.resource_flavors import resource_flavors
from skyfleet.model import Cluster, Fleet


def manifest(fleet: Fleet, cluster: Cluster) -> list[Manifest]:
    return [
        namespace(fleet),
        priority_class(),
        *workload_priority_classes(fleet),
        *resource_flavors(cluster),
        cohort(fleet, cluster),
        *cluster_queues(fleet, cluster),
        *local_queues(fleet, cluster),
    ]
