"""What becomes of an operation that an `up` began and did not write down; the programs of clouds and clusters are stand-ins here."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from infra.adoption import CannotAskError, Deployment, adopt

Says = Callable[[str, str], None]
"""Let a program on PATH be this shell script."""

GKE = {
    "urn": "urn:pulumi:s::p::pulumi:providers:gcp::gcp",
    "type": "pulumi:providers:gcp",
    "id": "1",
    "inputs": {"project": "acme"},
}
CLUSTER = {
    "urn": "urn:pulumi:s::p::pulumi:providers:kubernetes::k8s",
    "type": "pulumi:providers:kubernetes",
    "id": "2",
    "inputs": {"kubeconfig": "{}", "context": "there"},
}


@pytest.fixture
def says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Says:
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    def program(name: str, script: str) -> None:
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)

    return program


def pending(
    kind: str, operation: str = "creating", provider: dict[str, Any] | None = None, **inputs: Any
) -> Deployment:
    """A stack with one operation that is not done."""
    resource: dict[str, Any] = {"urn": f"urn:pulumi:s::p::{kind}::one", "type": kind, "inputs": inputs}
    if provider is not None:
        resource["provider"] = f"{provider['urn']}::{provider['id']}"
    return {"resources": [GKE, CLUSTER], "pending_operations": [{"type": operation, "resource": resource}]}


def network() -> Deployment:
    """A stack whose network may have been made."""
    return pending("nebius:index/vpcV1Network:VpcV1Network", parentId="project", name="fleet")


def identifiers(deployment: Deployment) -> list[str]:
    """Of what was adopted."""
    return [one["id"] for one in deployment["resources"] if not one["type"].startswith("pulumi:")]


def test_an_object_of_kubernetes_has_its_name_for_its_id() -> None:
    """With its namespace, where it has one; whether it is there the refresh finds out."""
    deployment = pending("kubernetes:core/v1:ConfigMap", metadata={"name": "one", "namespace": "kueue-system"})

    assert [str(one) for one in adopt(deployment)] == ["creating one (kubernetes:core/v1:ConfigMap): adopted"]
    assert identifiers(deployment) == ["kueue-system/one"]
    assert "pending_operations" not in deployment


def test_an_object_without_a_namespace_has_its_bare_name() -> None:
    deployment = pending("kubernetes:scheduling.k8s.io/v1:PriorityClass", metadata={"name": "batch"})
    adopt(deployment)

    assert identifiers(deployment) == ["batch"]


def test_the_id_of_a_resource_of_google_follows_from_inputs_and_provider() -> None:
    """Nobody has to be asked."""
    deployment = pending("gcp:compute/network:Network", provider=GKE, name="fleet")
    adopt(deployment)

    assert identifiers(deployment) == ["projects/acme/global/networks/fleet"]


def test_a_resource_of_nebius_is_found_in_the_list_of_its_parent(says: Says) -> None:
    """By the inputs that no other of its parent has; one of another name is not it."""
    items = [{"metadata": {"id": "no", "name": "other"}}, {"metadata": {"id": "yes", "name": "fleet"}}]
    asked = "vpc network list --parent-id project --all --format json"
    says("nebius", f"test \"$*\" = '{asked}' && echo '{json.dumps({'items': items})}'")
    deployment = network()
    adopt(deployment)

    assert identifiers(deployment) == ["yes"]


def test_a_permit_is_found_by_what_it_permits(says: Says) -> None:
    """It has no name of its own; inputs are written one way, the cloud's answer the other."""
    items = [{"metadata": {"id": "yes"}, "spec": {"resource_id": "project", "role": "viewer"}}]
    says("nebius", f"echo '{json.dumps({'items': items})}'")
    deployment = pending(
        "nebius:index/iamV1AccessPermit:IamV1AccessPermit", parentId="group", resourceId="project", role="viewer"
    )
    adopt(deployment)

    assert identifiers(deployment) == ["yes"]


def test_what_the_cloud_is_still_making_is_waited_for(
    says: Says, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of a cluster cannot be read."""
    monkeypatch.setattr("infra.adoption.POLL_SECONDS", 0)
    asked = tmp_path / "asked"
    item = '{"metadata": {"id": "yes", "name": "fleet"}, "status": {"state": "%s"}}'
    says(
        "nebius",
        f"state=RUNNING; test -e {asked} || state=PROVISIONING; : > {asked}; printf '{{\"items\": [{item}]}}' $state",
    )
    deployment = pending("nebius:index/mk8sV1Cluster:Mk8sV1Cluster", parentId="project", name="fleet")
    adopt(deployment)

    assert identifiers(deployment) == ["yes"]
    assert asked.exists()


def test_what_was_not_made_is_forgotten(says: Says) -> None:
    says("nebius", "echo '{}'")
    deployment = network()

    assert [one.adopted for one in adopt(deployment)] == [False]
    assert identifiers(deployment) == []


@pytest.mark.parametrize("operation", ["updating", "deleting", "reading"])
def test_what_was_not_being_made_is_known_to_the_state_already(operation: str) -> None:
    """The refresh sees how far it came; a second entry would be one too many."""
    deployment = pending("kubernetes:core/v1:ConfigMap", operation, metadata={"name": "one"})
    adopt(deployment)

    assert identifiers(deployment) == []


def test_a_half_installed_release_loses_its_record_and_is_forgotten(says: Says, tmp_path: Path) -> None:
    """Helm would wait for ever for whoever began it; what it installed is taken over by the next."""
    said = tmp_path / "said"
    says("kubectl", f'echo "$@" >> {said}')
    deployment = pending("kubernetes:helm.sh/v3:Release", provider=CLUSTER, name="kueue", namespace="kueue-system")
    adopt(deployment)

    assert identifiers(deployment) == []
    deleting = next(line for line in said.read_text().splitlines() if " delete " in line)
    assert "--context=there --namespace=kueue-system delete secrets" in deleting
    assert "owner=helm,name=kueue,status in (pending-install" in deleting


def test_a_release_that_is_installed_is_adopted(says: Says) -> None:
    says("kubectl", 'case "$*" in *deployed*) echo secret/sh.helm.release.v1.kueue.v1;; esac')
    deployment = pending("kubernetes:helm.sh/v3:Release", provider=CLUSTER, name="kueue", namespace="kueue-system")
    adopt(deployment)

    assert identifiers(deployment) == ["kueue-system/kueue"]


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (None, "nebius is not on PATH"),
        ("echo 'token has expired' >&2; exit 1", "`nebius vpc network list` failed: token has expired"),
    ],
)
def test_nothing_is_settled_when_the_cloud_cannot_be_asked(says: Says, script: str | None, message: str) -> None:
    """To forget what may be there would make it twice."""
    if script is not None:
        says("nebius", script)
    deployment = network()

    with pytest.raises(CannotAskError, match=message):
        adopt(deployment)

    assert len(deployment["pending_operations"]) == 1
