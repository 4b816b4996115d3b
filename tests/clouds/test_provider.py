"""A simulated cloud as Pulumi's engine asks it: refusals, quotas, replacements, what exists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import grpc
import pytest
from pulumi.runtime.proto import provider_pb2 as wire
from pulumi.runtime.proto.provider_pb2_grpc import ResourceProviderStub, add_ResourceProviderServicer_to_server

from sim.clouds import projects, structs
from sim.clouds.cloud import Description
from sim.clouds.gcp import GCP
from sim.clouds.nebius import NEBIUS
from sim.clouds.provider import Provider
from sim.machines import Project
from sim.state import State
from tests.sim.conftest import state as state  # noqa: PLC0414 - pytest finds fixtures by name

FILESYSTEM = "nebius:index/computeV1Filesystem:ComputeV1Filesystem"
GPU_CLUSTER = "nebius:index/computeV1GpuCluster:ComputeV1GpuCluster"
NODE_GROUP = "nebius:index/mk8sV1NodeGroup:Mk8sV1NodeGroup"
FILESTORE = "gcp:filestore/instance:Instance"
NETWORK = "gcp:compute/network:Network"
PROJECTS = [Project("nebius", "project-1", "eu-north1"), Project("gcp", "toys-1", "us-central1")]


@dataclass(frozen=True)
class Engine:
    """Asks as Pulumi's does."""

    stub: ResourceProviderStub

    def check(self, kind: str, inputs: dict[str, Any]) -> list[str]:
        answer = self.stub.Check(wire.CheckRequest(urn=_urn(kind), news=structs.pack(inputs)))
        return [failure.reason for failure in answer.failures]

    def create(self, kind: str, inputs: dict[str, Any], *, preview: bool = False) -> tuple[str, dict[str, Any]]:
        request = wire.CreateRequest(urn=_urn(kind), properties=structs.pack(inputs), preview=preview)
        answer = self.stub.Create(request)
        return answer.id, structs.unpack(answer.properties)

    def diff(self, kind: str, old: dict[str, Any], new: dict[str, Any]) -> tuple[list[str], list[str]]:
        """Inputs that changed, and those for which the resource is made anew."""
        request = wire.DiffRequest(urn=_urn(kind), old_inputs=structs.pack(old), news=structs.pack(new))
        answer = self.stub.Diff(request)
        return list(answer.diffs), list(answer.replaces)

    def read(self, kind: str, identifier: str) -> str:
        """The id again, or nothing."""
        return self.stub.Read(wire.ReadRequest(urn=_urn(kind), id=identifier)).id

    def delete(self, kind: str, identifier: str) -> None:
        self.stub.Delete(wire.DeleteRequest(urn=_urn(kind), id=identifier))


@pytest.fixture
def nebius(state: State) -> Iterator[Engine]:
    yield from _engine(state, NEBIUS, {"parentId": "project-1"})


@pytest.fixture
def gcp(state: State) -> Iterator[Engine]:
    yield from _engine(state, GCP, {"project": "toys-1"})


def test_what_a_cloud_refuses_early_a_preview_says(nebius: Engine) -> None:
    """Nebius is asked in previews already."""
    inputs = {"name": "ib", "parentId": "project-1", "infinibandFabric": "fabric-5"}

    assert nebius.check(GPU_CLUSTER, inputs) == [
        "infinibandFabric: eu-north1 has no fabric fabric-5, only fabric-2, fabric-3, fabric-4, fabric-6, fabric-7"
    ]


def test_what_a_cloud_refuses_late_an_update_says(gcp: Engine) -> None:
    """Google Cloud checks when it is to create; nothing exists then."""
    inputs = _filestore(capacity=512)

    assert gcp.check(FILESTORE, inputs) == []
    with pytest.raises(grpc.RpcError, match=re.escape("fileShares.capacityGb: is 512, ZONAL takes 1024 to 102400")):
        gcp.create(FILESTORE, inputs)
    assert gcp.read(FILESTORE, "projects/toys-1/locations/us-central1-a/instances/caches") == ""


