"""A pod as SkyPilot 0.14 makes it after the policy has spoken, and ways to spoil it."""

from __future__ import annotations

import copy
from typing import Any

Pod = dict[str, Any]

STAMP = "5ab1e5ab1e5ab1e5"


def task(name: str = "train-head", **metadata: str) -> Pod:
    """Head of a one-node task of team search; `metadata` are labels by their last word, such as team="research"."""
    cluster = name.rpartition("-")[0] or name
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "namespace": "skyfleet",
            "labels": {
                "parent": "skypilot",
                "skypilot-cluster-name": cluster,
                "team": "search",
                "cost-center": "4711",
                "kueue.x-k8s.io/queue-name": "search",
                "kueue.x-k8s.io/pod-group-name": cluster,
                "kueue.x-k8s.io/priority-class": "standard",
            }
            | metadata,
            "annotations": {
                "kueue.x-k8s.io/retriable-in-group": "false",
                "kueue.x-k8s.io/pod-group-total-count": "1",
                "skyfleet.dev/definition": STAMP,
            },
        },
        "spec": {
            "serviceAccountName": "skypilot",
            "priorityClassName": "skyfleet",
            "restartPolicy": "Never",
            "containers": [
                {
                    "name": "ray-node",
                    "image": "task",
                    "resources": {"requests": {"cpu": "2", "memory": "2Gi"}},
                    "securityContext": {"capabilities": {"add": ["IPC_LOCK"]}},
                    "volumeMounts": [{"name": "dshm", "mountPath": "/dev/shm"}],  # noqa: S108 - shared memory
                }
            ],
            "volumes": [
                {"name": "dshm", "emptyDir": {"medium": "Memory"}},
                {"name": "models", "persistentVolumeClaim": {"claimName": "cache-models"}},
            ],
        },
    }


def controller(name: str = "sky-jobs-controller-1a2b-head") -> Pod:
    """Head of SkyPilot's own controller of managed jobs: in no queue, of no team."""
    pod = task(name)
    pod["metadata"]["labels"] = {"parent": "skypilot", "skypilot-cluster-name": name.rpartition("-")[0]}
    pod["metadata"]["annotations"] = {"skyfleet.dev/definition": STAMP}
    del pod["spec"]["priorityClassName"]
    return pod


def changed(pod: Pod, changes: dict[str, Any]) -> Pod:
    """The pod with changes such as {"spec/hostNetwork": True}; a list index is a number, None removes."""
    spoiled = copy.deepcopy(pod)
    for path, value in changes.items():
        at: Any = spoiled
        *parents, last = path.split("|")
        for part in parents:
            at = at[int(part)] if isinstance(at, list) else at.setdefault(part, {})
        if value is None:
            del at[last]
        else:
            at[int(last) if isinstance(at, list) else last] = value
    return spoiled
