"""What a pod has of InfiniBand."""

from __future__ import annotations

from tests.addons.pods import Pod

_SETTINGS = ("NCCL_", "SHARP_", "UCX_")


def infiniband_of(pod: Pod) -> dict[str, str]:
    """Devices that it asks for and settings that it gets, by name; empty for a pod without."""
    container = pod["spec"]["containers"][0]
    devices = {name: count for name, count in container["resources"]["limits"].items() if name.startswith("rdma/")}
    settings = {one["name"]: one["value"] for one in container["env"] if one["name"].startswith(_SETTINGS)}
    return devices | settings