def test_a_quota_counts_what_exists(nebius: Engine, state: State) -> None:
    """The third file system does not fit any more, until one is deleted."""
    projects.set_quota(state, "project-1", "compute.filesystem.size.network-ssd", 2048)
    first, _ = nebius.create(FILESYSTEM, _filesystem("one"))
    nebius.create(FILESYSTEM, _filesystem("two"))

    with pytest.raises(
        grpc.RpcError,
        match=re.escape(
            "three: quota compute.filesystem.size.network-ssd of project-1 exceeded: "
            "limit 2048, in use 2048, asked for 1024"
        ),
    ):
        nebius.create(FILESYSTEM, _filesystem("three"))
    nebius.delete(FILESYSTEM, first)
    nebius.create(FILESYSTEM, _filesystem("three"))


def test_a_second_of_the_same_name_is_refused(nebius: Engine, gcp: Engine) -> None:
    """On Nebius within a parent, on Google Cloud by its id."""
    made, _ = nebius.create(FILESYSTEM, _filesystem("one"))
    gcp.create(NETWORK, {"name": "net"})

    with pytest.raises(grpc.RpcError, match=f"{made} exists already"):
        nebius.create(FILESYSTEM, _filesystem("one"))
    with pytest.raises(grpc.RpcError, match="projects/toys-1/global/networks/net exists already"):
        gcp.create(NETWORK, {"name": "net"})


def test_what_is_protected_is_not_deleted(nebius: Engine) -> None:
    """Whoever asks."""
    made, _ = nebius.create(FILESYSTEM, _filesystem("one") | {"forbidDeletion": True})

    with pytest.raises(grpc.RpcError, match=f"{made} cannot be deleted while forbidDeletion is true"):
        nebius.delete(FILESYSTEM, made)
    assert nebius.read(FILESYSTEM, made) == made


def test_immutable_inputs_mean_replacement(nebius: Engine) -> None:
    """By the same table from which a preview tells what a change does."""
    group = {"name": "cpu", "parentId": "mk8scluster-1", "template": {"bootDisk": {"sizeGibibytes": 64}}}

    assert nebius.diff(FILESYSTEM, _filesystem("one"), _filesystem("one") | {"type": "WEKA"}) == (["type"], ["type"])
    assert nebius.diff(FILESYSTEM, _filesystem("one"), _filesystem("one") | {"sizeGibibytes": 2048}) == (
        ["sizeGibibytes"],
        [],
    )
    assert nebius.diff(NODE_GROUP, group, group | {"template": {"bootDisk": {"sizeGibibytes": 128}}}) == (
        ["template"],
        [],
    )
    assert nebius.diff(NODE_GROUP, group, group) == ([], [])


def test_a_preview_makes_nothing_and_leaves_open_what_only_the_cloud_knows(gcp: Engine) -> None:
    """The address of a file system, for one."""
    identifier, outputs = gcp.create(FILESTORE, _filestore(capacity=1024), preview=True)

    assert (identifier, outputs["networks"]) == ("", structs.UNKNOWN)
    assert gcp.read(FILESTORE, "projects/toys-1/locations/us-central1-a/instances/caches") == ""


def test_a_project_that_nobody_made_is_refused(state: State) -> None:
    """As with credentials of somebody else."""
    with pytest.raises(grpc.RpcError, match="project toys-2 does not exist, or these credentials may not use it"):
        next(_engine(state, GCP, {"project": "toys-2"}))


def _engine(state: State, cloud: Description, settings: dict[str, str]) -> Iterator[Engine]:
    projects.write(state, PROJECTS)
    server = grpc.server(ThreadPoolExecutor(2))
    add_ResourceProviderServicer_to_server(Provider(state, cloud, "1.0.0"), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        stub = ResourceProviderStub(channel)
        stub.Configure(wire.ConfigureRequest(args=structs.pack(settings)))
        yield Engine(stub)
    server.stop(None)


def _urn(kind: str) -> str:
    return f"urn:pulumi:toy::skyfleet::{kind}::resource"


def _filesystem(name: str) -> dict[str, Any]:
    return {"name": name, "parentId": "project-1", "type": "NETWORK_SSD", "sizeGibibytes": 1024}


def _filestore(*, capacity: int) -> dict[str, Any]:
    return {
        "name": "caches",
        "location": "us-central1-a",
        "tier": "ZONAL",
        "protocol": "NFS_V3",
        "fileShares": {"name": "caches", "capacityGb": capacity},
        "networks": [{"network": "net", "modes": ["MODE_IPV4"]}],
    }
