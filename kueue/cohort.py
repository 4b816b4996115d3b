"""Cohort: the organization's teams on one cluster, who lend to each other; it owns what no team is guaranteed."""

from functools import partial

from kueue.objects import Manifest, kueue_object
from kueue.resource_groups import resource_groups
from skyfleet.capacity import unassigned
from skyfleet.model import Cluster, Fleet


def cohort(fleet: Fleet, cluster: Cluster) -> Manifest:
    groups = resource_groups(cluster, partial(unassigned, fleet, cluster))
    return kueue_object("Cohort", fleet.organization.organization, spec={"resourceGroups": groups})
