"""What a replay comes to: waiting, preemptions, use and fairness."""

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from whatif.replay import Record

HOUR = 60.0
_PERCENTILE = 0.9


@dataclass(frozen=True)
class TeamMeasures:
    """Hours are hours of the workloads, not of the replay."""

    team: str
    submitted: int
    admitted: int
    finished: int
    preemptions: int
    mean_wait_hours: float | None
    """Of those that were admitted."""
    ninety_percent_wait_hours: float | None
    """Nine of ten that were admitted waited no longer."""
    accelerator_hours: float
    asked_hours: float


@dataclass(frozen=True)
class Measures:
    teams: tuple[TeamMeasures, ...]
    utilisation: float
    """Part of the accelerators' time that was in use, until the last arrival."""
    fairness: float
    """Jain's index of what each team got of what it asked for: 1 is equal, 1/n is all to one of n."""
    impossible: tuple[str, ...]


def measure(records: Iterable[Record], accelerators: int, horizon_minutes: float) -> Measures:
    records = list(records)
    teams = tuple(_team(team, records) for team in sorted({record.workload.team for record in records}))
    used = sum(_used_minutes(record, horizon_minutes) for record in records)
    capacity = accelerators * horizon_minutes
    return Measures(
        teams,
        used / capacity if capacity else 0.0,
        jain([team.accelerator_hours / team.asked_hours for team in teams if team.asked_hours]),
        tuple(sorted({record.impossible for record in records if record.impossible})),
    )


def jain(shares: Sequence[float]) -> float:
    squares = sum(share * share for share in shares)
    return sum(shares) ** 2 / (len(shares) * squares) if squares else 1.0


def in_use(records: Iterable[Record], team: str, minute: float) -> int:
    return sum(
        record.workload.size
        for record in records
        if record.workload.team == team and any(begin <= minute < end for begin, end in record.runs)
    )


def _team(team: str, records: list[Record]) -> TeamMeasures:
    own = [record for record in records if record.workload.team == team]
    waits = sorted(wait / HOUR for record in own if (wait := record.wait_minutes) is not None)
    return TeamMeasures(
        team=team,
        submitted=len(own),
        admitted=len(waits),
        finished=sum(record.finished for record in own),
        preemptions=sum(record.preemptions for record in own),
        mean_wait_hours=statistics.fmean(waits) if waits else None,
        ninety_percent_wait_hours=waits[math.ceil(_PERCENTILE * len(waits)) - 1] if waits else None,
        accelerator_hours=sum(_used_minutes(record, math.inf) for record in own) / HOUR,
        asked_hours=sum(record.workload.size * record.workload.duration_minutes for record in own) / HOUR,
    )


def _used_minutes(record: Record, until: float) -> float:
    return record.workload.size * sum(max(min(end, until) - begin, 0.0) for begin, end in record.runs)
