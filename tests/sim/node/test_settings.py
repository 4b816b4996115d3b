"""What the node's programs read: complete, for this node, and with no more rights than each of them has."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from sim import addresses, ports
from sim.node import plan, settings
from sim.node.plan import RealNode
from sim.state import ClusterState, State
from tests.sim.clusters import GPU_POOL

NODE = RealNode("north", GPU_POOL)


@pytest.fixture
def etc(state: State) -> Path:
    cluster = state.cluster("north")
    _create(cluster)
    settings.write(state, cluster, NODE)
    return plan.folder(cluster) / "etc"


def test_every_placeholder_is_filled_in(etc: Path) -> None:
    """One that is not would be found minutes later, by a program that does not start."""
    for file in etc.rglob("*"):
        if file.is_file():
            assert not re.search(r"\$\{?[a-z]", file.read_text()), file


def test_the_kubelet_has_the_pools_taints_and_a_control_group_of_its_own(etc: Path, state: State) -> None:
    """As the cloud would register the node; two simulations do not share a group."""
    kubelet = yaml.safe_load((etc / "kubelet.yaml").read_text())

    assert kubelet["registerWithTaints"] == [{"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}]
    assert kubelet["cgroupRoot"] == plan.cgroup(state)


def test_pods_get_addresses_that_the_simulation_knows_as_the_nodes(etc: Path) -> None:
    """Else the API server would not look for them there."""
    (bridge,) = (part for part in json.loads((etc / "cni/bridge.conflist").read_text())["plugins"] if "ipam" in part)

    (subnet,) = (one["subnet"] for ranges in bridge["ipam"]["ranges"] for one in ranges)
    assert addresses.is_inside(subnet.partition("/")[0])


@pytest.mark.parametrize(
    ("program", "user", "groups"),
    [
        ("kubelet", "system:node:h200-real", ["system:nodes", "system:authenticated"]),
        ("kube-proxy", "system:kube-proxy", ["system:authenticated"]),
        ("coredns", "system:kube-controller-manager", ["system:authenticated"]),
    ],
)
def test_a_program_acts_as_itself_and_its_credentials_are_private(
    etc: Path, program: str, user: str, groups: list[str]
) -> None:
    """Through the address at which the node reaches this machine."""
    file = etc / f"{program}.kubeconfig"
    document = yaml.safe_load(file.read_text())

    assert file.stat().st_mode & 0o077 == 0
    assert document["clusters"][0]["cluster"]["server"] == f"https://{addresses.HOST}:6443"
    own = document["users"][0]["user"]
    assert (own["as"], own["as-groups"]) == (user, groups)


def test_there_is_a_folder_for_each_shared_file_system(etc: Path, state: State) -> None:
    """Into which the volumes of `pulumi up` lead."""
    del etc
    for filesystem in ("caches", "scratch"):
        assert plan.shared(state.cluster("north"), filesystem).is_dir()


def _create(cluster: ClusterState) -> None:
    cluster.pki.mkdir(parents=True)
    (cluster.pki / "ca.crt").write_text("certificate")
    ports.save(cluster.ports, {"kube-apiserver": 6443})
    document = {"clusters": [{"name": "north", "cluster": {"server": "https://127.0.0.1:6443"}}]}
    document["users"] = [{"name": "north", "user": {"client-certificate-data": "admin"}}]
    cluster.kubeconfig.write_text(yaml.safe_dump(document))
