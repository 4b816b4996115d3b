"""Google Kubernetes Engine: locations and Filestore."""

import re
from collections.abc import Iterator

from skyfleet.check import facts
from skyfleet.check.rule import Problem, Subject, rule
from skyfleet.model import GkeCluster


@rule(
    "GKE-LOCATION",
    "a location that is neither region nor zone fails only when the cluster is made",
    "Google Cloud, regions and zones",
)
def locations_are_regions_or_zones(subject: Subject) -> Iterator[Problem]:
    for cluster in _clusters(subject):
        if not re.fullmatch(facts.clouds().gke.location, cluster.region):
            message = f"region '{cluster.region}' is neither a region nor a zone"
            yield Problem(
                ("clusters", cluster.name, "region"), message, "write one such as us-central1 or us-central1-a"
            )


@rule(
    "GKE-FILESTORE",
    "caches and scratch are Filestore shares, which start at 1 TiB and come in two ranges",
    "Google Cloud, Filestore service tiers (ZONAL)",
)
def volumes_are_large_enough(subject: Subject) -> Iterator[Problem]:
    gke = facts.clouds().gke
    ranges = (gke.volume_range_gib.small, gke.volume_range_gib.large)
    for cluster in _clusters(subject):
        for field, volume in (("caches", cluster.caches), ("scratch", cluster.scratch)):
            if volume is not None and not any(least <= volume.size_gib <= most for least, most in ranges):
                message = f"{field} of {volume.size_gib} GiB on {cluster.name} is no size that Filestore offers"
                remedy = f"choose {' or '.join(f'{least} to {most}' for least, most in ranges)} GiB"
                yield Problem(("clusters", cluster.name, field, "size_gib"), message, remedy)


def _clusters(subject: Subject) -> Iterator[GkeCluster]:
    return (cluster for cluster in subject.fleet.clusters.values() if isinstance(cluster, GkeCluster))
