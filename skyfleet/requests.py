"""Resources that SkyPilot's pods request, and those that our queues count."""

from skyfleet.model import AnyPool, Cluster
from skyfleet.nodes import accelerator_resource

RDMA_SHARED_DEVICE = "rdma/shared_device"
"""What the RDMA shared device plugin offers and a pod with InfiniBand asks for (clouds.md 1.7, route C)."""


def requested_resources(pool: AnyPool) -> list[str]:
    """cpu, memory and the accelerator always; ephemeral-storage from `disk_size` and fuse from bucket mounts (SkyPilot 0.14.1)."""
    requested = ["cpu", "memory", "ephemeral-storage", "smarter-devices/fuse"]
    accelerator = accelerator_resource(pool)
    if accelerator is not None:
        requested.append(accelerator)
    if pool.infiniband is not None and pool.infiniband.exposure == "shared-device-plugin":
        requested.append(RDMA_SHARED_DEVICE)
    return requested


def covered_resources(cluster: Cluster) -> list[str]:
    """In the order in which every flavor lists them: cpu, memory, then accelerators by name."""
    accelerators = {accelerator_resource(pool) for pool in cluster.pools} - {None}
    return ["cpu", "memory", *sorted(str(resource) for resource in accelerators)]
