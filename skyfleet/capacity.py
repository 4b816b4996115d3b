"""How much a pool has for pods, and what a team's guarantee comes to. Whole cores and GiB, rounded down."""

from dataclasses import dataclass

from skyfleet.model import AnyPool, Cluster, ExistingPool, Fleet, Team, catalogue

CPU = "cpu"
"""The quota key of a pool without accelerators; its unit is cores."""


@dataclass(frozen=True)
class Room:
    """Resources, of a node, a pool or a guarantee."""

    cpu_millis: int = 0
    memory_mib: int = 0
    accelerators: int = 0

    def __add__(self, other: "Room") -> "Room":
        return Room(
            self.cpu_millis + other.cpu_millis,
            self.memory_mib + other.memory_mib,
            self.accelerators + other.accelerators,
        )

    def __sub__(self, other: "Room") -> "Room":
        return self + other.times(-1)

    def times(self, factor: int) -> "Room":
        return Room(self.cpu_millis * factor, self.memory_mib * factor, self.accelerators * factor)

    def share(self, part: int, whole: int) -> "Room":
        """`part` of `whole`, in whole cores and GiB so that a reader can check the figures."""
        cores = self.cpu_millis * part // (whole * 1000)
        gib = self.memory_mib * part // (whole * 1024)
        return Room(cores * 1000, gib * 1024, self.accelerators * part // whole)


def quota_key(pool: AnyPool) -> str:
    return pool.accelerator or CPU


def node_room(cluster: Cluster, pool: AnyPool) -> Room | None:
    """What one node has for SkyPilot's pods: allocatable less the platform's DaemonSets; None for an unknown machine."""
    if isinstance(pool, ExistingPool):
        return Room(pool.allocatable_cpu_millis, pool.allocatable_memory_mib, pool.accelerators_per_node)
    machine = catalogue().machine(cluster.provider, pool.machine)
    if machine is None:
        return None
    reserve = catalogue().daemonsets
    return Room(
        machine.allocatable_cpu_millis - reserve.cpu_millis,
        machine.allocatable_memory_mib - reserve.memory_mib,
        machine.accelerators,
    )


def pool_room(cluster: Cluster, pool: AnyPool) -> Room | None:
    """What the pool has at its largest."""
    node = node_room(cluster, pool)
    return None if node is None else node.times(pool.max_nodes)


def units(pool: AnyPool, room: Room) -> int:
    """A room in the pool's quota unit: accelerators, or whole cores."""
    return room.accelerators if pool.accelerator else room.cpu_millis // 1000


def guarantee(team: Team, cluster: Cluster, pool: AnyPool) -> Room:
    """The team's guarantee on a pool: its accelerators with their share of cpu and memory, or its cores with theirs."""
    granted = team.quota.get(cluster.name, {}).get(quota_key(pool), 0)
    room = pool_room(cluster, pool)
    if not granted or room is None:
        return Room()
    if pool.accelerator:
        return room.share(granted, room.accelerators)
    share = room.share(granted * 1000, room.cpu_millis)
    return Room(granted * 1000, share.memory_mib)


def teams_on(fleet: Fleet, cluster: Cluster) -> list[Team]:
    """Teams with a queue on a cluster: those whose file names it."""
    return [team for team in fleet.teams.values() if cluster.name in team.quota]


def unassigned(fleet: Fleet, cluster: Cluster, pool: AnyPool) -> Room:
    """What no team is guaranteed: the Cohort's own, lent to whoever asks."""
    left = (pool_room(cluster, pool) or Room()).share(1, 1)
    for team in teams_on(fleet, cluster):
        left -= guarantee(team, cluster, pool)
    return Room(max(left.cpu_millis, 0), max(left.memory_mib, 0), max(left.accelerators, 0))
