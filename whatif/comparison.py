"""Both sides of a what-if, measured."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skyfleet.capacity import quota_key
from skyfleet.model import Fleet
from whatif.clock import SECONDS_PER_MINUTE
from whatif.demand import pool_units
from whatif.measures import Place, PlaceMeasures, measure
from whatif.plan import Replaying
from whatif.trace import History, Trace
from whatif.workload import Workload


@dataclass(frozen=True)
class Speed:
    """How the replay was made, for who judges its numbers."""

    seconds: float
    """Real time of the longest replay."""
    compression: float
    """Simulated seconds in a real one, over the whole of it."""
    tie_minutes: float
    """Workloads that arrive closer than this may look simultaneous to Kueue, which orders by whole seconds, if none had to wait."""
    slowest_reaction_seconds: float


@dataclass(frozen=True)
class Comparison:
    sides: tuple[str, ...]
    """As readers know the definitions: base, then head."""
    horizon_minutes: int
    histories: Mapping[Place, Mapping[str, Sequence[History]]]
    measures: Mapping[Place, Mapping[str, PlaceMeasures]]
    alike: frozenset[str]
    """Clusters that both definitions treat alike: one replay answers for both."""
    speed: Speed

    def circles(self) -> list[tuple[str, str, int]]:
        """Side, workload and number of those that Kueue preempted again and again within a minute."""
        return [
            (side, history.workload.name, history.circles)
            for by_side in self.histories.values()
            for side, histories in by_side.items()
            for history in histories
            if history.circles
        ]

    def never(self) -> list[tuple[str, str, str]]:
        """Side, workload and reason of those that did not start."""
        return [
            (side, history.workload.name, history.never)
            for by_side in self.histories.values()
            for side, histories in by_side.items()
            for history in histories
            if history.never is not None
        ]


def compare(
    fleets: Mapping[str, Fleet],
    workloads: Sequence[Workload],
    replays: Sequence[Replaying],
    traces: Sequence[Trace],
    most: float,
) -> Comparison:
    """`most` is the compression that was allowed."""
    horizon = max(workload.arrival_minutes for workload in workloads)
    histories: dict[Place, dict[str, list[History]]] = {}
    for replaying, trace in zip(replays, traces, strict=True):
        for history in trace.histories:
            place = Place(history.workload.cluster, history.workload.shape.unit)
            for side in replaying.sides:
                histories.setdefault(place, {}).setdefault(side, []).append(history)
    measures = {
        place: {side: measure(of, _units(fleets[side], place), horizon) for side, of in by_side.items()}
        for place, by_side in sorted(histories.items(), key=lambda item: str(item[0]))
    }
    alike = frozenset(replaying.cluster for replaying in replays if len(replaying.sides) == len(fleets))
    return Comparison(tuple(fleets), horizon, histories, measures, alike, _speed(traces, most, horizon))


def data_of(comparison: Comparison) -> dict[str, Any]:
    """As plain data, for programs."""
    places = [
        {
            "cluster": place.cluster,
            "unit": place.unit,
            "sides": {side: dataclasses.asdict(of) for side, of in by_side.items()},
        }
        for place, by_side in comparison.measures.items()
    ]
    never = [{"side": side, "workload": name, "reason": reason} for side, name, reason in comparison.never()]
    return {
        "sides": list(comparison.sides),
        "horizon_minutes": comparison.horizon_minutes,
        "clusters_alike": sorted(comparison.alike),
        "places": places,
        "never_started": never,
        "preempted_in_circles": [
            {"side": side, "workload": name, "times": times} for side, name, times in comparison.circles()
        ],
        "replay": dataclasses.asdict(comparison.speed),
    }


def _units(fleet: Fleet, place: Place) -> int:
    cluster = fleet.clusters.get(place.cluster)
    pools = cluster.pools if cluster else ()
    return sum(pool_units(cluster, pool) for pool in pools if cluster and quota_key(pool) == place.unit)


def _speed(traces: Sequence[Trace], most: float, horizon: int) -> Speed:
    seconds = max((trace.seconds for trace in traces), default=0.0)
    compression = horizon * SECONDS_PER_MINUTE / seconds if seconds else most
    slowest = max((trace.slowest_reaction_seconds for trace in traces), default=0.0)
    return Speed(round(seconds, 1), round(compression), round(compression / SECONDS_PER_MINUTE), round(slowest, 2))
