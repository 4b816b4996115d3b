"""Cost per month before and after, by cluster and team, what no team is guaranteed included. USD, 730 hours, list prices without tax."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from skyfleet.capacity import pool_room, quota_key, teams_on, units
from skyfleet.model import AnyPool, Cluster, ExistingPool, Fleet, Price, catalogue
from skyfleet.preview.side import Side

HOURS_PER_MONTH = 730
IDLE = "unassigned"
"""The line of what no team is guaranteed, so that the lines add up to the clusters."""


@dataclass(frozen=True)
class CostChange:
    name: str
    before: float
    after: float

    @property
    def difference(self) -> float:
        return self.after - self.before


@dataclass(frozen=True)
class PriceChange:
    provider: str
    region: str
    sku: str
    before: float | None
    after: float | None
    as_of: date


@dataclass(frozen=True)
class Costs:
    """At the largest size of every pool; `always` is at the smallest."""

    clusters: tuple[CostChange, ...]
    always: tuple[CostChange, ...]
    teams: tuple[CostChange, ...]
    prices: tuple[PriceChange, ...]
    oldest_price: date | None
    unpriced: tuple[str, ...]
    """Clusters with a pool that has no price: they count as 0."""

    @property
    def before(self) -> float:
        return sum(change.before for change in self.clusters)

    @property
    def after(self) -> float:
        return sum(change.after for change in self.clusters)

    def __bool__(self) -> bool:
        return any(change.before != change.after for change in (*self.clusters, *self.always, *self.teams)) or bool(
            self.prices
        )


def compare(base: Side, head: Side) -> Costs:
    return Costs(
        clusters=_changes(_by_cluster(base.fleet, "max"), _by_cluster(head.fleet, "max")),
        always=_changes(_by_cluster(base.fleet, "min"), _by_cluster(head.fleet, "min")),
        teams=_changes(_by_team(base.fleet), _by_team(head.fleet)),
        prices=tuple(_price_changes(base.fleet, head.fleet)),
        oldest_price=_oldest(head.fleet),
        unpriced=tuple(_unpriced(head.fleet)),
    )


def _changes(before: dict[str, float], after: dict[str, float]) -> tuple[CostChange, ...]:
    names = [*dict.fromkeys((*before, *after))]
    return tuple(CostChange(name, before.get(name, 0.0), after.get(name, 0.0)) for name in names)


def _by_cluster(fleet: Fleet | None, size: str) -> dict[str, float]:
    if fleet is None:
        return {}
    return {
        cluster.name: sum(
            _node_cost(fleet, cluster, pool) * (pool.max_nodes if size == "max" else pool.min_nodes)
            for pool in cluster.pools
        )
        for cluster in fleet.clusters.values()
    }


def _by_team(fleet: Fleet | None) -> dict[str, float]:
    """Each pool's cost by the share that is guaranteed; the rest is idle, or lent."""
    found: defaultdict[str, float] = defaultdict(float)
    if fleet is None:
        return {}
    for cluster in fleet.clusters.values():
        for pool in cluster.pools:
            for name, cost in _shares(fleet, cluster, pool):
                found[name] += cost
    return dict(sorted(found.items(), key=lambda item: (item[0] == IDLE, item[0])))


def _shares(fleet: Fleet, cluster: Cluster, pool: AnyPool) -> Iterator[tuple[str, float]]:
    cost = _node_cost(fleet, cluster, pool) * pool.max_nodes
    room = pool_room(cluster, pool)
    capacity = units(pool, room) if room else 0
    left = cost
    for team in teams_on(fleet, cluster):
        granted = team.quota[cluster.name].get(quota_key(pool), 0)
        share = cost * granted / capacity if capacity else 0.0
        left -= share
        yield team.name, share
    yield IDLE, max(left, 0.0)


def _node_cost(fleet: Fleet, cluster: Cluster, pool: AnyPool) -> float:
    """USD per month of a node: its accelerators' all-in price, else cpu and memory of the machine."""

    def usd(sku: str) -> float:
        return fleet.prices.usd(provider=cluster.provider, region=cluster.region, sku=sku) or 0.0

    if isinstance(pool, ExistingPool):
        cores, gib, accelerators = (
            pool.allocatable_cpu_millis / 1000,
            pool.allocatable_memory_mib / 1024,
            pool.accelerators_per_node,
        )
    else:
        machine = catalogue().machine(cluster.provider, pool.machine)
        if machine is None:
            return 0.0
        cores, gib, accelerators = machine.cpu, machine.memory_gib, machine.accelerators
    hourly = usd(pool.accelerator) * accelerators if pool.accelerator else usd("cpu") * cores + usd("memory") * gib
    return hourly * HOURS_PER_MONTH


def _price_changes(base: Fleet | None, head: Fleet | None) -> Iterator[PriceChange]:
    before, after = _prices(base), _prices(head)
    for key in sorted({*before, *after}):
        old, new = before.get(key), after.get(key)
        if base is not None and head is not None and (old and old.usd) != (new and new.usd):
            dated = new or old
            assert dated is not None  # noqa: S101 - one of the two had the key
            provider, region, sku, _ = key
            yield PriceChange(provider, region, sku, old.usd if old else None, new.usd if new else None, dated.as_of)


def _prices(fleet: Fleet | None) -> dict[tuple[str, str, str, str], Price]:
    prices = fleet.prices.prices if fleet else ()
    return {(price.provider, price.region, price.sku, price.kind): price for price in prices}


def _oldest(fleet: Fleet | None) -> date | None:
    used = _prices(fleet).values()
    return min((price.as_of for price in used), default=None)


def _unpriced(fleet: Fleet | None) -> Iterator[str]:
    if fleet is None:
        return
    for cluster in fleet.clusters.values():
        skus = {pool.accelerator or "cpu" for pool in cluster.pools}
        usd = fleet.prices.usd
        if any(usd(provider=cluster.provider, region=cluster.region, sku=sku) is None for sku in skus):
            yield cluster.name
