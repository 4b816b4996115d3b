"""For each rule about generated objects a change to the toy's that breaks it, with the whole message."""

from collections.abc import Callable
from typing import Any

from skyfleet.check import Objects

Change = Callable[[Objects], Any]


def one(objects: Objects, kind: str, name: str | None = None) -> dict[str, Any]:
    """The object of a kind, or the one of that name."""
    return next(item for item in objects.all(kind) if name in {None, item["metadata"]["name"]})


def ants(objects: Objects) -> dict[str, Any]:
    return one(objects, "ClusterQueue", "ants")["spec"]


def group(objects: Objects) -> dict[str, Any]:
    return ants(objects)["resourceGroups"][0]


def quota(objects: Objects) -> dict[str, Any]:
    """Of cpu in the first flavor."""
    return group(objects)["flavors"][0]["resources"][0]


def flavor(objects: Objects, name: str = "h200") -> dict[str, Any]:
    return one(objects, "ResourceFlavor", name)["spec"]


def add(objects: Objects, kind: str, name: str, spec: dict[str, Any]) -> None:
    item = {"kind": kind, "metadata": {"name": name}, "spec": spec}
    object.__setattr__(objects, "manifest", (*objects.manifest, item))


def zero(objects: Objects) -> None:
    for each in group(objects)["flavors"]:
        for resource in each["resources"]:
            resource.update(nominalQuota="0", borrowingLimit="0")


