"""What the policy's table says of pods: the volumes that they mount, and what they need for InfiniBand."""

from typing import Any

from skyfleet.model import AnyPool, Cluster
from skyfleet.model.cloud import infiniband_facts, volume_variables
from skyfleet.requests import RDMA_SHARED_DEVICE
from skyfleet.volumes import Volume, volumes_of

RETENTION = "SCRATCH_RETENTION_DAYS"


def mounts(cluster: Cluster) -> list[dict[str, Any]]:
    """Each shared volume by its claim, with the variables that make programs use it."""
    return [
        {
            "name": volume.name,
            "claim": volume.name,
            "mount_path": volume.mount_path,
            "environment": _variables(cluster, volume),
        }
        for volume in volumes_of(cluster)
    ]


def fabric(pool: AnyPool) -> dict[str, Any] | None:
    """Which way the devices come is the pool's one field; the rest follows from it and from the accelerator."""
    if pool.infiniband is None:
        return None
    facts = infiniband_facts()
    exposure = pool.infiniband.exposure
    return {
        "exposure": exposure,
        "resources": {RDMA_SHARED_DEVICE: 1} if exposure == "shared-device-plugin" else {},
        "environment": dict(facts.environment.get(pool.accelerator or "", {})),
        "packages": list(facts.packages),
        "library": facts.library,
        "host_device": exposure == "host-path",
    }


def _variables(cluster: Cluster, volume: Volume) -> dict[str, str]:
    variables = {
        name: value.format(path=volume.mount_path) for name, value in volume_variables().get(volume.name, {}).items()
    }
    if cluster.scratch is not None and volume.filesystem.name == "scratch":
        variables[RETENTION] = str(cluster.scratch.retention_days)
    return variables
