"""Node pools: what a pool is stands in its cluster's file."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from skyfleet.model.base import Count, Frozen, Model, Positive

Exposure = Literal["device-plugin", "shared-device-plugin", "host-path"]
"""How InfiniBand reaches a pod: the GPU device plugin's MOFED support, the RDMA shared device plugin, or a host path."""


class NodeRange(Model):
    """An autoscaled number of nodes."""

    min: Count
    max: Positive

    @model_validator(mode="after")
    def _ordered(self) -> "NodeRange":
        if self.min > self.max:
            raise ValueError(f"min {self.min} is above max {self.max}; swap them")
        return self


class InfiniBand(Model):
    fabric: Annotated[str, Field(description="the fabric of the capacity block, e.g. fabric-7 for H200 in eu-north1")]
    exposure: Exposure


class Pool(Model):
    """What every pool has, whoever runs its nodes."""

    name: Annotated[str, Field(description="also the name of the ResourceFlavor")]
    accelerator: Annotated[str | None, Field(description="as SkyPilot spells it, e.g. H200; none for a CPU pool")] = (
        None
    )
    nodes: Annotated[Positive | NodeRange, Field(description="a fixed number, or {min, max} of an autoscaler")]

    @property
    def max_nodes(self) -> int:
        return self.nodes if isinstance(self.nodes, int) else self.nodes.max

    @property
    def min_nodes(self) -> int:
        return self.nodes if isinstance(self.nodes, int) else self.nodes.min


class NebiusPool(Pool):
    platform: Annotated[str, Field(description="e.g. gpu-h200-sxm, cpu-d3")]
    preset: Annotated[str, Field(description="e.g. 8gpu-128vcpu-1600gb")]
    infiniband: InfiniBand | None = None

    @property
    def machine(self) -> str:
        return f"{self.platform}/{self.preset}"


class GkePool(Pool):
    machine_type: Annotated[str, Field(description="e.g. g2-standard-8, e2-standard-16")]
    infiniband: None = None

    @property
    def machine(self) -> str:
        return self.machine_type


class ExistingPool(Pool):
    """A pool of nodes that somebody else made: its size is stated, since no catalogue knows it."""

    allocatable_cpu_millis: Positive
    allocatable_memory_mib: Positive
    accelerators_per_node: Count = 0
    node_labels: Annotated[Frozen[str, str], Field(description="labels that select exactly this pool's nodes")]
    infiniband: InfiniBand | None = None