REJECTED: dict[str, tuple[Change, list[str]]] = {
    "KUEUE-FLAVOR-DEFINED": (
        lambda o: group(o)["flavors"][1].update(name="h100"),
        ["ClusterQueue 'ants' of north uses flavor 'h100', which is not defined; correct kueue/resource_groups.py"],
    ),
    "KUEUE-RESOURCE-ONCE": (
        lambda o: ants(o)["resourceGroups"].append({"coveredResources": ["cpu"], "flavors": []}),
        ["ClusterQueue 'ants' of north covers cpu in two resource groups; correct kueue/resource_groups.py"],
    ),
    "KUEUE-FLAVOR-ONCE": (
        lambda o: group(o)["flavors"].append(group(o)["flavors"][0]),
        ["ClusterQueue 'ants' of north lists flavor 'cpu' twice; correct kueue/resource_groups.py"],
    ),
    "KUEUE-COVERED-ORDER": (
        lambda o: group(o)["flavors"][0]["resources"].reverse(),
        [
            "ClusterQueue 'ants' of north lists nvidia.com/gpu, memory, cpu for flavor 'cpu' where cpu, memory, nvidia.com/gpu are covered; correct kueue/resource_groups.py"
        ],
    ),
    "KUEUE-GROUP-SPLIT": (
        lambda o: group(o).update(coveredResources=["nvidia.com/gpu"]),
        [
            "ClusterQueue 'ants' of north covers nvidia.com/gpu without cpu and memory in the group; correct kueue/resource_groups.py"
        ],
    ),
    "KUEUE-FLAVOR-ORDER": (
        lambda o: group(o)["flavors"].reverse(),
        [
            "ClusterQueue 'ants' of north prefers accelerator nodes: its flavors are h200, cpu; correct kueue/resource_groups.py"
        ],
    ),
    "KUEUE-QUANTITY": (
        lambda o: quota(o).update(nominalQuota="-1", borrowingLimit="many"),
        [
            "ClusterQueue 'ants' of north has nominalQuota '-1' of cpu for flavor 'cpu'; correct kueue/resource_groups.py",
            "ClusterQueue 'ants' of north has borrowingLimit 'many' of cpu for flavor 'cpu'; correct kueue/resource_groups.py",
        ],
    ),
    "KUEUE-RESOURCE-NAME": (
        lambda o: group(o).update(coveredResources=["cpu", "memory", "nvidia gpu"]),
        [
            "ClusterQueue 'ants' of north covers 'nvidia gpu', which is no resource name; correct kueue/resource_groups.py"
        ],
    ),
    "KUEUE-LIMIT-COHORT": (
        lambda o: (ants(o).pop("cohortName"), quota(o).update(borrowingLimit="1", lendingLimit="0")),
        [
            "ClusterQueue 'ants' of north has borrowingLimit and lendingLimit of cpu for flavor 'cpu' but no cohortName; name the cohort or remove the limit"
        ],
    ),
    "KUEUE-LENDING-NOMINAL": (
        lambda o: quota(o).update(lendingLimit="1000"),
        ["ClusterQueue 'ants' of north lends 1000 of cpu for flavor 'cpu' but is guaranteed 0; lower the lendingLimit"],
    ),
    "KUEUE-BORROW-ZERO": (
        zero,
        ["ClusterQueue 'ants' of north can never admit anything; raise a quota or a borrowingLimit"],
    ),
    "KUEUE-SIZE": (
        lambda o: flavor(o).update(nodeLabels={f"label-{n}": "x" for n in range(9)}),
        ["ResourceFlavor 'h200' of north has 9 nodeLabels, at most 8 are allowed; select the pool by fewer"],
    ),
    "KUEUE-PREEMPTION-PAIR": (
        lambda o: ants(o).update(preemption={"borrowWithinCohort": {"policy": "LowerPriority"}}),
        [
            "ClusterQueue 'ants' of north has borrowWithinCohort with reclaimWithinCohort Never; correct kueue/cluster_queues.py"
        ],
    ),
    "KUEUE-FUNGIBILITY": (
        lambda o: ants(o).update(flavorFungibility={"preference": "BorrowingOverPreemption"}),
        [
            "ClusterQueue 'ants' of north has flavorFungibility.preference without TryNextFlavor twice; correct kueue/cluster_queues.py"
        ],
    ),
    "KUEUE-ADMISSION-CHECK": (
        lambda o: ants(o).update(admissionChecksStrategy={"admissionChecks": [{"name": "dws", "onFlavors": ["l4"]}]}),
        [
            "ClusterQueue 'ants' of north waits for admission check 'dws', which is not defined; correct kueue/cluster_queues.py",
            "ClusterQueue 'ants' of north has admission check 'dws' on flavor 'l4', which it lacks; correct kueue/cluster_queues.py",
        ],
    ),
    "KUEUE-WEIGHT": (
        lambda o: ants(o).update(fairSharing={"weight": "0"}),
        ["ClusterQueue 'ants' of north has fair-sharing weight 0; choose 1 or more"],
    ),
    "KUEUE-SELECTOR": (
        lambda o: ants(o).pop("namespaceSelector"),
        [
            "ClusterQueue 'ants' of north does not select namespace 'skyfleet' of its LocalQueue 'ants'; correct kueue/cluster_queues.py"
        ],
    ),
    "KUEUE-RECLAIM": (
        lambda o: ants(o).pop("preemption"),
        ["ClusterQueue 'ants' of north lends to its cohort but never reclaims; correct kueue/cluster_queues.py"],
    ),
    "KUEUE-BORROW-FAIR": (
        lambda o: ants(o)["preemption"].update(borrowWithinCohort={"policy": "LowerPriority"}),
        [
            "ClusterQueue 'ants' of north has borrowWithinCohort, which fair sharing ignores; correct kueue/cluster_queues.py"
        ],
    ),
    "KUEUE-FIFO": (
        lambda o: ants(o).update(queueingStrategy="StrictFIFO"),
        ["ClusterQueue 'ants' of north is StrictFIFO; use BestEffortFIFO"],
    ),
    "KUEUE-STOPPED": (
        lambda o: ants(o).update(stopPolicy="HoldAndDrain"),
        ["ClusterQueue 'ants' of north has stopPolicy HoldAndDrain; remove it"],
    ),
    "KUEUE-UNUSED": (
        lambda o: (
            add(o, "ResourceFlavor", "attic", {}),
            one(o, "LocalQueue", "ants")["spec"].update(clusterQueue="bees"),
        ),
        [
            "ClusterQueue 'ants' of north has no LocalQueue; correct kueue/local_queues.py",
            "ResourceFlavor 'attic' of north is used by no queue; correct kueue/resource_groups.py",
        ],
    ),
    "KUEUE-COHORT-DECLARED": (
        lambda o: ants(o).update(cohortName="strangers"),
        ["ClusterQueue 'ants' of north belongs to cohort 'strangers', which is not declared; declare it"],
    ),
    "KUEUE-COHORT-CYCLE": (
        lambda o: (
            one(o, "Cohort")["spec"].update(parentName="above"),
            add(o, "Cohort", "above", {"parentName": "toys"}),
        ),
        [
            "Cohort 'toys' of north is its own ancestor; correct parentName",
            "Cohort 'above' of north is its own ancestor; correct parentName",
        ],
    ),
    "KUEUE-QUEUE-MISSING": (
        lambda o: one(o, "LocalQueue", "ants")["spec"].update(clusterQueue="wasps"),
        [
            "LocalQueue 'ants' of north points to ClusterQueue 'wasps', which is not defined; correct kueue/local_queues.py"
        ],
    ),
    "KUEUE-NAMESPACE-MANAGED": (
        lambda o: one(o, "Namespace")["metadata"].pop("labels"),
        [
            "LocalQueue 'ants' of north stands in namespace 'skyfleet', which Kueue does not manage; correct kueue/namespace.py",
            "LocalQueue 'bees' of north stands in namespace 'skyfleet', which Kueue does not manage; correct kueue/namespace.py",
        ],
    ),
    "KUEUE-NAME": (
        lambda o: one(o, "WorkloadPriorityClass", "high")["metadata"].update(name="h" * 64),
        [
            "WorkloadPriorityClass 'hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh' of north has a name that is no DNS label of at most 63 characters; rename it"
        ],
    ),
    "KUEUE-FLAVOR-OVERLAP": (
        lambda o: flavor(o, "cpu").update(nodeLabels={}),
        [
            "ResourceFlavor 'h200' of north selects nodes that flavor 'cpu' selects too; give each pool a label value of its own in node_labels"
        ],
    ),
    "KUEUE-FLAVOR-TAINT": (
        lambda o: flavor(o)["nodeTaints"][0].update(key="dedicated"),
        ["ResourceFlavor 'h200' of north has taint dedicated, which no pod tolerates; add a toleration to the flavor"],
    ),
    "KUEUE-TOPOLOGY": (
        lambda o: flavor(o).update(nodeLabels={}, topologyName="fabric"),
        [
            "ResourceFlavor 'h200' of north has topology 'fabric' but no nodeLabels; add nodeLabels",
            "ResourceFlavor 'h200' of north has topology 'fabric', which is not defined; define it",
        ],
    ),
    "KUEUE-TOPOLOGY-LEVELS": (
        lambda o: add(
            o, "Topology", "fabric", {"levels": [{"nodeLabel": "kubernetes.io/hostname"}, {"nodeLabel": "tier-1"}]}
        ),
        ["Topology 'fabric' of north has levels kubernetes.io/hostname, tier-1; at most 16, distinct, hostname last"],
    ),
    "KUEUE-POD-PRIORITY": (
        lambda o: one(o, "PriorityClass").update(preemptionPolicy="PreemptLowerPriority"),
        ["PriorityClass 'skyfleet' of north preempts; correct kueue/priority_classes.py"],
    ),
    "KUEUE-CONFIG-KEY": (
        lambda o: o.configuration.update(queueVisibility={}),
        ["Configuration of north has the unknown key 'queueVisibility'; correct kueue/configuration.py"],
    ),
    "KUEUE-CONFIG-STRATEGY": (
        lambda o: o.configuration["fairSharing"].update(preemptionStrategies=["Anything"]),
        ["Configuration of north has preemptionStrategies Anything; correct kueue/configuration.py"],
    ),
    "KUEUE-CONFIG-SYSTEM": (
        lambda o: o.configuration.pop("managedJobsNamespaceSelector"),
        [
            "Configuration of north has a managedJobsNamespaceSelector that matches every namespace; correct kueue/configuration.py"
        ],
    ),
    "KUEUE-CONFIG-WEIGHTS": (
        lambda o: o.configuration.pop("fairSharing"),
        ["Configuration of north has no fairSharing, but queues have weights; correct kueue/configuration.py"],
    ),
    "KUEUE-CONFIG-BLOCK": (
        lambda o: o.configuration["waitForPodsReady"].update(blockAdmission=True),
        ["Configuration of north has waitForPodsReady.blockAdmission; correct kueue/configuration.py"],
    ),
}
