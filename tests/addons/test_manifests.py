"""What is generated for a cluster beside Kueue's objects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from addons.manifest import manifest
from infra.manifests import key, references
from kueue.manifest import manifest as queues
from skyfleet.model import Cluster, Fleet
from tests import toy

NORTH = "clusters.north"
IB = {"fabric": "fabric-7", "exposure": "shared-device-plugin"}
CACHES = {"size_gib": 1000, "trim_to_percent": 80}
SCRATCH = {"size_gib": 500, "retention_days": 7}

Manifest = dict[str, Any]


def test_no_two_objects_of_a_kind_share_a_name(tmp_path: Path) -> None:
    """The program knows an object by kind and name, whatever its namespace."""
    fleet = _full(tmp_path)
    for cluster in fleet.clusters.values():
        keys = [key(item) for item in _all(fleet, cluster)]

        assert len(keys) == len(set(keys))


def test_every_object_comes_after_what_it_needs(tmp_path: Path) -> None:
    """Kubectl applies a file from top to bottom."""
    fleet = _full(tmp_path)
    for cluster in fleet.clusters.values():
        everything = _all(fleet, cluster)
        there = {key(item) for item in everything}
        seen: set[tuple[str, str]] = set()
        for item in everything:
            assert {needed for needed in references(item) if needed in there} <= seen, key(item)
            seen.add(key(item))


def test_nothing_is_missing_that_an_object_needs(tmp_path: Path) -> None:
    """Each claim has its volume, each binding its role, each job its script."""
    fleet = _full(tmp_path)
    for cluster in fleet.clusters.values():
        there = {key(item) for item in _all(fleet, cluster)} | {("Namespace", "kube-system")}
        for item in _all(fleet, cluster):
            assert set(references(item)) <= there, key(item)


def test_a_bare_cluster_gets_rights_and_guard_alone(tmp_path: Path) -> None:
    """No InfiniBand, no caches, no scratch: nothing that serves them."""
    fleet = toy.fleet(tmp_path)

    kinds = {item["kind"] for item in manifest(fleet, fleet.clusters["north"])}

    assert kinds == {
        "Namespace",
        "ServiceAccount",
        "Role",
        "RoleBinding",
        "ClusterRole",
        "ClusterRoleBinding",
        "ResourceQuota",
        "ValidatingAdmissionPolicy",
        "ValidatingAdmissionPolicyBinding",
    }


def test_the_shared_device_plugin_runs_where_infiniband_is(tmp_path: Path) -> None:
    """On the pool's own nodes, and it offers the resource that the policy asks for."""
    fleet = toy.fleet(tmp_path, {f"{NORTH}.pools.0.infiniband": IB})
    made = manifest(fleet, fleet.clusters["north"])

    daemon = _one(made, "DaemonSet", "rdma-shared-device-plugin")["spec"]["template"]["spec"]
    node = daemon["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    assert node == [{"matchExpressions": [{"key": "skyfleet.dev/pool", "operator": "In", "values": ["h200"]}]}]
    offered = json.loads(_one(made, "ConfigMap", "rdma-shared-device-plugin")["data"]["config.json"])["configList"]
    assert [(one["resourcePrefix"], one["resourceName"]) for one in offered] == [("rdma", "shared_device")]


@pytest.mark.parametrize("exposure", ["device-plugin", "host-path"])
def test_other_exposures_install_nothing(tmp_path: Path, exposure: str) -> None:
    """The node image hands the devices on, or the pod mounts their path."""
    fleet = toy.fleet(tmp_path, {f"{NORTH}.pools.0.infiniband": IB | {"exposure": exposure}})

    assert not [item for item in manifest(fleet, fleet.clusters["north"]) if item["kind"] == "DaemonSet"]


def test_a_host_path_is_let_through_only_where_the_definition_says_so(tmp_path: Path) -> None:
    """One field of the pool decides both what is installed and what the guard allows."""
    allowed = {}
    for exposure in ("shared-device-plugin", "host-path"):
        fleet = toy.fleet(tmp_path / exposure, {f"{NORTH}.pools.0.infiniband": IB | {"exposure": exposure}})
        guard = _one(manifest(fleet, fleet.clusters["north"]), "ValidatingAdmissionPolicy", "skyfleet-pods")
        allowed[exposure] = "/dev/infiniband" in json.dumps(guard)

    assert allowed == {"shared-device-plugin": False, "host-path": True}


def test_volumes_can_be_claimed_by_their_own_claim_alone(tmp_path: Path) -> None:
    """Many nodes may write, and deleting a claim deletes no data."""
    fleet = _full(tmp_path)
    made = manifest(fleet, fleet.clusters["north"])

    volume = _one(made, "PersistentVolume", "skyfleet-cache-models")["spec"]
    assert volume == {
        "capacity": {"storage": "1000Gi"},
        "accessModes": ["ReadWriteMany"],
        "persistentVolumeReclaimPolicy": "Retain",
        "storageClassName": "",
        "claimRef": {"namespace": "skyfleet", "name": "cache-models"},
        "hostPath": {"path": "/mnt/skyfleet/caches/models", "type": "Directory"},
    }
    assert [item["metadata"]["name"] for item in made if item["kind"] == "PersistentVolumeClaim"] == [
        "caches-root",
        "scratch-root",
        "cache-packages",
        "cache-models",
        "scratch",
    ]


def test_volumes_on_google_cloud_are_found_by_name(tmp_path: Path) -> None:
    """The address behind it is known only when the instance is made, and the manifest is committed before."""
    fleet = _full(tmp_path)

    volume = _one(manifest(fleet, fleet.clusters["central"]), "PersistentVolume", "skyfleet-scratch")["spec"]

    assert volume["nfs"] == {"server": "scratch.central.skyfleet.internal", "path": "/scratch/scratch"}
    assert volume["mountOptions"] == ["nfsvers=4.1", "hard"]


def test_the_clean_up_follows_the_definition(tmp_path: Path) -> None:
    """Retention, size and the folders that there are."""
    fleet = _full(tmp_path)
    made = manifest(fleet, fleet.clusters["north"])

    assert [_arguments(made, "CronJob", f"clean-{name}") for name in ("caches", "scratch")] == [
        ["trim", "/volume", "--folder", "packages=3", "--folder", "models=2", "--to-gib", "800"],
        ["expire", "/volume/scratch", "--days", "7"],
    ]


def test_a_changed_job_has_another_name(tmp_path: Path) -> None:
    """A Job cannot be changed, so kubectl could not apply it under its old one."""
    names = []
    for models in (True, False):
        fleet = _full(tmp_path / str(models), {f"{NORTH}.caches": {**CACHES, "models": models}})
        jobs = [item for item in manifest(fleet, fleet.clusters["north"]) if item["kind"] == "Job"]
        names.append([job["metadata"]["name"] for job in jobs])

    assert names[0][0] != names[1][0]
    assert names[0][1] == names[1][1]


def test_skypilot_has_no_right_beyond_its_namespace_but_to_look(tmp_path: Path) -> None:
    """And within it none on roles, on tokens or on what Kueue decides by."""
    fleet = toy.fleet(tmp_path)
    made = manifest(fleet, fleet.clusters["central"])

    everywhere = _one(made, "ClusterRole", "skyfleet-skypilot")["rules"]
    assert {verb for rule in everywhere for verb in rule["verbs"]} == {"get", "list", "watch"}
    granted = _one(made, "Role", "skypilot")["rules"]
    assert "*" not in json.dumps(granted)
    subjects = _one(made, "RoleBinding", "skypilot")["subjects"]
    assert [subject["name"] for subject in subjects] == [
        "skypilot",
        "central-skypilot@toys-1.iam.gserviceaccount.com",
    ]


def _full(root: Path, changes: dict[str, Any] | None = None) -> Fleet:
    """Both clusters with everything that addons serve."""
    everything: dict[str, Any] = {f"{NORTH}.pools.0.infiniband": IB}
    for cluster in ("north", "central"):
        everything |= {f"clusters.{cluster}.caches": CACHES, f"clusters.{cluster}.scratch": SCRATCH}
    return toy.fleet(root, everything | (changes or {}))


def _all(fleet: Fleet, cluster: Cluster) -> list[Manifest]:
    return [*queues(fleet, cluster), *manifest(fleet, cluster)]


def _one(made: list[Manifest], kind: str, name: str) -> Manifest:
    return next(item for item in made if key(item) == (kind, name))


def _arguments(made: list[Manifest], kind: str, name: str) -> list[str]:
    job = _one(made, kind, name)["spec"]["jobTemplate"]["spec"]
    return job["template"]["spec"]["containers"][0]["args"]
