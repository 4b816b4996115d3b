"""Values of Kueue's chart, for every cluster the same."""

from typing import Any

import yaml

from kueue.configuration import configuration
from kueue.objects import Manifest
from skyfleet.model import Fleet

CHART = "oci://registry.k8s.io/kueue/charts/kueue"
VERSION = "0.19.2"
NAMESPACE = "kueue-system"
SERVICE_ACCOUNT = "kueue-controller-manager"
USER = f"system:serviceaccount:{NAMESPACE}:{SERVICE_ACCOUNT}"
"""As whom the manager acts: the only one that may start what waits."""
WEBHOOK_PORT = 9443
VISIBILITY_PORT = 8082

_REPLICAS = 2
_FINISHED_HOURS = 168
"""Workloads that are done are kept for a week: long enough to ask why, short enough for the API server."""


def chart_values(fleet: Fleet) -> dict[str, Any]:
    """What differs from the chart's own; the manager's configuration among it."""
    return {
        "controllerManager": {
            # one is down, and pods of our namespace cannot be created (kubernetes-sigs/kueue#5244)
            "replicas": _REPLICAS,
            "podDisruptionBudget": {"enabled": True, "minAvailable": 1},
            "topologySpreadConstraints": [_apart()],
            "manager": {
                # the chart of the release still names the branch's own image
                "image": {
                    "repository": "registry.k8s.io/kueue/kueue",
                    "tag": f"v{VERSION}",
                    "pullPolicy": "IfNotPresent",
                },
                "resources": {"requests": {"cpu": "500m", "memory": "512Mi"}, "limits": {"memory": "2Gi"}},
            },
        },
        "managerConfig": {"controllerManagerConfigYaml": _manager(fleet)},
    }


def _apart() -> Manifest:
    """Not both on one node; but rather there than nowhere."""
    return {
        "maxSkew": 1,
        "topologyKey": "kubernetes.io/hostname",
        "whenUnsatisfiable": "ScheduleAnyway",
        "labelSelector": {"matchLabels": {"control-plane": "controller-manager"}},
    }


def _manager(fleet: Fleet) -> str:
    return yaml.safe_dump(configuration(fleet) | _process(), sort_keys=False)


def _process() -> Manifest:
    """How it runs as a Deployment; what a manager beside a cluster must have otherwise."""
    return {
        "health": {"healthProbeBindAddress": ":8081"},
        "metrics": {"bindAddress": ":8443", "enableClusterQueueResources": True},
        "webhook": {"port": WEBHOOK_PORT},
        "leaderElection": {"leaderElect": True, "resourceName": "c1f6bfd2.kueue.x-k8s.io"},
        "controller": {
            "groupKindConcurrency": {
                "Pod": 5,
                "Workload.kueue.x-k8s.io": 10,
                "LocalQueue.kueue.x-k8s.io": 5,
                "ClusterQueue.kueue.x-k8s.io": 5,
                "ResourceFlavor.kueue.x-k8s.io": 1,
            }
        },
        "clientConnection": {"qps": 300, "burst": 500},
        "objectRetentionPolicies": {"workloads": {"afterFinished": f"{_FINISHED_HOURS}h"}},
    }
