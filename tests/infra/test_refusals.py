"""What the clouds refuse: nothing of our own graphs, and each thing that their documentation says."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from skyfleet.model.cloud import limits
from skyfleet.refusals import refusals
from tests.infra.captured import STACKS, graph

NODE_GROUP = "nebius:index/mk8sV1NodeGroup:Mk8sV1NodeGroup"
NEBIUS = STACKS["nebius"]
GKE = STACKS["gke"]


@pytest.mark.parametrize("stack", STACKS.values())
def test_the_clouds_take_what_the_program_sends(stack: str) -> None:
    """By every limit that is known; a recorded graph alone would prove nothing about an API."""
    refused = {
        resource.key: found
        for resource in graph(stack).resources
        if (found := refusals(resource.type, resource.inputs, region="eu-north1", fabric_of=lambda _: "fabric-7"))
    }

    assert refused == {}


def test_every_limit_is_of_something_that_is_made() -> None:
    """A misspelt type or path would limit nothing."""
    made = {resource.type for stack in STACKS.values() for resource in graph(stack).resources}

    assert set(limits()) <= made


@pytest.mark.parametrize(
    ("kind", "name", "changes", "expected"),
    [
        (
            "Mk8sV1NodeGroup",
            f"{NEBIUS}-h200",
            {"template.resources.preset": "1gpu-16vcpu-200gb"},
            [
                "template.gpuCluster: gpu-h200-sxm/1gpu-16vcpu-200gb cannot join a GPU cluster, which takes presets with 8 GPUs"
            ],
        ),
        (
            "Mk8sV1NodeGroup",
            f"{NEBIUS}-h200",
            {"template.resources.platform": "gpu-h300"},
            ["template.resources: there is no platform and preset gpu-h300/8gpu-128vcpu-1600gb"],
        ),
        (
            "Mk8sV1NodeGroup",
            f"{NEBIUS}-h200",
            {"fixedNodeCount": 101},
            ["fixedNodeCount: is 101, it must be at most 100"],
        ),
        (
            "Mk8sV1NodeGroup",
            f"{NEBIUS}-h200",
            {"autoscaling": {"minNodeCount": 1, "maxNodeCount": 2}},
            ["fixedNodeCount: give it or autoscaling, and not both"],
        ),
        (
            "Mk8sV1NodeGroup",
            f"{NEBIUS}-cpu",
            {"template.gpuSettings": {"driversPreset": "cuda12.8"}, "template.bootDisk.sizeGibibytes": 32},
            [
                "template.bootDisk.sizeGibibytes: is 32, it must be at least 64",
                "template.gpuSettings: cpu-d3/16vcpu-64gb has no GPU",
            ],
        ),
        (
            "ComputeV1GpuCluster",
            f"{NEBIUS}-h200",
            {"infinibandFabric": "fabric-5"},
            [
                "infinibandFabric: eu-north1 has no fabric fabric-5, only fabric-2, fabric-3, fabric-4, fabric-6, fabric-7"
            ],
        ),
        (
            "Mk8sV1Cluster",
            NEBIUS,
            {"controlPlane.version": "1.33.4", "controlPlane.etcdClusterSize": 2},
            [
                r"controlPlane.version: is '1.33.4', which does not have the form 1\.\d+",
                "controlPlane.etcdClusterSize: is 2, it must be one of 0, 1, 3",
            ],
        ),
        (
            "NodePool",
            f"{GKE}-l4",
            {"nodeConfig.machineType": "g2-standard-25"},
            ["nodeConfig.machineType: there is no machine type g2-standard-25"],
        ),
        (
            "NodePool",
            f"{GKE}-l4",
            {"nodeConfig.machineType": "g2-standard-96"},
            ["nodeConfig.guestAccelerators: g2-standard-96 has 8 nvidia-l4"],
        ),
        (
            "NodePool",
            f"{GKE}-l4",
            {"nodeConfig.reservationAffinity.consumeReservationType": "SPECIFIC_RESERVATION", "nodeConfig.spot": True},
            [
                "nodeConfig.reservationAffinity: spot machines are not taken from a reservation",
                "nodeLocations: a reservation is in one zone, name it",
            ],
        ),
        (
            "Instance",
            f"{GKE}-caches",
            {"tier": "ZONAL", "fileShares.capacityGb": 512},
            [
                "fileShares.capacityGb: is 512, ZONAL takes 1024 to 102400",
                "location: ZONAL needs a zone, us-central1 is none",
            ],
        ),
        (
            "Account",
            f"{GKE}-ci",
            {"accountId": "ci"},
            ["accountId: is 'ci', which does not have the form [a-z][a-z0-9-]{4,28}[a-z0-9]"],
        ),
    ],
)
def test_what_an_api_refuses_is_refused(kind: str, name: str, changes: dict[str, Any], expected: list[str]) -> None:
    """All reasons at once, each with its place."""
    resource = graph(NEBIUS if name.startswith(NEBIUS) else GKE).one(kind, name)

    assert refusals(resource.type, _changed(resource.inputs, changes), region="eu-north1") == expected


def test_a_node_group_on_another_accelerators_fabric_is_refused() -> None:
    """It would wait for nodes that are nowhere."""
    group = graph(NEBIUS).one("Mk8sV1NodeGroup", f"{NEBIUS}-h200")

    assert refusals(NODE_GROUP, group.inputs, fabric_of=lambda _: "fabric-3") == [
        "template.gpuCluster: H200 is not on fabric fabric-3"
    ]


def _changed(inputs: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    spoiled = copy.deepcopy(inputs)
    for path, value in changes.items():
        *parents, last = path.split(".")
        at = spoiled
        for part in parents:
            at = at.setdefault(part, {})
        at[last] = value
    return spoiled
