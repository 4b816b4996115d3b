"""What a replay comes to: waiting, preemptions, use and fairness, for each team on each kind of accelerator (or cpu) of a cluster."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from whatif.trace import History

MINUTES_PER_HOUR = 60
PERCENTILE = 0.9


@dataclass(frozen=True)
class Place:
    """Where workloads compete: the accelerators of one kind, or the cores, of a cluster."""

    cluster: str
    unit: str

    def __str__(self) -> str:
        return f"{self.cluster} {self.unit}"


@dataclass(frozen=True)
class TeamMeasures:
    """Hours are simulated ones."""

    submitted: int
    never: int
    """Those that did not start."""
    median_wait_hours: float | None
    """In the queue, before its start and after preemptions; of those that started."""
    p90_wait_hours: float | None
    preemptions: int
    lost_unit_hours: float
    """Accelerator-hours (or core-hours) of work that preemptions destroyed."""
    served: float
    """Part of what it would have used with nobody else there, until the last arrival."""


@dataclass(frozen=True)
class PlaceMeasures:
    units: int
    """Accelerators, or cores."""
    utilisation: float
    """Part of them in use, from the first to the last arrival."""
    fairness: float
    """Jain's index of what the teams were served: 1 is equal, 1/n all to one of n."""
    teams: dict[str, TeamMeasures]


def measure(histories: Iterable[History], units: int, horizon_minutes: int) -> PlaceMeasures:
    """The horizon is the last arrival: later only the rest runs out."""
    everyone = list(histories)
    by_team: dict[str, list[History]] = {}
    for history in everyone:
        by_team.setdefault(history.workload.team, []).append(history)
    teams = {name: _team(own, horizon_minutes) for name, own in sorted(by_team.items())}
    capacity = units * horizon_minutes
    used = sum(used_minutes(history, horizon_minutes) for history in everyone)
    return PlaceMeasures(
        units,
        utilisation=used / capacity if capacity else 0.0,
        fairness=jain([team.served for team in teams.values()]),
        teams=teams,
    )


def jain(shares: Sequence[float]) -> float:
    """Jain's fairness index (Jain, Chiu, Hawe 1984)."""
    squares = sum(share * share for share in shares)
    return sum(shares) ** 2 / (len(shares) * squares) if squares else 1.0


def used_minutes(history: History, until: int) -> int:
    """Accelerator-minutes (or core-minutes) until then, those of work that was destroyed later too."""
    return history.workload.shape.units * sum(max(min(run.end, until) - run.start, 0) for run in history.runs)


def in_use(histories: Iterable[History], minute: int) -> int:
    """Units that are held at a time."""
    return sum(
        history.workload.shape.units
        for history in histories
        if any(run.start <= minute < run.end for run in history.runs)
    )


def _team(own: list[History], horizon: int) -> TeamMeasures:
    waits = sorted(history.waiting_minutes / MINUTES_PER_HOUR for history in own if history.runs)
    asked = sum(_asked_minutes(history, horizon) for history in own)
    return TeamMeasures(
        submitted=len(own),
        never=sum(not history.runs for history in own),
        median_wait_hours=statistics.median(waits) if waits else None,
        p90_wait_hours=waits[math.ceil(PERCENTILE * len(waits)) - 1] if waits else None,
        preemptions=sum(history.preemptions for history in own),
        lost_unit_hours=sum(history.lost_minutes * history.workload.shape.units for history in own) / MINUTES_PER_HOUR,
        served=sum(_worked_minutes(history, horizon) for history in own) / asked if asked else 1.0,
    )


def _asked_minutes(history: History, horizon: int) -> int:
    """What it would have used until the horizon, had it started at once."""
    workload = history.workload
    return workload.shape.units * max(min(workload.duration_minutes, horizon - workload.arrival_minutes), 0)


def _worked_minutes(history: History, horizon: int) -> int:
    """Use that was not lost; what is destroyed after the horizon does not count against it."""
    lost = history.lost_minutes * history.workload.shape.units
    return max(used_minutes(history, horizon) - lost, 0)
