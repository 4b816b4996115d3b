"""PriorityClasses: kube-scheduler must not preempt what Kueue admitted."""

from collections.abc import Iterator

from skyfleet.check.manifests.objects import Objects
from skyfleet.check.rule import Problem, rule

_LARGEST = 1_000_000_000


@rule(
    "KUEUE-POD-PRIORITY",
    "a PriorityClass that preempts, or that every pod gets, lets kube-scheduler evict behind Kueue's back",
    "Kubernetes, PriorityClass; Kueue documentation, workload priority class",
)
def pod_priorities_are_flat(objects: Objects) -> Iterator[Problem]:
    for item in objects.all("PriorityClass"):
        wrong = [
            said
            for said, so in (
                ("preempts", item.get("preemptionPolicy") != "Never"),
                ("is the default of every pod", item.get("globalDefault")),
                (f"is above {_LARGEST}", item["value"] > _LARGEST),
            )
            if so
        ]
        if wrong:
            yield objects.problem(item, " and ".join(wrong), "correct kueue/priority_classes.py", "warning")
