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


class Rollout(Model):
    """How nodes are replaced when their description changes. Without surge, since GPU pools own all of their quota."""

    max_surge: Count = 0
    max_unavailable: Count = 1
    drain_timeout_minutes: Annotated[
        Positive, Field(description="then pods are ended; 0 would wait for ever behind a PodDisruptionBudget")
    ] = 60

    @model_validator(mode="after")
    def _moves(self) -> "Rollout":
        if not (self.max_surge or self.max_unavailable):
            raise ValueError("max_surge and max_unavailable are both 0, no node could ever be replaced; raise one")
        return self


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


class CloudPool(Pool):
    """What every pool has whose nodes we order."""

    spot: Annotated[bool, Field(description="cheaper machines that the provider may take back at any time")] = False
    boot_disk_gib: Annotated[int, Field(ge=64, description="holds container images and emptyDir volumes")] = 512
    rollout: Rollout = Rollout()


class NebiusPool(CloudPool):
    platform: Annotated[str, Field(description="e.g. gpu-h200-sxm, cpu-d3")]
    preset: Annotated[str, Field(description="e.g. 8gpu-128vcpu-1600gb")]
    infiniband: InfiniBand | None = None
    drivers: Annotated[
        str | None, Field(description="driver preset of the node image; else the one for the Kubernetes version")
    ] = None
    reservations: Annotated[
        tuple[str, ...], Field(description="capacity block groups, of which alone the nodes are then taken")
    ] = ()

    @model_validator(mode="after")
    def _one_kind_of_capacity(self) -> "NebiusPool":
        if self.spot and self.reservations:
            raise ValueError("spot machines cannot come from a reservation; choose one")
        return self

    @property
    def machine(self) -> str:
        return f"{self.platform}/{self.preset}"


class GkePool(CloudPool):
    machine_type: Annotated[str, Field(description="e.g. g2-standard-8, e2-standard-16")]
    infiniband: None = None
    zones: Annotated[
        tuple[str, ...],
        Field(description="where the region does not have the machine everywhere, and for reservations"),
    ] = ()
    reservation: Annotated[str | None, Field(description="a reservation, of which alone the nodes are taken")] = None

    @model_validator(mode="after")
    def _one_kind_of_capacity(self) -> "GkePool":
        if self.spot and self.reservation:
            raise ValueError("spot machines cannot come from a reservation; choose one")
        if self.reservation and not self.zones:
            raise ValueError("a reservation is in one zone; write it in zones")
        return self

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
