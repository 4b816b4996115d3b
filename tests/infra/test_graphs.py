"""The graphs that the program makes: compared whole, and held to the rules that every resource owes."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from infra.graph import Resource
from skyfleet.model.cloud import effects
from tests.infra.captured import BLESS, STACKS, golden, graph, rendered
from tools import paths

EACH = pytest.mark.parametrize("stack", STACKS.values())
UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
"""The wire's mark of a value that is not known yet."""
SECRET = "4dabf18193072939515e22adb298388d"  # noqa: S105 - the wire's mark of a secret, not one

PROTECTED = {
    "nebius:index/mk8sV1Cluster:Mk8sV1Cluster",
    "nebius:index/computeV1GpuCluster:ComputeV1GpuCluster",
    "nebius:index/computeV1Filesystem:ComputeV1Filesystem",
    "gcp:container/cluster:Cluster",
    "gcp:filestore/instance:Instance",
}
"""What would be lost for good, or takes all nodes with it."""
HOLDS_DATA = {"nebius:index/computeV1Filesystem:ComputeV1Filesystem", "gcp:filestore/instance:Instance"}


@EACH
def test_the_graph_is_the_accepted_one(stack: str) -> None:
    """Every input and option of every cloud resource; each change is seen and accepted."""
    assert rendered(stack) == golden(stack).read_text(encoding="utf-8"), f"if it is right, run `{BLESS}`"


@EACH
def test_every_resource_names_its_provider(stack: str) -> None:
    """A default provider would take project and credentials from whatever stands around."""
    without = [r.key for r in _resources(stack) if not r.options.get("provider")]

    assert without == []


@EACH
def test_no_two_resources_have_one_name(stack: str) -> None:
    """The engine would refuse them; the recorder does not."""
    keys = [resource.key for resource in graph(stack).resources]

    assert len(keys) == len(set(keys))


@EACH
def test_what_cannot_be_lost_is_protected(stack: str) -> None:
    """Clusters, GPU clusters, file systems; and nothing else, which `destroy` would then stop at."""
    protected = {resource.type for resource in _resources(stack) if resource.options.get("protect")}

    assert protected == {r.type for r in _resources(stack) if r.type in PROTECTED}
    assert protected & PROTECTED


@EACH
def test_data_stays_when_the_stack_goes(stack: str) -> None:
    """File systems are retained, and the cloud refuses to delete them too."""
    filesystems = [resource for resource in _resources(stack) if resource.type in HOLDS_DATA]

    assert len(filesystems) == 2
    for filesystem in filesystems:
        assert filesystem.options["retainOnDelete"] is True
        assert (filesystem.inputs.get("forbidDeletion"), filesystem.inputs.get("deletionProtectionEnabled")) in [
            (True, None),
            (None, True),
        ]


@EACH
def test_what_is_in_the_cluster_goes_with_it(stack: str) -> None:
    """A cluster that is lost or deleted cannot be asked to delete its objects."""
    inside = [resource for resource in _resources(stack) if resource.type.startswith("kubernetes:")]

    assert len(inside) > 20
    assert {resource.options["deletedWith"].split("::")[1] for resource in inside} == {stack}


@EACH
def test_objects_wait_for_what_they_need(stack: str) -> None:
    """Kueue's types come with its chart, and its chart needs a node to run on."""
    release = graph(stack).one("Release", "kueue")
    cpu = f"{stack}-cpu"

    assert any(needed.endswith(f"::{cpu}") for needed in release.options["dependsOn"])
    for resource in _resources(stack):
        if resource.type.startswith("kubernetes:") and resource is not release:
            assert "kubernetes:helm.sh/v3:Release::kueue" in resource.options["dependsOn"], resource.key


@EACH
def test_secrets_are_marked(stack: str) -> None:
    """User data of nodes is a secret to its provider; a certificate authority or an exec plugin is none."""
    for resource in _resources(stack):
        template = resource.inputs.get("template", {})
        if "cloudInitUserData" in template:
            assert SECRET in template["cloudInitUserData"], resource.key
    assert SECRET not in json.dumps(graph(stack).outputs)
    assert not [r.key for r in _resources(stack) for word in _words(r.inputs) if "PRIVATE KEY" in word]


