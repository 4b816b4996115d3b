"""Google Kubernetes Engine: locations and Filestore."""

import re
from collections.abc import Iterator

from skyfleet.check import facts
from skyfleet.check.rule import Problem, Subject, rule
from skyfleet.model import GkeCluster
from skyfleet.model.cloud import gke_facts


@rule(
    "GKE-LOCATION",
    "a location that is neither region nor zone fails only when the cluster is made",
    "Google Cloud, regions and zones",
)
def locations_are_regions_or_zones(subject: Subject) -> Iterator[Problem]:
    for cluster in _clusters(subject):
        if not re.fullmatch(facts.clouds().location, cluster.region):
            message = f"region '{cluster.region}' is neither a region nor a zone"
            yield Problem(
                ("clusters", cluster.name, "region"), message, "write one such as us-central1 or us-central1-a"
            )


@rule(
    "GKE-FILESTORE",
    "caches and scratch are Filestore instances, whose tiers begin at 100 GiB to 2.5 TiB",
    "Google Cloud, Filestore service tiers",
)
def volumes_have_a_size_of_their_tier(subject: Subject) -> Iterator[Problem]:
    for cluster in _clusters(subject):
        tier = gke_facts().filestore[cluster.filestore_tier]
        for field, volume in (("caches", cluster.caches), ("scratch", cluster.scratch)):
            if volume is not None and not tier.minimum_gib <= volume.size_gib <= tier.maximum_gib:
                message = f"{field} of {volume.size_gib} GiB on {cluster.name} is no size of Filestore {cluster.filestore_tier}"
                remedy = f"choose {tier.minimum_gib} to {tier.maximum_gib} GiB, or another filestore_tier"
                yield Problem(("clusters", cluster.name, field, "size_gib"), message, remedy)


def _clusters(subject: Subject) -> Iterator[GkeCluster]:
    return (cluster for cluster in subject.fleet.clusters.values() if isinstance(cluster, GkeCluster))
