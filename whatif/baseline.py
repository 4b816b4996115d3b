"""`python -m whatif.baseline`: Kueue's own performance set, scaled down, played by the job side of our replay: a check of the latter.

In real time, as there: clock and rest of a what-if have no part in it. The set is test/performance/scheduler/configs/baseline of
Kueue 0.19.2, without its 5 cohorts and 500 workloads a queue unless they are asked for.
"""

from __future__ import annotations

import argparse
import heapq
import queue
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from kueue.namespace import NAME_LABEL, TENANT_LABEL
from kueue.objects import Manifest, kueue_object
from sim import kubectl
from sim.errors import SimulationError
from sim.progress import Progress
from whatif import conditions
from whatif.client import Workloads
from whatif.trial import control_planes

NAMESPACE, FLAVOR = "baseline", "default"
NOMINAL_CPUS, BORROWING_CPUS = 20, 100
PATIENCE_SECONDS = 120.0


@dataclass(frozen=True)
class Class:
    name: str
    count: int
    """In a queue, in the whole set."""
    interval_seconds: float
    run_seconds: float
    priority: int
    cpus: int
    most_seconds: float
    """Kueue's CI allows this mean time to admission, with 15,000 workloads."""


CLASSES = (
    Class("large", 50, 1.2, 1.0, 200, 20, 23),
    Class("medium", 100, 0.5, 0.5, 100, 5, 90),
    Class("small", 350, 0.1, 0.2, 50, 1, 260),
)
"""configs/baseline/generator.yaml and rangespec.yaml."""


@dataclass
class Play:
    """Workloads that are created, run and end by the clock on the wall."""

    arrivals: list[tuple[float, str, Manifest]]
    run_seconds: dict[str, float]
    _created: dict[str, float] = field(default_factory=dict[str, float])
    _admitted: dict[str, float] = field(default_factory=dict[str, float])
    _ends: list[tuple[float, str]] = field(default_factory=list[tuple[float, str]])
    _seen: dict[str, conditions.Object] = field(default_factory=dict[str, conditions.Object])
    waits: dict[str, float] = field(default_factory=dict[str, float])
    """Name -> seconds from creation to the last admission, as Kueue's runner counts."""
    preemptions: int = 0

    def run(self, workloads: Workloads) -> float:
        """Seconds until the last one ended. Raises SimulationError when Kueue admits nothing for long."""
        began = heard = time.monotonic()
        heapq.heapify(self.arrivals)
        left = len(self.arrivals)
        while left:
            now = time.monotonic()
            if now > heard + PATIENCE_SECONDS:
                raise SimulationError(f"Kueue is silent, {left} workloads are left")
            while self.arrivals and self.arrivals[0][0] <= now - began:
                _, name, body = heapq.heappop(self.arrivals)
                workloads.create(body)
                self._created[name] = time.monotonic()
            while self._ends and self._ends[0][0] <= now:
                left -= self._end(workloads, *heapq.heappop(self._ends))
            heard = now if self._hear(workloads) else heard
        return time.monotonic() - began

    def _end(self, workloads: Workloads, due: float, name: str) -> bool:
        if self._admitted.get(name, due) + self.run_seconds[name] != due:
            return False  # preempted meanwhile
        return workloads.write_until(self._seen[name], conditions.finished)

    def _hear(self, workloads: Workloads) -> bool:
        try:
            seen = workloads.news.get(timeout=0.005)
        except queue.Empty:
            return False
        if seen is None:
            raise SimulationError("the API server ended")
        name, evicted = seen["metadata"]["name"], conditions.is_true(seen, "Evicted")
        self._seen[name] = seen
        if evicted and conditions.is_true(seen, "QuotaReserved") and self._admitted.pop(name, None) is not None:
            self.preemptions += 1
            workloads.write_until(seen, conditions.released)
        elif conditions.is_true(seen, "Admitted") and not evicted and name not in self._admitted:
            now = time.monotonic()
            self._admitted[name], self.waits[name] = now, now - self._created[name]
            heapq.heappush(self._ends, (now + self.run_seconds[name], name))
        return True


