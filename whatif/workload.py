"""A workload as it was asked for: when, by whom, how large, for how long."""

from __future__ import annotations

import re
from dataclasses import dataclass

from skyfleet.capacity import CPU

_SHAPE = re.compile(r"(?P<nodes>[1-9]\d{0,4})x(?P<unit>[A-Za-z][A-Za-z0-9-]*):(?P<count>[1-9]\d{0,4})")


@dataclass(frozen=True)
class Shape:
    """`2xH200:8` is two nodes with eight H200 each, `1xcpu:4` one node with four cores."""

    nodes: int
    unit: str
    """The accelerator as SkyPilot spells it, or `cpu`: the key of a team's quota."""
    count: int
    """Accelerators or cores on each node."""

    @classmethod
    def parse(cls, text: str) -> Shape:
        """Raises ValueError when it is not of this form."""
        found = _SHAPE.fullmatch(text)
        if found is None:
            raise ValueError(f"shape '{text}' is not NODESxUNIT:COUNT; write for example 2xH200:8 or 1x{CPU}:4")
        return cls(int(found["nodes"]), found["unit"], int(found["count"]))

    @property
    def units(self) -> int:
        """Accelerators or cores in all."""
        return self.nodes * self.count

    def __str__(self) -> str:
        return f"{self.nodes}x{self.unit}:{self.count}"


@dataclass(frozen=True)
class Workload:
    name: str
    arrival_minutes: int
    """Since the arrival of the first."""
    team: str
    priority: str
    cluster: str
    shape: Shape
    duration_minutes: int
    """How long it runs if nothing interrupts it."""
    checkpoint_minutes: int | None = None
    """How often it saves its work; None: a preempted one starts over."""
    line: int = 0
    """Where it stands in its file."""

    def saved_in(self, minutes: int) -> int:
        """Minutes of work that a run of this length has saved."""
        return minutes // self.checkpoint_minutes * self.checkpoint_minutes if self.checkpoint_minutes else 0
