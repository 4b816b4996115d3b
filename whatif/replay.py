"""Replay of one cluster's workloads against its Kueue: this is the job side, Kueue decides the rest."""

from __future__ import annotations

import heapq
import queue
import threading
import time
from collections.abc import Callable, Sequence

from sim.errors import SimulationError
from whatif import conditions
from whatif.client import Workloads
from whatif.clock import Clock, Rest
from whatif.conditions import Object
from whatif.demand import Demand
from whatif.trace import History, Trace

PATIENCE_SECONDS = 1.0
"""For the first look at a new workload; one that equals others which do not fit is not looked at (SchedulingEquivalenceHashing)."""
LAST_CHANCE_SECONDS = 5.0
RESTLESS_SECONDS = 120.0
"""For one event; the worst seen is 4."""
MOST_IN_A_MINUTE = 2
"""Preemptions of one workload, before its pods are taken to need time to stop."""
STEP_SECONDS = 0.5
"""Between looks at whether to stop."""
MINUTES_PER_DAY = 24 * 60

Say = Callable[[str], None]


class Stopped(Exception):  # noqa: N818 - it was asked for
    """The replay was told to stop."""


class Replay:
    """Arrivals and ends, in simulated time; raises Stopped when `stop` is set, SimulationError when the API server is gone."""

    def __init__(
        self, demands: Sequence[Demand], workloads: Workloads, compression: float, say: Say, stop: threading.Event
    ) -> None:
        self._workloads, self._say, self._stop = workloads, say, stop
        self._clock, self._rest = Clock(compression), Rest()
        self._demands = {demand.manifest["metadata"]["name"]: demand for demand in demands}
        self._histories = {name: History(demand.workload) for name, demand in self._demands.items()}
        self._objects: dict[str, Object] = {}
        self._created: dict[str, int] = {}
        """Name -> second of creation, by which Kueue orders."""
        self._waiting: set[str] = set()
        self._unseen: dict[str, float] = {}
        """Created, and Kueue has not looked at it; since when."""
        self._slow: list[str] = []
        """Evicted in circles: they stop at the next event."""
        self._slowest = 0.0
        self._arrivals = [(demand.workload.arrival_minutes, name) for name, demand in self._demands.items()]
        self._ends: list[tuple[int, str]] = []
        heapq.heapify(self._arrivals)

    def run(self) -> Trace:
        last = max((minute for minute, _ in self._arrivals), default=0)
        while self._arrivals or self._ends:
            minute = min(events[0][0] for events in (self._arrivals, self._ends) if events)
            if minute // MINUTES_PER_DAY != self._clock.minute // MINUTES_PER_DAY:
                self._tell(minute, last)
            self._clock.jump(minute)
            self._stop_slow()
            self._end_due()
            self._create_due()
            self._settle()
            if not (self._arrivals or self._ends) and self._waiting:
                self._give_last_chance()
        for name in self._waiting:
            self._histories[name].never = self._why(name)
        return Trace(tuple(self._histories.values()), self._clock.seconds, self._slowest)

    def _end_due(self) -> None:
        while self._ends and self._ends[0][0] <= self._clock.minute:
            minute, name = heapq.heappop(self._ends)
            history = self._histories[name]
            if (
                history.started is not None
                and history.ends == minute
                and self._workloads.write_until(self._objects[name], conditions.finished)
            ):
                history.finish(minute)
                self._rest.freed(len(self._waiting))

    def _stop_slow(self) -> None:
        slow, self._slow = self._slow, []
        for name in slow:
            self._preempted(name)

    def _create_due(self) -> None:
        if self._arrivals and self._arrivals[0][0] <= self._clock.minute:
            self._keep_order()
        while self._arrivals and self._arrivals[0][0] <= self._clock.minute:
            _, name = heapq.heappop(self._arrivals)
            self._workloads.create(self._demands[name].manifest)
            self._created[name] = int(time.time())
            self._waiting.add(name)
            self._unseen[name] = time.monotonic()
            self._rest.stirred(len(self._waiting))

    def _keep_order(self) -> None:
        """One that comes later must have a later second of creation than those that wait, or Kueue takes them for equals."""
        while int(time.time()) in {self._created[name] for name in self._waiting}:
            self._hear(time.monotonic() + 1 - time.time() % 1)

    def _settle(self) -> None:
        """Let Kueue come to rest at this minute; raises SimulationError when it does not."""
        began = time.monotonic()
        while True:
            patience = (since + PATIENCE_SECONDS for since in self._unseen.values())
            until = max(self._rest.until, self._clock.due, *patience)
            if time.monotonic() >= until:
                self._unseen.clear()
                return
            if time.monotonic() > max(self._clock.due, began) + RESTLESS_SECONDS:
                waiting = ", ".join(self._histories[name].workload.name for name in sorted(self._waiting))
                raise SimulationError(f"Kueue does not come to rest at minute {self._clock.minute}; waiting: {waiting}")
            self._hear(until)

    def _give_last_chance(self) -> None:
        """Before a workload is said never to start."""
        until = time.monotonic() + LAST_CHANCE_SECONDS
        while time.monotonic() < until and not self._ends:
            self._hear(until)
        self._settle()

    def _hear(self, until: float) -> None:
        """Wait for news, not longer than that."""
        if self._stop.is_set():
            raise Stopped
        try:
            news = self._workloads.news.get(timeout=min(max(until - time.monotonic(), 0.001), STEP_SECONDS))
        except queue.Empty:
            return
        if news is None:
            raise SimulationError("the API server of a replay ended; run the command again")
        self._take(news)

    def _take(self, seen: Object) -> None:
        name = seen["metadata"]["name"]
        self._objects[name] = seen
        history = self._histories[name]
        if conditions.is_seen(seen) and name in self._unseen:
            reaction = time.monotonic() - self._unseen.pop(name)
            self._slowest = max(self._slowest, reaction)
            self._rest.took(reaction)
        evicted = conditions.is_true(seen, "Evicted")
        if evicted and conditions.is_true(seen, "QuotaReserved") and history.started is not None:
            self._evicted(name, history)
        elif conditions.is_true(seen, "Admitted") and not evicted and name in self._waiting:
            self._admitted(name)

    def _admitted(self, name: str) -> None:
        self._waiting.remove(name)
        heapq.heappush(self._ends, (self._histories[name].start(self._clock.minute), name))
        self._rest.stirred(len(self._waiting))

    def _evicted(self, name: str, history: History) -> None:
        """It stops at once. Where workloads preempt each other in circles, that would not end within the minute: then it takes longer."""
        if history.preemptions_at(self._clock.minute) < MOST_IN_A_MINUTE:
            self._preempted(name)
        elif name not in self._slow:
            history.circles += 1
            self._slow.append(name)

    def _preempted(self, name: str) -> None:
        """Its pods end at once; it goes back to where it stood in the queue."""
        self._histories[name].preempt(self._clock.minute)
        self._waiting.add(name)
        self._workloads.write_until(self._objects[name], conditions.released)
        self._rest.freed(len(self._waiting))

    def _why(self, name: str) -> str:
        told = conditions.message(self._objects.get(name, {}), "QuotaReserved")
        return f"Kueue: {told}" if told else "Kueue never admitted it"

    def _tell(self, minute: int, last: int) -> None:
        done = sum(history.done for history in self._histories.values())
        days = last // MINUTES_PER_DAY + 1
        day = f"day {minute // MINUTES_PER_DAY + 1} of {days}" if minute <= last else "after the last arrival"
        self._say(f"{day}: {done} of {len(self._histories)} workloads done, {len(self._waiting)} wait")
