"""ClusterQueue: one for each team with quota on the cluster, under the team's name."""

from functools import partial

from kueue.namespace import NAME_LABEL
from kueue.objects import Manifest, kueue_object
from kueue.resource_groups import resource_groups
from skyfleet.capacity import guarantee, teams_on
from skyfleet.model import Cluster, Fleet, Team


def cluster_queues(fleet: Fleet, cluster: Cluster) -> list[Manifest]:
    return [_queue(fleet, cluster, team) for team in teams_on(fleet, cluster)]


def _queue(fleet: Fleet, cluster: Cluster, team: Team) -> Manifest:
    """BestEffortFIFO, since a head that does not fit must not block the rest.

    Within the queue a higher priority preempts a lower one; what others borrowed of the team's guarantee is reclaimed whatever its
    priority, in the order of fair sharing.
    """
    spec = {
        "cohortName": fleet.organization.organization,
        "namespaceSelector": {"matchLabels": {NAME_LABEL: fleet.organization.namespace}},
        "queueingStrategy": "BestEffortFIFO",
        "resourceGroups": resource_groups(cluster, partial(guarantee, team, cluster)),
        "preemption": {"withinClusterQueue": "LowerPriority", "reclaimWithinCohort": "Any"},
        "fairSharing": {"weight": str(team.weight)},
    }
    return kueue_object("ClusterQueue", team.name, spec=spec)
