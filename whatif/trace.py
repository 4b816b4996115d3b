"""What happened to workloads in a replay, in simulated minutes."""

from __future__ import annotations

from dataclasses import dataclass, field

from whatif.workload import Workload


@dataclass(frozen=True)
class Run:
    """A stretch in which a workload held its quota."""

    start: int
    end: int
    preempted: bool


@dataclass
class History:
    """One workload: it waits, runs, is preempted, waits again, until it is done."""

    workload: Workload
    runs: list[Run] = field(default_factory=list[Run])
    started: int | None = None
    """Since when it runs; None while it waits or after it is done."""
    ends: int | None = None
    """When it will be done if nothing interrupts it."""
    saved_minutes: int = 0
    """Work that a preemption did not destroy."""
    done: bool = False
    circles: int = 0
    """How often Kueue preempted it again and again within a minute."""
    never: str | None = None
    """Why it did not start at all."""

    def start(self, minute: int) -> int:
        """When it will be done if nothing interrupts it."""
        self.started = minute
        self.ends = minute + max(self.workload.duration_minutes - self.saved_minutes, 1)
        return self.ends

    def finish(self, minute: int) -> None:
        self._end(minute, preempted=False)
        self.done = True

    def preempt(self, minute: int) -> None:
        ran = self._end(minute, preempted=True)
        self.saved_minutes += self.workload.saved_in(ran)

    @property
    def waiting_minutes(self) -> int:
        """In the queue, before every run."""
        since = [self.workload.arrival_minutes, *(run.end for run in self.runs)]
        return sum(run.start - end for run, end in zip(self.runs, since, strict=False))

    @property
    def preemptions(self) -> int:
        return sum(run.preempted for run in self.runs)

    def preemptions_at(self, minute: int) -> int:
        return sum(run.preempted and run.end == minute for run in self.runs)

    @property
    def lost_minutes(self) -> int:
        """Work that preemptions destroyed."""
        return sum(run.end - run.start for run in self.runs) - self.workload.duration_minutes if self.done else 0

    def _end(self, minute: int, *, preempted: bool) -> int:
        start = self.started if self.started is not None else minute
        self.runs.append(Run(start, minute, preempted))
        self.started = None
        return minute - start


@dataclass(frozen=True)
class Trace:
    """Outcome of one cluster's replay."""

    histories: tuple[History, ...]
    seconds: float
    """Real time that it took."""
    slowest_reaction_seconds: float
    """Longest that Kueue took to look at a new workload."""
