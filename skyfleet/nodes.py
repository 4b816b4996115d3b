"""What a pool's nodes carry: the labels that select them and the taint that keeps others off."""

from dataclasses import dataclass
from typing import Literal

from skyfleet.model import AnyPool, Cluster, ExistingPool, catalogue

POOL_LABEL = "skyfleet.dev/pool"


Effect = Literal["NoSchedule", "PreferNoSchedule", "NoExecute"]


@dataclass(frozen=True)
class Taint:
    key: str
    value: str
    effect: Effect


ACCELERATOR_TAINT = Taint("nvidia.com/gpu", "present", "NoSchedule")
"""GKE taints its GPU pools so, and SkyPilot's GPU pods tolerate the key (clouds.md 1.8, 2.2); on Nebius we do the same."""


def labels(cluster: Cluster, pool: AnyPool) -> dict[str, str]:
    """Labels that select exactly this pool's nodes, the one by which SkyPilot knows the accelerator among them."""
    own = dict(pool.node_labels) if isinstance(pool, ExistingPool) else {POOL_LABEL: pool.name}
    accelerator = catalogue().accelerators.get(pool.accelerator or "")
    if accelerator is not None and cluster.provider in accelerator.node_labels:
        key, _, value = accelerator.node_labels[cluster.provider].partition("=")
        own.setdefault(key, value)
    return own


def taints(pool: AnyPool) -> tuple[Taint, ...]:
    return (ACCELERATOR_TAINT,) if pool.accelerator else ()


def accelerator_resource(pool: AnyPool) -> str | None:
    accelerator = catalogue().accelerators.get(pool.accelerator or "")
    return accelerator.resource if accelerator else None
