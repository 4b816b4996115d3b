"""ClusterQueues: preemption, weights, selectors."""

from collections.abc import Iterator

from skyfleet.check.manifests.objects import Objects, flavors
from skyfleet.check.manifests.quantity import InvalidQuantity, value
from skyfleet.check.rule import Problem, rule

_WEBHOOK = "Kueue 0.19.2, pkg/webhooks/clusterqueue_webhook.go"
_PREEMPTION = "Kueue 0.19.2, pkg/scheduler/preemption"
_FIX = "correct kueue/cluster_queues.py"


@rule(
    "KUEUE-PREEMPTION-PAIR",
    "preempting in order to borrow presupposes reclaiming; the webhook refuses one without the other",
    f"{_WEBHOOK}, validatePreemption",
)
def borrowing_presupposes_reclaiming(objects: Objects) -> Iterator[Problem]:
    for item in objects.all("ClusterQueue"):
        preemption = item["spec"].get("preemption", {})
        borrows = preemption.get("borrowWithinCohort", {}).get("policy", "Never") != "Never"
        if borrows and preemption.get("reclaimWithinCohort", "Never") == "Never":
            yield objects.problem(item, "has borrowWithinCohort with reclaimWithinCohort Never", _FIX)


@rule(
    "KUEUE-FUNGIBILITY",
    "a preference between flavors means something only where both ways of trying the next one are on",
    f"{_WEBHOOK}, validateFlavorFungibility",
)
def preferences_try_the_next_flavor(objects: Objects) -> Iterator[Problem]:
    for item in objects.all("ClusterQueue"):
        fungibility = item["spec"].get("flavorFungibility", {})
        ways = [fungibility.get(way) for way in ("whenCanBorrow", "whenCanPreempt")]
        if "preference" in fungibility and ways != ["TryNextFlavor", "TryNextFlavor"]:
            yield objects.problem(item, "has flavorFungibility.preference without TryNextFlavor twice", _FIX)


@rule(
    "KUEUE-ADMISSION-CHECK",
    "a check of a flavor that the queue lacks is refused, one that does not exist makes the queue inactive",
    "kubernetes-sigs/kueue#7259",
)
def admission_checks_exist(objects: Objects) -> Iterator[Problem]:
    defined = objects.names("AdmissionCheck")
    for item in objects.all("ClusterQueue"):
        own = {flavor["name"] for flavor in flavors(item)}
        for check in item["spec"].get("admissionChecksStrategy", {}).get("admissionChecks", ()):
            if check["name"] not in defined:
                yield objects.problem(item, f"waits for admission check '{check['name']}', which is not defined", _FIX)
            for flavor in check.get("onFlavors", ()):
                if flavor not in own:
                    message = f"has admission check '{check['name']}' on flavor '{flavor}', which it lacks"
                    yield objects.problem(item, message, _FIX)


@rule(
    "KUEUE-WEIGHT",
    "a weight that is negative or at most 1n is refused, and 0 is last whenever it borrows (kubernetes-sigs/kueue#4961)",
    "Kueue 0.19.2, fair-sharing validation",
)
def weights_are_positive(objects: Objects) -> Iterator[Problem]:
    for item in objects.all("ClusterQueue", "Cohort"):
        weight = item["spec"].get("fairSharing", {}).get("weight", "1")
        try:
            positive = value(str(weight)) > 0
        except InvalidQuantity:
            positive = False
        if not positive:
            yield objects.problem(item, f"has fair-sharing weight {weight}", "choose 1 or more")


