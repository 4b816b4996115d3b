"""What a simulation needs on this machine, said before any long work."""

from __future__ import annotations

from sim.errors import MachineError
from tools import placed, prerequisites

MIB_PER_CLUSTER = 700
"""Measured with all parts idle: about 600 MiB for the control plane and 40 MiB for Kueue."""


def check(clusters_to_start: int) -> None:
    """Raise MachineError with every lack and its remedy, when there is any."""
    lacks = prerequisites.system_lacks() or [
        *_tools(),
        *prerequisites.mount_lacks(),
        *prerequisites.memory_lacks(clusters_to_start * MIB_PER_CLUSTER, "available"),
    ]
    if lacks:
        raise MachineError("\n".join(lacks))


def _tools() -> list[str]:
    missing = placed.missing()
    return [f"not built yet: {', '.join(missing)}; run `make tools`"] if missing else []
