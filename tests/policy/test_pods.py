"""The pods themselves: SkyPilot merges the configuration over its template, and what comes out is whole."""

from __future__ import annotations

import copy
from collections import Counter
from typing import Any

import pytest
import sky
from sky import clouds
from sky.provision.kubernetes import utils as kubernetes_utils

from tests.policy.sample import Case, cases, policy, sample_routes

ACCEPTED = [
    c
    for c in cases()
    if not c.rejected and c.request.value not in ("exec", "jobs.launch_controller", "serve.launch_controller")
]
EACH = pytest.mark.parametrize("case", ACCEPTED, ids=lambda case: case.sentence)

TEMPLATE: dict[str, Any] = {
    "metadata": {"labels": {"parent": "skypilot", "team": "search"}, "annotations": {"skypilot-user": "ada"}},
    "spec": {
        "serviceAccountName": "skypilot-service-account",
        "volumes": [{"name": "dshm", "emptyDir": {"medium": "Memory"}}],
        "containers": [
            {
                "name": "ray-node",
                "env": [{"name": "SKYPILOT_POD_NODE_TYPE", "value": "head"}],
                "resources": {"requests": {"cpu": 2}, "limits": {"nvidia.com/gpu": 8}},
                "volumeMounts": [{"name": "dshm", "mountPath": "/dev/shm"}],  # noqa: S108  # shared memory of a pod
            }
        ],
    },
}
"""What SkyPilot's template makes, as far as configurations are merged into it (sky/templates/kubernetes-ray.yml.j2)."""


def pods_of(case: Case) -> list[dict[str, Any]]:
    """The pods of a case, one for each candidate of each task."""
    dag, settings = case.apply()
    with policy(config=settings):
        return [pod_of(resources) for task in dag.tasks for resources in task.resources]


def pod_of(resources: sky.Resources) -> dict[str, Any]:
    """A pod by SkyPilot's own merge."""
    cluster = {"available_node_types": {"ray_head_default": {"node_config": copy.deepcopy(TEMPLATE)}}, "provider": {}}
    merged = kubernetes_utils.combine_pod_config_fields(
        cluster, resources.cluster_config_overrides, clouds.Kubernetes(), resources.region
    )
    return merged["available_node_types"]["ray_head_default"]["node_config"]


@EACH
def test_nothing_is_doubled(case: Case) -> None:
    """One source for each volume, one mount for each path, one value for each variable, one container for the task."""
    for pod in pods_of(case):
        spec = pod["spec"]
        main = spec["containers"][0]
        for name, values in {
            "volumes": [volume["name"] for volume in spec["volumes"]],
            "mounts": [mount["mountPath"] for mount in main["volumeMounts"]],
            "variables": [variable["name"] for variable in main["env"]],
            "containers": [container.get("name") for container in spec["containers"]],
            "capabilities": main.get("securityContext", {}).get("capabilities", {}).get("add", []),
        }.items():
            doubled = [value for value, count in Counter(values).items() if count > 1]
            assert not doubled, name


@EACH
def test_what_the_fleet_wants_is_there(case: Case) -> None:
    """Stamp, priority and class are on every pod, and what SkyPilot puts there stays."""
    for pod in pods_of(case):
        spec, metadata = pod["spec"], pod["metadata"]

        assert metadata["annotations"]["skyfleet.dev/definition"] == sample_routes().definition
        assert metadata["labels"]["kueue.x-k8s.io/priority-class"] in sample_routes().priorities
        assert spec["priorityClassName"] == sample_routes().priority_class
        assert spec["serviceAccountName"] == "skypilot-service-account"
        assert metadata["labels"]["parent"] == "skypilot"
        assert spec["containers"][0]["resources"]["limits"]["nvidia.com/gpu"] == 8


@EACH
def test_mount_and_variables_are_one(case: Case) -> None:
    """A variable that points into a shared volume is there only with the mount, and the other way round."""
    volumes = {v.mount_path: v for cluster in sample_routes().clusters.values() for v in cluster.volumes}
    taken = {"HF_HUB_CACHE", "PIP_CACHE_DIR", "UV_CACHE_DIR"} if "own-win" in case.sentence else set()
    for pod in pods_of(case):
        main = pod["spec"]["containers"][0]
        variables = {variable["name"]: variable.get("value") for variable in main["env"]}
        mounts = {mount["mountPath"] for mount in main["volumeMounts"] if mount["name"].startswith("skyfleet-")}
        for path, volume in volumes.items():
            for name, value in volume.environment.items():
                if value.startswith(path) and name not in taken:
                    assert (variables.get(name) == value) == (path in mounts), (path, name)
