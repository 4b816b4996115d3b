"""Quota figures, and how many of each thing the API takes."""

import re
from collections.abc import Iterator

from skyfleet.check import facts
from skyfleet.check.manifests.objects import Objects, flavors, groups, quotas
from skyfleet.check.manifests.quantity import InvalidQuantity, value
from skyfleet.check.rule import Problem, rule

_WEBHOOK = "Kueue 0.19.2, pkg/webhooks/clusterqueue_webhook.go"
_FIX = "correct kueue/resource_groups.py"
_FIGURES = ("nominalQuota", "borrowingLimit", "lendingLimit")
_QUALIFIED = re.compile(r"([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?")


@rule(
    "KUEUE-QUANTITY", "a quantity that is negative or no quantity is refused", f"{_WEBHOOK}, validateResourceQuantity"
)
def quantities_are_sound(objects: Objects) -> Iterator[Problem]:
    for item in objects.all("ClusterQueue", "Cohort"):
        for flavor, quota in quotas(item):
            for figure in _FIGURES:
                if figure in quota and not _is_sound(quota[figure]):
                    message = f"has {figure} {quota[figure]!r} of {quota['name']} for flavor '{flavor}'"
                    yield objects.problem(item, message, _FIX)


@rule("KUEUE-RESOURCE-NAME", "a resource that is no qualified name is refused", f"{_WEBHOOK}, validateResourceName")
def resource_names_are_qualified(objects: Objects) -> Iterator[Problem]:
    for item in objects.all("ClusterQueue", "Cohort"):
        for group in groups(item):
            for resource in group["coveredResources"]:
                if not _QUALIFIED.fullmatch(resource):
                    yield objects.problem(item, f"covers '{resource}', which is no resource name", _FIX)


@rule(
    "KUEUE-LIMIT-COHORT",
    "without a cohort nobody lends or borrows: such limits are refused",
    f"{_WEBHOOK}, validateLimit",
)
def limits_need_a_cohort(objects: Objects) -> Iterator[Problem]:
    for kind, parent in (("ClusterQueue", "cohortName"), ("Cohort", "parentName")):
        for item in objects.all(kind):
            for flavor, quota in quotas(item):
                limits = [limit for limit in ("borrowingLimit", "lendingLimit") if limit in quota]
                if limits and not item["spec"].get(parent):
                    message = f"has {' and '.join(limits)} of {quota['name']} for flavor '{flavor}' but no {parent}"
                    yield objects.problem(item, message, "name the cohort or remove the limit")


@rule(
    "KUEUE-LENDING-NOMINAL",
    "a queue cannot lend more than it is guaranteed: refused for ClusterQueues",
    f"{_WEBHOOK}, validateLendingLimit",
)
def no_more_is_lent_than_guaranteed(objects: Objects) -> Iterator[Problem]:
    for item in objects.all("ClusterQueue"):
        for flavor, quota in quotas(item):
            lending = quota.get("lendingLimit")
            if lending is not None and _is_sound(lending) and value(lending) > value(quota["nominalQuota"]):
                message = f"lends {lending} of {quota['name']} for flavor '{flavor}' but is guaranteed {quota['nominalQuota']}"
                yield objects.problem(item, message, "lower the lendingLimit")


@rule(
    "KUEUE-BORROW-ZERO",
    "guaranteed nothing and allowed to borrow nothing, a queue admits nothing for as long as it exists",
    "Kueue 0.19.2, pkg/cache/scheduler/resource_node.go",
)
def something_can_be_admitted(objects: Objects) -> Iterator[Problem]:
    for item in objects.all("ClusterQueue"):
        figures = [quota for _, quota in quotas(item)]
        if figures and all(
            value(quota["nominalQuota"]) == 0 and value(quota.get("borrowingLimit", "1")) == 0
            for quota in figures
            if _is_sound(quota["nominalQuota"])
        ):
            yield objects.problem(item, "can never admit anything", "raise a quota or a borrowingLimit", "warning")


@rule(
    "KUEUE-SIZE",
    "what is above these sizes is refused, at apply time and as a whole",
    f"{_WEBHOOK} and CEL in apis/kueue/v1beta2",
)
def sizes_are_within_the_api(objects: Objects) -> Iterator[Problem]:
    most = facts.kueue().most
    for item in objects.all("ClusterQueue", "Cohort"):
        sizes = {
            "resource groups": len(groups(item)),
            "flavors": sum(1 for _ in flavors(item)),
            "flavors in a group": max((len(group["flavors"]) for group in groups(item)), default=0),
            "resources": sum(len(group["coveredResources"]) for group in groups(item)),
            "resources in a group": max((len(group["coveredResources"]) for group in groups(item)), default=0),
            "quotas in a group": max(
                (len(group["flavors"]) * len(group["coveredResources"]) for group in groups(item)), default=0
            ),
        }
        for what, size in sizes.items():
            if size > most[what]:
                yield objects.problem(item, f"has {size} {what}, at most {most[what]} are allowed", "split the cluster")
    for item in objects.all("ResourceFlavor"):
        for field in ("nodeLabels", "nodeTaints", "tolerations"):
            size = len(item["spec"].get(field, ()))
            if size > most[field]:
                message = f"has {size} {field}, at most {most[field]} are allowed"
                yield objects.problem(item, message, "select the pool by fewer")


def _is_sound(figure: object) -> bool:
    try:
        return value(str(figure)) >= 0
    except InvalidQuantity:
        return False
