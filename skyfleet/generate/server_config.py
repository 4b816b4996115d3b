"""Configuration of the SkyPilot API server: which clusters it may use, what they cost, and the policy that every request passes."""

from typing import Any

from addons.access import SERVICE_ACCOUNT
from skyfleet.model import Cluster, Fleet

POLICY = "skyfleet_policy.FleetPolicy"
_AUTOSCALED_PROVISION_SECONDS = 900
"""Node pools of both clouds scale up within 15 minutes; SkyPilot's own default is 10 seconds."""

_AUTOSCALERS = {"gke": "gke", "nebius": "nebius"}
"""Provider -> kind by which SkyPilot knows that a pool without nodes still has its accelerator (clouds.md 1.8, 2.3)."""


def server_config(fleet: Fleet) -> dict[str, Any]:
    clusters = fleet.clusters.values()
    return {
        "admin_policy": POLICY,
        "allowed_clouds": ["kubernetes"],
        "kubernetes": {
            "allowed_contexts": [cluster.context for cluster in clusters],
            "context_configs": {cluster.context: _context(fleet, cluster) for cluster in clusters},
        },
    }


def _context(fleet: Fleet, cluster: Cluster) -> dict[str, Any]:
    # SkyPilot would otherwise make an account of its own with every right in the namespace
    config: dict[str, Any] = {"namespace": fleet.organization.namespace, "remote_identity": SERVICE_ACCOUNT}
    if any(pool.min_nodes < pool.max_nodes for pool in cluster.pools):
        config["provision_timeout"] = _AUTOSCALED_PROVISION_SECONDS
        if cluster.provider in _AUTOSCALERS:
            config["autoscaler"] = _AUTOSCALERS[cluster.provider]
    pricing = _pricing(fleet, cluster)
    if pricing:
        config["pricing"] = pricing
    return config


def _pricing(fleet: Fleet, cluster: Cluster) -> dict[str, Any]:
    """USD per hour; an accelerator's price is all-in (SkyPilot adds no cpu or memory to it)."""

    def usd(sku: str) -> float | None:
        return fleet.prices.usd(provider=cluster.provider, region=cluster.region, sku=sku)

    pricing: dict[str, Any] = {sku: price for sku in ("cpu", "memory") if (price := usd(sku)) is not None}
    accelerators = {
        pool.accelerator: price
        for pool in cluster.pools
        if pool.accelerator and (price := usd(pool.accelerator)) is not None
    }
    return {**pricing, "accelerators": accelerators} if accelerators else pricing
