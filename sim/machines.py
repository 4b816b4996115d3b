"""What a simulated cluster is made of: the contract that whoever has a definition fills in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class Taint:
    key: str
    value: str
    effect: Literal["NoSchedule", "PreferNoSchedule", "NoExecute"]


@dataclass(frozen=True)
class NodeSpec:
    """A pool of equal nodes, `count` of them (the most that an autoscaled pool may have)."""

    pool: str
    count: int
    labels: dict[str, str]
    taints: tuple[Taint, ...]
    capacity_cpu_millis: int
    capacity_memory_mib: int
    allocatable_cpu_millis: int
    allocatable_memory_mib: int
    accelerator_resource: str | None = None
    accelerators: int = 0
    """Accelerators on each node."""
    devices: dict[str, int] = field(default_factory=dict[str, int])
    """What device plugins beside the accelerators' offer on each node, by resource: no kubelet runs here to ask them."""
    ephemeral_storage_gib: int = 100
    pods: int = 110


@dataclass(frozen=True)
class Project:
    """A project of a simulated cloud."""

    cloud: Literal["gcp", "nebius"]
    name: str
    region: str
    """On Nebius a project is in one region, and no resource states it."""


@dataclass(frozen=True)
class ClusterSpec:
    """A cluster to simulate. `name` is unique in the simulation; `context` is its name in kubeconfigs."""

    name: str
    context: str
    nodes: tuple[NodeSpec, ...] = field(default=())
    project: Project | None = None
    """Where `pulumi up` is to make it; without one it is there from the start, as a cluster that exists already."""
