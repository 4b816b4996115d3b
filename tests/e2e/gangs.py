"""Gangs of pods as SkyPilot makes them once the policy has spoken, without SkyPilot: for what only the queues decide."""

from dataclasses import dataclass
from typing import Any

from skyfleet.model import Fleet
from tests.addons.pods import changed, task


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
        accelerators = {"nvidia.com/gpu": str(self.accelerators)}
        resources = {"requests": {"cpu": "32", "memory": "128Gi", **accelerators}, "limits": accelerators}
        toleration = {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}
        return changed(
            task(f"{self.name}-{index}"),
            {
                "metadata|labels|team": self.team,
                "metadata|labels|cost-center": fleet.teams[self.team].cost_center,
                "metadata|labels|kueue.x-k8s.io/queue-name": self.team,
                "metadata|labels|kueue.x-k8s.io/priority-class": self.priority,
                "metadata|annotations|kueue.x-k8s.io/pod-group-total-count": str(self.nodes),
                "spec|tolerations": [toleration],
                "spec|containers|0|resources": resources,
            },
        )
