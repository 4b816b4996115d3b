"""Kueue's own configuration: read once at start, decoded strictly."""

from collections.abc import Iterator

from skyfleet.check import facts
from skyfleet.check.manifests.objects import Objects
from skyfleet.check.rule import Problem, rule

_VALIDATION = "Kueue 0.19.2, pkg/config/validation.go"
_FIX = "correct kueue/configuration.py"


@rule(
    "KUEUE-CONFIG-KEY", "decoding is strict: with a key that it does not know the manager does not start", _VALIDATION
)
def keys_are_known(objects: Objects) -> Iterator[Problem]:
    for key in objects.configuration:
        if key not in facts.kueue().configuration_keys:
            yield objects.problem(objects.configuration, f"has the unknown key '{key}'", _FIX)


@rule("KUEUE-CONFIG-STRATEGY", "fairSharing takes three lists of preemption strategies and no other", _VALIDATION)
def strategies_are_known(objects: Objects) -> Iterator[Problem]:
    sharing = objects.configuration.get("fairSharing")
    if (
        sharing is not None
        and tuple(sharing.get("preemptionStrategies", ())) not in facts.kueue().preemption_strategies
    ):
        message = f"has preemptionStrategies {', '.join(sharing.get('preemptionStrategies', ())) or 'none'}"
        yield objects.problem(objects.configuration, message, _FIX)


@rule(
    "KUEUE-CONFIG-SYSTEM",
    "with the pod integration a selector that matches kube-system or Kueue's own namespace would gate the control plane",
    _VALIDATION,
)
def system_namespaces_are_left_alone(objects: Objects) -> Iterator[Problem]:
    selector = objects.configuration.get("managedJobsNamespaceSelector", {})
    labels = selector.get("matchLabels", {})
    names = labels.get("kubernetes.io/metadata.name")
    if not selector.get("matchExpressions") and (not labels or names in facts.kueue().system_namespaces):
        matched = names or "every namespace"
        yield objects.problem(objects.configuration, f"has a managedJobsNamespaceSelector that matches {matched}", _FIX)


@rule(
    "KUEUE-CONFIG-WEIGHTS",
    "without the section fairSharing all weights are ignored",
    "Kueue 0.19.2, apis/config/v1beta2/configuration_types.go",
)
def weights_have_an_effect(objects: Objects) -> Iterator[Problem]:
    weighted = [item for item in objects.all("ClusterQueue", "Cohort") if "fairSharing" in item["spec"]]
    if weighted and "fairSharing" not in objects.configuration:
        yield objects.problem(objects.configuration, "has no fairSharing, but queues have weights", _FIX, "warning")


@rule(
    "KUEUE-CONFIG-BLOCK",
    "blockAdmission makes one gang that is not ready hold up every queue of the cluster",
    "Kueue 0.19.2, apis/config/v1beta2/configuration_types.go",
)
def one_gang_does_not_block_all(objects: Objects) -> Iterator[Problem]:
    if objects.configuration.get("waitForPodsReady", {}).get("blockAdmission"):
        yield objects.problem(objects.configuration, "has waitForPodsReady.blockAdmission", _FIX, "warning")
