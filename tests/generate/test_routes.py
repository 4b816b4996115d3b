"""What the policy's table says of clusters: the same as what is installed on them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from skyfleet_policy.routes import parse_routes

from addons.manifest import manifest
from skyfleet.generate.routes import routes
from skyfleet.model import Fleet
from tests import toy

NORTH = "clusters.north"
CACHES = {"size_gib": 1000, "models": False}
SCRATCH = {"size_gib": 500, "retention_days": 9}


def test_every_volume_has_its_claim_on_the_cluster(tmp_path: Path) -> None:
    """A pod whose claim does not exist waits for ever."""
    fleet = toy.fleet(tmp_path, {f"{NORTH}.caches": {"size_gib": 1000}, f"{NORTH}.scratch": SCRATCH})
    claims = {
        item["metadata"]["name"]
        for item in manifest(fleet, fleet.clusters["north"])
        if item["kind"] == "PersistentVolumeClaim" and item["metadata"]["namespace"] == "skyfleet"
    }

    assert {volume["claim"] for volume in _north(fleet)["volumes"]} == claims
    assert len(claims) == 3


def test_a_mount_comes_with_the_variables_that_use_it(tmp_path: Path) -> None:
    """Only of what the definition asks for, and with its retention."""
    fleet = toy.fleet(tmp_path, {f"{NORTH}.caches": CACHES, f"{NORTH}.scratch": SCRATCH})

    assert [(volume["mount_path"], volume["environment"]) for volume in _north(fleet)["volumes"]] == [
        (
            "/mnt/cache-packages",
            {
                "UV_CACHE_DIR": "/mnt/cache-packages/uv",
                "UV_LINK_MODE": "copy",
                "PIP_CACHE_DIR": "/mnt/cache-packages/pip",
            },
        ),
        ("/mnt/scratch", {"SCRATCH": "/mnt/scratch", "SCRATCH_RETENTION_DAYS": "9"}),
    ]


@pytest.mark.parametrize(
    ("exposure", "resources", "host_device"),
    [
        ("shared-device-plugin", {"rdma/shared_device": 1}, False),
        ("device-plugin", {}, False),
        ("host-path", {}, True),
    ],
)
def test_pods_ask_for_what_the_exposure_offers(
    tmp_path: Path, exposure: str, resources: dict[str, int], host_device: bool
) -> None:
    """One field of the pool decides what is installed, what is let through and what is asked for."""
    fleet = toy.fleet(tmp_path, {f"{NORTH}.pools.0.infiniband": {"fabric": "fabric-7", "exposure": exposure}})

    found = _north(fleet)["pools"]["h200"]["infiniband"]

    assert (found["resources"], found["host_device"]) == (resources, host_device)
    assert found["environment"]["NCCL_IB_HCA"] == "mlx5"


def test_the_policy_reads_it(tmp_path: Path) -> None:
    """The consumer's own strict reader, which also refuses tokens on shared volumes."""
    fleet = toy.fleet(tmp_path, {f"{NORTH}.caches": {"size_gib": 1000}, f"{NORTH}.scratch": SCRATCH})

    read = parse_routes(routes(fleet))

    assert read.machines["gpu-h200-sxm_8gpu-128vcpu-1600gb"][0] == "north"
    assert read.taints == {"nvidia.com/gpu"}


def _north(fleet: Fleet) -> dict[str, Any]:
    return routes(fleet)["clusters"]["north"]