@rule(
    "KUEUE-SELECTOR",
    "a queue without namespaceSelector takes from no namespace at all (kubernetes-sigs/kueue#301)",
    "Kueue 0.19.2, apis/kueue/v1beta2/clusterqueue_types.go",
)
def selectors_reach_the_local_queues(objects: Objects) -> Iterator[Problem]:
    labels = {
        namespace["metadata"]["name"]: {
            "kubernetes.io/metadata.name": namespace["metadata"]["name"],
            **namespace["metadata"].get("labels", {}),
        }
        for namespace in objects.all("Namespace")
    }
    for item in objects.all("ClusterQueue"):
        selector = item["spec"].get("namespaceSelector")
        wanted = (selector or {}).get("matchLabels", {})
        feeding = [
            queue for queue in objects.all("LocalQueue") if queue["spec"]["clusterQueue"] == item["metadata"]["name"]
        ]
        for queue in feeding:
            namespace = queue["metadata"]["namespace"]
            if selector is None or not wanted.items() <= labels.get(namespace, {}).items():
                message = f"does not select namespace '{namespace}' of its LocalQueue '{queue['metadata']['name']}'"
                yield objects.problem(item, message, _FIX)


@rule(
    "KUEUE-RECLAIM",
    "who lends without reclaiming starves until the borrowers end by themselves",
    _PREEMPTION,
)
def lenders_reclaim(objects: Objects) -> Iterator[Problem]:
    for item in objects.all("ClusterQueue"):
        reclaims = item["spec"].get("preemption", {}).get("reclaimWithinCohort", "Never") != "Never"
        if item["spec"].get("cohortName") and not reclaims:
            yield objects.problem(item, "lends to its cohort but never reclaims", _FIX, "warning")


@rule(
    "KUEUE-BORROW-FAIR",
    "under fair sharing borrowWithinCohort does nothing (kubernetes-sigs/kueue#4165)",
    _PREEMPTION,
)
def fair_sharing_ignores_borrow_within_cohort(objects: Objects) -> Iterator[Problem]:
    for item in objects.all("ClusterQueue"):
        if "fairSharing" in objects.configuration and "borrowWithinCohort" in item["spec"].get("preemption", {}):
            yield objects.problem(item, "has borrowWithinCohort, which fair sharing ignores", _FIX, "warning")


@rule(
    "KUEUE-FIFO",
    "with StrictFIFO a head that does not fit blocks work that would (kubernetes-sigs/kueue#8309)",
    "Kueue 0.19.2, pkg/cache/queue",
)
def heads_do_not_block(objects: Objects) -> Iterator[Problem]:
    for item in objects.all("ClusterQueue"):
        if item["spec"].get("queueingStrategy") == "StrictFIFO":
            yield objects.problem(item, "is StrictFIFO", "use BestEffortFIFO", "warning")


@rule(
    "KUEUE-STOPPED",
    "a committed stopPolicy holds or evicts everything on the next apply; draining is done by hand",
    "Kueue 0.19.2, apis/kueue/v1beta2 (stopPolicy)",
)
def queues_run(objects: Objects) -> Iterator[Problem]:
    for item in objects.all("ClusterQueue", "LocalQueue"):
        policy = item["spec"].get("stopPolicy", "None")
        if policy != "None":
            yield objects.problem(item, f"has stopPolicy {policy}", "remove it", "warning")


@rule(
    "KUEUE-UNUSED",
    "a queue that no LocalQueue feeds, or a flavor that no queue uses, is dead and hinders deletion (kubernetes-sigs/kueue#249)",
    "Kueue 0.19.2, finalizer kueue.x-k8s.io/resource-in-use",
)
def nothing_is_dead(objects: Objects) -> Iterator[Problem]:
    fed = {queue["spec"]["clusterQueue"] for queue in objects.all("LocalQueue")}
    for item in objects.all("ClusterQueue"):
        if item["metadata"]["name"] not in fed:
            yield objects.problem(item, "has no LocalQueue", "correct kueue/local_queues.py", "warning")
    used = {flavor["name"] for item in objects.all("ClusterQueue", "Cohort") for flavor in flavors(item)}
    for item in objects.all("ResourceFlavor"):
        if item["metadata"]["name"] not in used:
            yield objects.problem(item, "is used by no queue", "correct kueue/resource_groups.py", "warning")
