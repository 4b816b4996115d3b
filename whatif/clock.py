"""Simulated time. It stands still while Kueue thinks, and jumps to the next event once Kueue has come to rest."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

SECONDS_PER_MINUTE = 60


@dataclass
class Clock:
    """At most `compression` simulated seconds pass in a real one."""

    compression: float
    minute: int = 0
    _began: float = field(default_factory=time.monotonic)

    def jump(self, minute: int) -> None:
        self.minute = minute

    @property
    def due(self) -> float:
        """The monotonic time before which the next event may not come: what comes too fast ties in Kueue's whole seconds."""
        return self._began + self.minute * SECONDS_PER_MINUTE / self.compression

    @property
    def seconds(self) -> float:
        """Real time since the beginning."""
        return time.monotonic() - self._began


@dataclass
class Rest:
    """Whether Kueue has come to rest: nothing was heard of it for as long as it may be silent."""

    until: float = 0.0
    """The monotonic time from which it rests, if it stays silent."""

    reaction: float = 0.0
    """How long it took of late to react to something new: a busy machine makes it slow, and gets more time."""

    QUIET_SECONDS = 0.2
    """Its scheduler backs off to 0.1 (pkg/util/wait/backoff.go, 0.19.2)."""
    REQUEUE_SECONDS = 1.1
    """It tries again after 1 what did not fit (requeueBatchPeriod of pkg/cache/queue/inadmissible_workloads.go)."""
    EACH_SECONDS = 0.05
    """For each further one that it tries in vain."""

    def took(self, seconds: float) -> None:
        """A reaction was seen. The longest fades slowly."""
        self.reaction = max(seconds, 0.9 * self.reaction)

    def stirred(self, waiting: int) -> None:
        """Something changed. With nobody waiting there is nothing left to decide."""
        if waiting:
            self._postpone(self.QUIET_SECONDS)
        else:
            self.until = time.monotonic()

    def freed(self, waiting: int) -> None:
        """Quota was freed: it must take note, and may try those that wait."""
        self._postpone(self.REQUEUE_SECONDS + self.EACH_SECONDS * waiting if waiting else self.QUIET_SECONDS)

    def _postpone(self, seconds: float) -> None:
        self.until = max(self.until, time.monotonic() + seconds + self.reaction)
