"""Both definitions of one cluster, each with a control plane and a Kueue of its own, replaying the same workloads."""

from collections.abc import Callable, Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from kueue.manifest import manifest
from kueue.objects import Manifest
from sim import kubectl, ports, processes, simulation
from sim.errors import SimulationError
from sim.machines import ClusterSpec
from sim.progress import Progress
from sim.state import ClusterState, State
from skyfleet.capacity import pool_room, quota_key
from skyfleet.model import Cluster, Fleet
from whatif.api import Workloads
from whatif.measures import Measures, measure
from whatif.objects import CannotRun, workload_object
from whatif.replay import Record, is_true, replay
from whatif.workload import Workload

ACTIVE_SECONDS = 60.0
DRAIN_MINUTES = 1440.0
"""After the last arrival the replay goes on for a day at most."""


@dataclass(frozen=True)
class Outcome:
    """What became of the workloads under one definition."""

    records: tuple[Record, ...]
    measures: Measures
    accelerators: int


@dataclass(frozen=True)
class Speed:
    minutes_per_second: float = 30.0
    """Kueue gathers what it looks at again for up to a second: so many minutes of the workloads."""


def compare(
    fleets: Mapping[str, Fleet], cluster: str, workloads: list[Workload], speed: Speed, shown: Progress
) -> dict[str, Outcome]:
    """Side to outcome. Both run at once, so that a busy machine is busy for both.

    Raises:
        SimulationError: a control plane does not start.
    """
    with (
        TemporaryDirectory(prefix="skyfleet-whatif-") as folder,
        _control_planes(Path(folder), len(fleets), shown) as state,
    ):
        trials = [
            _Trial(state.cluster(_name(number)), side, fleet, fleet.clusters[cluster], speed)
            for number, (side, fleet) in enumerate(fleets.items())
        ]
        with ThreadPoolExecutor(len(trials)) as pool:
            jobs = [pool.submit(trial.run, workloads, _teller(shown, trial.side, workloads)) for trial in trials]
            return {trial.side: job.result() for trial, job in zip(trials, jobs, strict=True)}


@contextmanager
def _control_planes(root: Path, number: int, shown: Progress) -> Generator[State]:
    """Control planes without nodes: Kueue counts quota, and nothing is scheduled here."""
    state = State(root)
    try:
        simulation.up([ClusterSpec(_name(each), _name(each)) for each in range(number)], state, shown)
        yield state
    finally:
        simulation.down(state, shown)
        root.mkdir(exist_ok=True)  # whoever made it removes it


def _name(number: int) -> str:
    return f"definition-{number}"


@dataclass(frozen=True)
class _Trial:
    """One definition's replay."""

    simulated: ClusterState
    side: str
    """As readers know the definition."""
    fleet: Fleet
    cluster: Cluster
    speed: Speed

    def run(self, workloads: list[Workload], tell: Callable[[float], None]) -> Outcome:
        kubectl.apply(self.simulated, manifest(self.fleet, self.cluster))
        if not processes.wait_until(self._queues_are_active, None, ACTIVE_SECONDS):
            raise SimulationError(f"{self.side}: the queues did not become active within {ACTIVE_SECONDS:.0f} s")
        records = {f"w{number:05}": Record(workload) for number, workload in enumerate(workloads)}
        objects = self._objects(records)
        last = workloads[-1].arrival_minutes
        port = ports.load(self.simulated.ports)["kube-apiserver"]
        with closing(Workloads(port, self.simulated.pki, self.fleet.organization.namespace)) as api:
            replay(
                api,
                records,
                objects,
                minutes_per_second=self.speed.minutes_per_second,
                until_minutes=last + DRAIN_MINUTES,
                tell=tell,
            )
        accelerators = _accelerators(self.cluster, {workload.accelerator for workload in workloads})
        return Outcome(tuple(records.values()), measure(records.values(), accelerators, last), accelerators)

    def _queues_are_active(self) -> bool:
        """Else the first arrivals would wait for Kueue's start."""
        return all(is_true(queue, "Active") for queue in kubectl.get(self.simulated, "clusterqueues"))

    def _objects(self, records: dict[str, Record]) -> dict[str, Manifest]:
        """Of those that the cluster could run at all; the records of the others say why not."""
        objects: dict[str, Manifest] = {}
        for name, record in records.items():
            try:
                objects[name] = workload_object(self.fleet, self.cluster, name, record.workload)
            except CannotRun as reason:
                record.impossible = str(reason)
        return objects


def _accelerators(cluster: Cluster, wanted: set[str]) -> int:
    rooms = [pool_room(cluster, pool) for pool in cluster.pools if quota_key(pool) in wanted]
    return sum(room.accelerators for room in rooms if room is not None)


def _teller(shown: Progress, side: str, workloads: list[Workload]) -> Callable[[float], None]:
    """Says every tenth of the way where the replay is."""
    last = workloads[-1].arrival_minutes
    said = -1

    def tell(now: float) -> None:
        nonlocal said
        tenth = int(now / last * 10) if last else 10
        if tenth > said:
            said = tenth
            shown.step(side, f"hour {now / 60:.0f} of {last / 60:.0f}")

    return tell


__all__ = ["Outcome", "Speed", "compare"]
