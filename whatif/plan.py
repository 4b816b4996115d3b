"""Which replays a comparison needs: one for each cluster and definition, and one for both where they do not differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from kueue.manifest import manifest
from kueue.objects import Manifest
from skyfleet.model import Fleet
from whatif.demand import Demand, NoPlaceError, place
from whatif.trace import History
from whatif.workload import Workload


@dataclass(frozen=True)
class Replaying:
    """A replay to be made."""

    name: str
    """Of its throwaway cluster."""
    cluster: str
    sides: tuple[str, ...]
    """The definitions that it answers for."""
    namespace: str
    queues: Sequence[Manifest]
    demands: Sequence[Demand]
    hopeless: Sequence[History]
    """Workloads that the arithmetic alone refuses."""


def plan(fleets: Mapping[str, Fleet], workloads: Iterable[Workload]) -> list[Replaying]:
    by_cluster: dict[str, list[Workload]] = {}
    for workload in workloads:
        by_cluster.setdefault(workload.cluster, []).append(workload)
    made: list[Replaying] = []
    for cluster, own in sorted(by_cluster.items()):
        found = [
            _replaying(f"{cluster}-{number}", cluster, (side, fleet), own)
            for number, (side, fleet) in enumerate(fleets.items())
        ]
        made += _merged(found)
    return made


def _replaying(name: str, cluster: str, of: tuple[str, Fleet], workloads: Iterable[Workload]) -> Replaying:
    side, fleet = of
    demands: list[Demand] = []
    hopeless: list[History] = []
    for workload in workloads:
        try:
            demands.append(place(workload, fleet))
        except NoPlaceError as reason:
            hopeless.append(History(workload, never=str(reason)))
    queues = manifest(fleet, fleet.clusters[cluster]) if cluster in fleet.clusters else []
    return Replaying(name, cluster, (side,), fleet.organization.namespace, queues, demands, hopeless)


def _merged(found: list[Replaying]) -> list[Replaying]:
    """A cluster that both definitions treat alike is replayed once, or chance would show as a difference."""
    first, *others = found
    if any(
        (other.queues, other.demands, other.hopeless) != (first.queues, first.demands, first.hopeless)
        for other in others
    ):
        return found
    sides = tuple(side for replaying in found for side in replaying.sides)
    return [Replaying(first.name, first.cluster, sides, first.namespace, first.queues, first.demands, first.hopeless)]
