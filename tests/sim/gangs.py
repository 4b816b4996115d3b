"""Gangs of pods as SkyPilot makes them, and a queue for them, without SkyPilot."""

import time
from collections import Counter
from typing import Any

from sim import kubectl
from sim.state import ClusterState

NAMESPACE = "skyfleet"
KUEUE = "kueue.x-k8s.io/v1beta2"
PRIORITIES = {"batch": 100, "production": 10000}
SECONDS = 60


def open_queue(cluster: ClusterState, *, accelerators: int) -> None:
    """One team with this many accelerators, in which higher priorities preempt lower ones."""
    quotas = [{"name": "nvidia.com/gpu", "nominalQuota": str(accelerators)}, {"name": "cpu", "nominalQuota": "100"}]
    group = {"coveredResources": ["nvidia.com/gpu", "cpu"], "flavors": [{"name": "h200", "resources": quotas}]}
    taint = {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}
    objects = [
        _object("v1", "Namespace", NAMESPACE, labels={"skyfleet.dev/tenant": "true"}),
        _object(
            KUEUE, "ResourceFlavor", "h200", spec={"nodeLabels": {"skyfleet.dev/pool": "h200"}, "tolerations": [taint]}
        ),
        _object(
            KUEUE,
            "ClusterQueue",
            "search",
            spec={
                "namespaceSelector": {},
                "resourceGroups": [group],
                "preemption": {"withinClusterQueue": "LowerPriority"},
            },
        ),
        _object(KUEUE, "LocalQueue", "search", NAMESPACE, spec={"clusterQueue": "search"}),
        *(_object(KUEUE, "WorkloadPriorityClass", name, value=value) for name, value in PRIORITIES.items()),
    ]
    kubectl.apply(cluster, objects[:1])
    kubectl.apply(cluster, objects[1:])


def submit(cluster: ClusterState, gang: str, *, pods: int, accelerators: int, priority: str = "batch") -> None:
    """A gang of equal pods, each with this many accelerators."""
    labels = {
        "kueue.x-k8s.io/queue-name": "search",
        "kueue.x-k8s.io/priority-class": priority,
        "kueue.x-k8s.io/pod-group-name": gang,
    }
    annotations = {
        "kueue.x-k8s.io/pod-group-total-count": str(pods),
        "kueue.x-k8s.io/retriable-in-group": "false",  # without it a gang waits for replacements of its pods
    }
    requests = {"nvidia.com/gpu": str(accelerators), "cpu": "1"}
    container = {"name": "main", "image": "none", "resources": {"requests": requests, "limits": requests}}
    spec = {"containers": [container], "restartPolicy": "Never", "terminationGracePeriodSeconds": 5}
    kubectl.create(
        cluster,
        [
            _object("v1", "Pod", f"{gang}-{index}", NAMESPACE, labels=labels, annotations=annotations, spec=spec)
            for index in range(pods)
        ],
    )


def wait_for(cluster: ClusterState, gangs: dict[str, str], *, pods: int) -> None:
    """Wait until exactly these gangs have pods, all in the given phase and on nodes."""
    wanted = Counter(dict.fromkeys(gangs.items(), pods))
    deadline = time.monotonic() + SECONDS
    while (found := _phases(cluster)) != wanted and time.monotonic() < deadline:
        time.sleep(0.5)

    assert found == wanted


def _phases(cluster: ClusterState) -> Counter[tuple[str, str]]:
    pods = kubectl.get(cluster, "pods", "-n", NAMESPACE)
    return Counter((pod["metadata"]["labels"]["kueue.x-k8s.io/pod-group-name"], pod["status"]["phase"]) for pod in pods)


def _object(version: str, kind: str, name: str, namespace: str = "", **rest: Any) -> dict[str, Any]:
    metadata: dict[str, Any] = {"name": name} | ({"namespace": namespace} if namespace else {})
    metadata |= {key: rest.pop(key) for key in ("labels", "annotations") if key in rest}
    return {"apiVersion": version, "kind": kind, "metadata": metadata} | rest
