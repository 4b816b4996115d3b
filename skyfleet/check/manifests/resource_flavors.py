"""ResourceFlavors: which nodes a quota stands for."""

from collections.abc import Iterator
from itertools import permutations

from skyfleet.check import facts
from skyfleet.check.manifests.objects import Objects
from skyfleet.check.rule import Problem, rule


@rule(
    "KUEUE-FLAVOR-OVERLAP",
    "two flavors that select the same nodes count their capacity twice (kubernetes-sigs/kueue#6586)",
    "Kueue 0.19.2, pkg/scheduler/flavorassigner",
)
def flavors_are_disjoint(objects: Objects) -> Iterator[Problem]:
    for item, other in permutations(objects.all("ResourceFlavor"), 2):
        labels, wider = (flavor["spec"].get("nodeLabels", {}).items() for flavor in (item, other))
        same = labels == wider and item["metadata"]["name"] > other["metadata"]["name"]
        if wider < labels or same:
            message = f"selects nodes that flavor '{other['metadata']['name']}' selects too"
            remedy = "give each pool a label value of its own in node_labels"
            yield objects.problem(item, message, remedy, "warning")


@rule(
    "KUEUE-FLAVOR-TAINT",
    "a taint that neither the flavor nor SkyPilot's pods tolerate keeps the flavor from ever being chosen",
    "Kueue 0.19.2, pkg/scheduler/flavorassigner; SkyPilot 0.14.1, provision/kubernetes/instance.py",
)
def taints_are_tolerated(objects: Objects) -> Iterator[Problem]:
    for item in objects.all("ResourceFlavor"):
        tolerated = {toleration.get("key") for toleration in item["spec"].get("tolerations", ())}
        for taint in item["spec"].get("nodeTaints", ()):
            if taint["key"] not in facts.kueue().tolerated_taints and taint["key"] not in tolerated:
                message = f"has taint {taint['key']}, which no pod tolerates"
                yield objects.problem(item, message, "add a toleration to the flavor", "warning")


@rule(
    "KUEUE-TOPOLOGY",
    "a flavor with a topology needs node labels and a Topology that exists; else its queues are inactive",
    "Kueue 0.19.2, CEL in apis/kueue/v1beta2/resourceflavor_types.go (TopologyNotFound)",
)
def topologies_exist(objects: Objects) -> Iterator[Problem]:
    for item in objects.all("ResourceFlavor"):
        topology = item["spec"].get("topologyName")
        if topology is None:
            continue
        if not item["spec"].get("nodeLabels"):
            yield objects.problem(item, f"has topology '{topology}' but no nodeLabels", "add nodeLabels")
        if topology not in objects.names("Topology"):
            yield objects.problem(item, f"has topology '{topology}', which is not defined", "define it")


@rule(
    "KUEUE-TOPOLOGY-LEVELS",
    "at most 16 distinct levels, the host name last",
    "Kueue 0.19.2, CEL in apis/kueue/v1beta2/topology_types.go",
)
def levels_are_sound(objects: Objects) -> Iterator[Problem]:
    most = facts.kueue().most["topology levels"]
    for item in objects.all("Topology"):
        levels = [level["nodeLabel"] for level in item["spec"]["levels"]]
        if len(levels) > most or len(set(levels)) < len(levels) or "kubernetes.io/hostname" in levels[:-1]:
            yield objects.problem(item, f"has levels {', '.join(levels)}", f"at most {most}, distinct, hostname last")