def queues(cohorts: int, queues_each: int) -> list[Manifest]:
    namespace = {"name": NAMESPACE, "labels": {TENANT_LABEL: "true"}}
    made: list[Manifest] = [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": namespace},
        kueue_object("ResourceFlavor", FLAVOR, spec={}),
    ]
    for cohort, name in _names(cohorts, queues_each):
        cpu = {"name": "cpu", "nominalQuota": str(NOMINAL_CPUS), "borrowingLimit": str(BORROWING_CPUS)}
        group = {"coveredResources": ["cpu"], "flavors": [{"name": FLAVOR, "resources": [cpu]}]}
        spec = {
            "cohortName": cohort,
            "namespaceSelector": {"matchLabels": {NAME_LABEL: NAMESPACE}},
            "resourceGroups": [group],
            "preemption": {"withinClusterQueue": "LowerPriority", "reclaimWithinCohort": "Any"},
        }
        made += [
            kueue_object("ClusterQueue", name, spec=spec),
            kueue_object("LocalQueue", name, namespace=NAMESPACE, spec={"clusterQueue": name}),
        ]
    return made


def play(cohorts: int, queues_each: int, part: int) -> Play:
    """One of `part` workloads of each class in each queue, at the intervals of the set."""
    arrivals = [
        (number * of.interval_seconds, f"{of.name}-{name}-{number}", _workload(of, name, number))
        for _, name in _names(cohorts, queues_each)
        for of in CLASSES
        for number in range(max(of.count // part, 1))
    ]
    run_seconds = {of.name: of.run_seconds for of in CLASSES}
    return Play(arrivals, {name: run_seconds[name.partition("-")[0]] for _, name, _ in arrivals})


def check(played: Play, shown: Progress, cohorts: int, queues_each: int) -> float:
    """Play on a throwaway control plane; seconds it took."""
    with (
        TemporaryDirectory(prefix="skyfleet-baseline-") as folder,
        control_planes(Path(folder), ["baseline"], shown) as state,
    ):
        cluster = state.cluster("baseline")
        kubectl.apply(cluster, queues(cohorts, queues_each))
        shown.step("baseline", f"{len(played.arrivals)} workloads")
        seconds = played.run(Workloads(cluster.kubeconfig, NAMESPACE))
        shown.done("baseline", f"all done in {seconds:.0f} s")
    return seconds


def mean_wait(played: Play, of: Class) -> float:
    return statistics.fmean(wait for name, wait in played.waits.items() if name.startswith(of.name))


def _names(cohorts: int, queues_each: int) -> Iterator[tuple[str, str]]:
    for cohort in range(cohorts):
        yield from ((f"cohort-{cohort}", f"cq-{number}-{cohort}") for number in range(queues_each))


def _workload(of: Class, name: str, number: int) -> Manifest:
    container = {"name": "task", "image": "none", "resources": {"requests": {"cpu": str(of.cpus)}}}
    pod = {"restartPolicy": "Never", "containers": [container]}
    spec = {
        "queueName": name,
        "priority": of.priority,
        "podSets": [{"name": "main", "count": 1, "template": {"spec": pod}}],
    }
    return kueue_object("Workload", f"{of.name}-{name}-{number}", namespace=NAMESPACE, spec=spec)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m whatif.baseline", description=__doc__)
    parser.add_argument("--cohorts", type=int, default=1, help="5 in Kueue's own")
    parser.add_argument("--queues", type=int, default=6, help="of each cohort")
    parser.add_argument("--part", type=int, default=5, help="one of so many workloads; 1 in Kueue's own")
    asked = parser.parse_args(arguments)
    played = play(asked.cohorts, asked.queues, asked.part)
    with Progress() as shown:
        seconds = check(played, shown, asked.cohorts, asked.queues)
    print(
        f"{len(played.waits)} workloads in {seconds:.0f} s, {len(played.waits) / seconds:.0f} a second; {played.preemptions} preempted"
    )
    for of in CLASSES:
        print(
            f"{of.name:<7} mean time to admission {mean_wait(played, of):6.1f} s (Kueue's whole set may take {of.most_seconds:g})"
        )


if __name__ == "__main__":
    main()
