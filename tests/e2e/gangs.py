"""Gangs of pods as SkyPilot makes them once the policy has spoken, without SkyPilot: for what only the queues decide."""

from dataclasses import dataclass
from typing import Any

from skyfleet.generate.routes import routes
from skyfleet.model import Fleet


@dataclass(frozen=True)
class Gang:
    name: str
    team: str
    priority: str
    nodes: int
    accelerators: int = 8

    def pods(self, fleet: Fleet) -> list[dict[str, Any]]:
        return [self._pod(fleet, index) for index in range(self.nodes)]

    def _pod(self, fleet: Fleet, index: int) -> dict[str, Any]:
        return {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {
                "name": f"{self.name}-{index}",
                "namespace": fleet.organization.namespace,
                "labels": {
                    "parent": "skypilot",
                    "skypilot-cluster-name": self.name,
                    "team": self.team,
                    "cost-center": fleet.teams[self.team].cost_center,
                    "kueue.x-k8s.io/queue-name": self.team,
                    "kueue.x-k8s.io/priority-class": self.priority,
                    "kueue.x-k8s.io/pod-group-name": self.name,
                },
                "annotations": {
                    "kueue.x-k8s.io/pod-group-total-count": str(self.nodes),
                    "kueue.x-k8s.io/retriable-in-group": "false",
                    "skyfleet.dev/definition": routes(fleet)["definition"],
                },
            },
            "spec": {
                "serviceAccountName": "skypilot",
                "priorityClassName": "skyfleet",
                "tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}],
                "containers": [{"name": "ray-node", "image": "none", "resources": self._resources()}],
            },
        }

    def _resources(self) -> dict[str, Any]:
        accelerators = {"nvidia.com/gpu": str(self.accelerators)}
        return {"requests": {"cpu": "32", "memory": "128Gi", **accelerators}, "limits": accelerators}