@EACH
def test_the_kubeconfig_holds_no_credential(stack: str) -> None:
    """It names the program that fetches one, and the context that SkyPilot looks for."""
    outputs = graph(stack).outputs
    kubeconfig = json.loads(outputs["kubeconfig"])

    assert kubeconfig["current-context"] == outputs["context"]
    assert [set(user["user"]) for user in kubeconfig["users"]] == [{"exec"}]


@EACH
def test_nothing_is_open_to_everybody(stack: str) -> None:
    """No range of all addresses, and no public address on a node."""
    for resource in _resources(stack):
        if resource.is_cloud:
            assert "0.0.0.0/0" not in list(_words(resource.inputs)), resource.key
            assert "publicIpAddress" not in json.dumps(resource.inputs), resource.key


@EACH
def test_every_cloud_resource_says_who_owns_it(stack: str) -> None:
    """Where its type takes labels at all."""
    unlabelled = {
        resource.type.split(":")[-1]
        for resource in _resources(stack)
        if resource.is_cloud and not (resource.inputs.get("labels") or resource.inputs.get("resourceLabels"))
    }
    nameless = {"IamV1GroupMembership", "IamV1AccessPermit"}
    google = {
        "Network",
        "Subnetwork",
        "Router",
        "RouterNat",
        "Firewall",
        "Account",
        "IAMMember",
        "RecordSet",
        "NodePool",
    }

    assert unlabelled <= nameless | google


@EACH
def test_the_effects_of_every_change_are_known(stack: str) -> None:
    """A preview that does not know what replaces a resource would call it harmless."""
    unknown = {resource.type for resource in _resources(stack) if resource.is_cloud} - set(effects())

    assert unknown == set()


@EACH
def test_the_manifests_are_applied_as_they_were_committed(stack: str) -> None:
    """What was reviewed is what runs."""
    committed = [
        document
        for room in ("kueue", "addons")
        for document in yaml.safe_load_all((paths.REPOSITORY / room / "manifests" / f"{stack}.yaml").read_text())
    ]
    applied = {r.name: r.inputs for r in _resources(stack) if r.type.startswith("kubernetes:") and r.name != "kueue"}

    assert {f"{d['kind'].lower()}/{d['metadata']['name']}": _sorted(d) for d in committed} == applied
    assert len(committed) == len(applied)


def test_a_throwaway_stack_can_be_destroyed() -> None:
    """`protect: false` in a stack's configuration lifts every protection, ours and the cloud's."""
    captured = graph("throwaway")

    assert [r.key for r in captured.resources if r.options.get("protect") or r.options.get("retainOnDelete")] == []
    assert captured.one("Cluster", STACKS["gke"]).inputs["deletionProtection"] is False


def test_a_cluster_that_exists_is_adopted() -> None:
    """With a kubeconfig nothing is ordered and no chart installed; the objects are the same."""
    captured = graph("adopted")

    assert [r.key for r in captured.resources if r.is_cloud or r.type.endswith("Release")] == []
    assert captured.outputs["kubeconfig"] == "/some/kubeconfig"
    assert {r.name for r in captured.resources if r.type.startswith("kubernetes:")} == {
        r.name for r in _resources(STACKS["gke"]) if r.type.startswith("kubernetes:") and r.name != "kueue"
    }


@EACH
def test_a_first_preview_shows_everything(stack: str) -> None:
    """Before a cluster exists its address is unknown, and every resource is there all the same."""
    previewed = graph(f"previewed {stack}")

    assert previewed.outputs["kubeconfig"] == UNKNOWN
    assert {r.key for r in previewed.resources} == {r.key for r in graph(stack).resources}


def test_a_renamed_resource_is_found_under_its_old_name() -> None:
    """The seam for renames: an entry makes an alias, so that nothing is replaced."""
    stack = STACKS["nebius"]

    assert {r.key for r in graph("renamed").resources if r.options.get("aliases")} == {
        f"nebius:index/computeV1GpuCluster:ComputeV1GpuCluster::{stack}-h200",
        f"nebius:index/mk8sV1NodeGroup:Mk8sV1NodeGroup::{stack}-h200",
    }


def _resources(stack: str) -> list[Resource]:
    return [resource for resource in graph(stack).resources if not resource.type.startswith("pulumi:")]


def _words(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [word for item in value.values() for word in _words(item)]
    if isinstance(value, list):
        return [word for item in value for word in _words(item)]
    return [str(value)]


def _sorted(value: Any) -> Any:
    return json.loads(json.dumps(value, sort_keys=True))
