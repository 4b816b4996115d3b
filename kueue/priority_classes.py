"""WorkloadPriorityClasses decide in Kueue; one flat PriorityClass keeps kube-scheduler from preempting behind its back."""

from kueue.objects import Manifest, kueue_object
from skyfleet.model import Fleet

POD_PRIORITY_CLASS = "skyfleet"
"""The PriorityClass of every pod that the policy lets through."""


def workload_priority_classes(fleet: Fleet) -> list[Manifest]:
    return [
        kueue_object("WorkloadPriorityClass", name, value=value)
        for name, value in fleet.organization.priorities.items()
    ]


def priority_class() -> Manifest:
    return {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": POD_PRIORITY_CLASS},
        "value": 0,
        "globalDefault": False,
        "preemptionPolicy": "Never",
        "description": "Pods of the fleet: Kueue orders and preempts them, kube-scheduler does not.",
    }
