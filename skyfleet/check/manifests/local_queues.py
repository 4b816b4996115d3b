"""LocalQueues and the namespaces they stand in."""

import re
from collections.abc import Iterator

from skyfleet.check.manifests.objects import Objects
from skyfleet.check.rule import Problem, rule

_DNS_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
_AS_LABEL_VALUES = ("LocalQueue", "ClusterQueue", "WorkloadPriorityClass")


@rule(
    "KUEUE-QUEUE-MISSING",
    "a LocalQueue without its ClusterQueue is inactive: pods stay gated for ever",
    "Kueue 0.19.2, pkg/controller/core/localqueue_controller.go",
)
def local_queues_lead_somewhere(objects: Objects) -> Iterator[Problem]:
    for item in objects.all("LocalQueue"):
        if item["spec"]["clusterQueue"] not in objects.names("ClusterQueue"):
            message = f"points to ClusterQueue '{item['spec']['clusterQueue']}', which is not defined"
            yield objects.problem(item, message, "correct kueue/local_queues.py")


@rule(
    "KUEUE-NAMESPACE-MANAGED",
    "in a namespace that managedJobsNamespaceSelector leaves out, pods run at once and outside every quota",
    "Kueue 0.19.2, pkg/controller/jobs/pod/pod_webhook.go",
)
def namespaces_are_managed(objects: Objects) -> Iterator[Problem]:
    wanted = objects.configuration.get("managedJobsNamespaceSelector", {}).get("matchLabels", {})
    namespaces = {item["metadata"]["name"]: item["metadata"].get("labels", {}) for item in objects.all("Namespace")}
    for item in objects.all("LocalQueue"):
        namespace = item["metadata"]["namespace"]
        if not wanted.items() <= namespaces.get(namespace, {}).items():
            message = f"stands in namespace '{namespace}', which Kueue does not manage"
            yield objects.problem(item, message, "correct kueue/namespace.py")


@rule(
    "KUEUE-NAME",
    "names of queues and priorities are label values on pods: above 63 characters they are cut (kubernetes-sigs/kueue#9872)",
    "Kubernetes, label syntax",
)
def names_are_label_values(objects: Objects) -> Iterator[Problem]:
    for item in objects.all(*_AS_LABEL_VALUES):
        if not _DNS_LABEL.fullmatch(item["metadata"]["name"]):
            yield objects.problem(item, "has a name that is no DNS label of at most 63 characters", "rename it")
