"""The side of the jobs: workloads are created when they arrive, run for as long as they last, and stop when Kueue evicts them.

Kueue decides, and it is the real one; nothing else of a cluster takes part. A minute of the workloads is a fraction of a second here.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from kueue.objects import Manifest
from whatif.api import CONFLICT, MISSING, Refused
from whatif.workload import Workload

TICK_SECONDS = 0.05
CHECKPOINT_MINUTES = 60.0
"""What preempted work has done since its last checkpoint is lost."""


class Api(Protocol):
    def all(self) -> list[Manifest]: ...
    def create(self, item: Manifest) -> None: ...
    def patch_status(self, item: Manifest, status: dict[str, Any]) -> None: ...
    def delete(self, name: str) -> None: ...


@dataclass
class Record:
    """What became of a workload. Minutes count from the begin of the replay."""

    workload: Workload
    runs: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    """Begin and end of each time that it ran."""
    preemptions: int = 0
    finished: bool = False
    impossible: str | None = None
    """Why it was never submitted."""
    done_minutes: float = 0.0
    """Of its duration, kept at checkpoints."""
    _since: float | None = None

    @property
    def running(self) -> bool:
        return self._since is not None

    @property
    def wait_minutes(self) -> float | None:
        """From arrival to first admission; None if it never came."""
        return self.runs[0][0] - self.workload.arrival_minutes if self.runs else None

    def start(self, now: float) -> None:
        self._since = now
        self.runs.append((now, now))

    def is_due(self, now: float) -> bool:
        return self._since is not None and self.done_minutes + now - self._since >= self.workload.duration_minutes

    def end(self, now: float, *, finished: bool) -> None:
        assert self._since is not None  # noqa: S101 - callers asked whether it runs
        ran = now - self._since
        self.runs[-1] = (self._since, now)
        self._since = None
        self.finished = finished
        if not finished:
            self.preemptions += 1
            self.done_minutes += ran // CHECKPOINT_MINUTES * CHECKPOINT_MINUTES

    def stop_counting(self, now: float) -> None:
        """At the end of the replay: what runs has run until here."""
        if self._since is not None:
            self.runs[-1] = (self._since, now)


def replay(
    api: Api,
    records: dict[str, Record],
    objects: dict[str, Manifest],
    *,
    minutes_per_second: float,
    until_minutes: float,
    tell: Callable[[float], None],
) -> None:
    """Run until everything is done, or until the last minute; the records tell what became of each workload."""
    began = time.monotonic()
    arriving = sorted(objects, key=lambda name: records[name].workload.arrival_minutes)
    now = 0.0
    while now < until_minutes and (arriving or any(not records[name].finished for name in objects)):
        now = (time.monotonic() - began) * minutes_per_second
        while arriving and records[arriving[0]].workload.arrival_minutes <= now:
            api.create(objects[arriving.pop(0)])
        for item in api.all():
            _attend(api, item, records[item["metadata"]["name"]], now)
        tell(now)
        time.sleep(TICK_SECONDS)
    for record in records.values():
        record.stop_counting(now)


def _attend(api: Api, item: Manifest, record: Record, now: float) -> None:
    """Do what the workload's state asks for. A conflict is Kueue's newer word: the next round reads it."""
    try:
        if is_true(item, "Evicted") and is_true(item, "QuotaReserved"):
            api.patch_status(item, released(item))
            if record.running:
                record.end(now, finished=False)
        elif is_true(item, "Admitted") and not is_true(item, "Evicted"):
            if not record.running and not record.finished:
                record.start(now)
            elif record.is_due(now):
                api.patch_status(item, {"conditions": _with(item, "Finished", "True", "Succeeded")})
                record.end(now, finished=True)
        elif record.finished:
            api.delete(item["metadata"]["name"])
    except Refused as refusal:
        if refusal.code not in {CONFLICT, MISSING}:
            raise


def is_true(item: Manifest, condition: str) -> bool:
    found = item.get("status", {}).get("conditions", [])
    return any(each["type"] == condition and each["status"] == "True" for each in found)


def released(item: Manifest) -> dict[str, Any]:
    """The status without its reservation: the job has stopped, its quota is free."""
    pending = {**item, "status": {"conditions": _with(item, "QuotaReserved", "False", "Pending")}}
    return {"admission": None, "conditions": _with(pending, "Admitted", "False", "NoReservation")}


def _with(item: Manifest, condition: str, status: str, reason: str) -> list[dict[str, Any]]:
    others = [each for each in item["status"]["conditions"] if each["type"] != condition]
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    new = {
        "type": condition,
        "status": status,
        "reason": reason,
        "message": "by the replay",
        "lastTransitionTime": stamp,
    }
    return [*others, new]
