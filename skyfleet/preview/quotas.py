"""Quotas before and after: what each team is guaranteed, what it can reach by borrowing, and what is left unassigned."""

from collections.abc import Iterator
from dataclasses import dataclass

from skyfleet.capacity import pool_room, quota_key, teams_on, units
from skyfleet.model import AnyPool, Cluster, Fleet
from skyfleet.preview.concern import Concern, Level
from skyfleet.preview.side import Side


@dataclass(frozen=True)
class Grant:
    """What a team has of one accelerator on one cluster; whole accelerators, or cores."""

    guaranteed: int = 0
    with_borrowing: int = 0
    """All that its queue could hold if nobody else wanted any: Kueue sets no limit here."""
    capacity: int = 0
    """Of the pool at its largest."""

    @property
    def share(self) -> float:
        return self.guaranteed / self.capacity if self.capacity else 0.0


@dataclass(frozen=True)
class GrantChange:
    cluster: str
    accelerator: str
    team: str
    before: Grant
    after: Grant


@dataclass(frozen=True)
class Unassigned:
    """Capacity that no team is guaranteed; the cohort lends it to whoever asks."""

    cluster: str
    accelerator: str
    before: int
    after: int


@dataclass(frozen=True)
class QueueChange:
    """A team's queue on a cluster that comes or goes."""

    cluster: str
    team: str
    appears: bool


@dataclass(frozen=True)
class Quotas:
    grants: tuple[GrantChange, ...]
    unassigned: tuple[Unassigned, ...]
    queues: tuple[QueueChange, ...]
    weights: tuple[tuple[str, int, int], ...]
    """Team, fair-sharing weight before and after."""

    def __bool__(self) -> bool:
        return bool(self.grants or self.unassigned or self.queues or self.weights)

    def concerns(self) -> Iterator[Concern]:
        for queue in self.queues:
            if not queue.appears:
                text = f"{queue.team} loses its queue on {queue.cluster}; drain it before the change is applied"
                yield Concern(Level.ATTENTION, text)
        for change in self.grants:
            lost = change.before.guaranteed - change.after.guaranteed
            if lost > 0:
                text = f"{change.team} loses {lost} guaranteed {change.accelerator} on {change.cluster}"
                yield Concern(Level.ATTENTION, text)


def compare(base: Side, head: Side) -> Quotas:
    before, after = _grants(base.fleet), _grants(head.fleet)
    grants = (
        GrantChange(*key, before.get(key, Grant()), after.get(key, Grant())) for key in dict.fromkeys((*before, *after))
    )
    return Quotas(
        grants=tuple(sorted((change for change in grants if change.before != change.after), key=_where)),
        unassigned=tuple(_unassigned(base.fleet, head.fleet)),
        queues=tuple(_queues(base.fleet, head.fleet)),
        weights=tuple(_weights(base, head)),
    )


def _where(change: GrantChange) -> tuple[str, str, str]:
    return change.cluster, change.accelerator, change.team


def _grants(fleet: Fleet | None) -> dict[tuple[str, str, str], Grant]:
    """By cluster, accelerator and team; of every team with a queue there, since a queue may borrow of every pool."""
    found: dict[tuple[str, str, str], Grant] = {}
    if fleet is None:
        return found
    for cluster in fleet.clusters.values():
        teams = teams_on(fleet, cluster)
        for pool in cluster.pools:
            key, capacity = quota_key(pool), _capacity(cluster, pool)
            granted = {team.name: team.quota[cluster.name].get(key, 0) for team in teams}
            reachable = max(capacity, sum(granted.values()))
            for team, amount in granted.items():
                found[cluster.name, key, team] = Grant(amount, reachable, capacity)
    return found


def _unassigned(base: Fleet | None, head: Fleet | None) -> Iterator[Unassigned]:
    before, after = _left(base), _left(head)
    for key in sorted({*before, *after}):
        if before.get(key, 0) != after.get(key, 0):
            yield Unassigned(*key, before.get(key, 0), after.get(key, 0))


def _left(fleet: Fleet | None) -> dict[tuple[str, str], int]:
    left: dict[tuple[str, str], int] = {}
    if fleet is None:
        return left
    for cluster in fleet.clusters.values():
        teams = teams_on(fleet, cluster)
        for pool in cluster.pools:
            key = quota_key(pool)
            granted = sum(team.quota[cluster.name].get(key, 0) for team in teams)
            left[cluster.name, key] = max(_capacity(cluster, pool) - granted, 0)
    return left


def _queues(base: Fleet | None, head: Fleet | None) -> Iterator[QueueChange]:
    before, after = _queue_names(base), _queue_names(head)
    for cluster, team in sorted(before ^ after):
        yield QueueChange(cluster, team, appears=(cluster, team) in after)


def _queue_names(fleet: Fleet | None) -> set[tuple[str, str]]:
    if fleet is None:
        return set()
    return {(cluster.name, team.name) for cluster in fleet.clusters.values() for team in teams_on(fleet, cluster)}


def _weights(base: Side, head: Side) -> Iterator[tuple[str, int, int]]:
    before, after = base.teams(), head.teams()
    for name in sorted(before.keys() & after.keys()):
        if before[name].weight != after[name].weight:
            yield name, before[name].weight, after[name].weight


def _capacity(cluster: Cluster, pool: AnyPool) -> int:
    room = pool_room(cluster, pool)
    return 0 if room is None else units(pool, room)
