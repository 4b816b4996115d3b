"""Resource groups of ClusterQueues and Cohorts: which resources are counted, and in which flavors."""

from collections import Counter
from collections.abc import Iterable, Iterator

from skyfleet.check.manifests.objects import Objects, flavors, groups
from skyfleet.check.rule import Problem, rule

_WEBHOOK = "Kueue 0.19.2, pkg/webhooks/clusterqueue_webhook.go"
_FIX = "correct kueue/resource_groups.py"
_BESIDE_ACCELERATORS = {"cpu", "memory"}


@rule(
    "KUEUE-FLAVOR-DEFINED",
    "a queue with a flavor that does not exist is inactive: its pods wait for ever",
    "Kueue 0.19.2, pkg/cache/scheduler/clusterqueue.go (FlavorNotFound)",
)
def flavors_are_defined(objects: Objects) -> Iterator[Problem]:
    defined = objects.names("ResourceFlavor")
    for item in objects.all("ClusterQueue", "Cohort"):
        for flavor in flavors(item):
            if flavor["name"] not in defined:
                yield objects.problem(item, f"uses flavor '{flavor['name']}', which is not defined", _FIX)


@rule("KUEUE-RESOURCE-ONCE", "a resource belongs to one resource group only; the webhook refuses a second", _WEBHOOK)
def resources_stand_in_one_group(objects: Objects) -> Iterator[Problem]:
    for item in objects.all("ClusterQueue", "Cohort"):
        for resource in _twice(resource for group in groups(item) for resource in group["coveredResources"]):
            yield objects.problem(item, f"covers {resource} in two resource groups", _FIX)


@rule("KUEUE-FLAVOR-ONCE", "a flavor belongs to one resource group only; the webhook refuses a second", _WEBHOOK)
def flavors_stand_in_one_group(objects: Objects) -> Iterator[Problem]:
    for item in objects.all("ClusterQueue", "Cohort"):
        for flavor in _twice(flavor["name"] for flavor in flavors(item)):
            yield objects.problem(item, f"lists flavor '{flavor}' twice", _FIX)


@rule(
    "KUEUE-COVERED-ORDER",
    "every flavor lists exactly the covered resources in their order; else it is refused",
    _WEBHOOK,
)
def flavors_list_the_covered_resources(objects: Objects) -> Iterator[Problem]:
    for item in objects.all("ClusterQueue", "Cohort"):
        for group in groups(item):
            for flavor in group["flavors"]:
                listed = [quota["name"] for quota in flavor["resources"]]
                if listed != group["coveredResources"]:
                    covered = ", ".join(group["coveredResources"])
                    message = f"lists {', '.join(listed)} for flavor '{flavor['name']}' where {covered} are covered"
                    yield objects.problem(item, message, _FIX)


@rule(
    "KUEUE-GROUP-SPLIT",
    "Kueue chooses a flavor for each group: cpu in another group than the accelerator can land on another pool",
    "Kueue 0.19.2, pkg/scheduler/flavorassigner",
)
def accelerators_bring_cpu_and_memory(objects: Objects) -> Iterator[Problem]:
    for item in objects.all("ClusterQueue", "Cohort"):
        for group in groups(item):
            covered = set(group["coveredResources"])
            if covered - _BESIDE_ACCELERATORS and not covered >= _BESIDE_ACCELERATORS:
                message = (
                    f"covers {', '.join(sorted(covered - _BESIDE_ACCELERATORS))} without cpu and memory in the group"
                )
                yield objects.problem(item, message, _FIX, "warning")


@rule(
    "KUEUE-FLAVOR-ORDER",
    "the first flavor that fits is taken, and pods without accelerators fit on accelerator nodes too",
    "Kueue 0.19.2, pkg/scheduler/flavorassigner",
)
def cheap_flavors_come_first(objects: Objects) -> Iterator[Problem]:
    tainted = {item["metadata"]["name"] for item in objects.all("ResourceFlavor") if item["spec"].get("nodeTaints")}
    for item in objects.all("ClusterQueue"):
        for group in groups(item):
            names = [flavor["name"] for flavor in group["flavors"]]
            if names != sorted(names, key=tainted.__contains__):
                message = f"prefers accelerator nodes: its flavors are {', '.join(names)}"
                yield objects.problem(item, message, _FIX, "warning")


def _twice(names: Iterable[str]) -> list[str]:
    return [name for name, times in Counter(names).items() if times > 1]
