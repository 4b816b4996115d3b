"""From rules to a ValidatingAdmissionPolicy and its binding."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from addons.objects import Manifest, manifest_object
from kueue.namespace import TENANT_LABEL

API_VERSION = "admissionregistration.k8s.io/v1"


@dataclass(frozen=True)
class Rule:
    """`holds` is CEL; `otherwise` says what is wrong and what to do."""

    holds: str
    otherwise: str


@dataclass(frozen=True)
class RuleSet:
    """Rules for one kind of request in the tenants' namespace."""

    name: str
    api_group: str
    resources: tuple[str, ...]
    operations: tuple[str, ...]
    rules: Sequence[Rule]
    variables: Mapping[str, str] = field(default_factory=dict[str, str])
    """Name -> CEL; later ones may use earlier ones as `variables.<name>`."""
    unless: Mapping[str, str] = field(default_factory=dict[str, str])
    """Name of an exception -> CEL for the requests that the rules are about: a request is examined if all of them hold."""


def policy(rules: RuleSet) -> list[Manifest]:
    """It fails closed: an expression that cannot be evaluated refuses."""
    constraint = {
        "apiGroups": [rules.api_group],
        "apiVersions": ["*"],
        "operations": list(rules.operations),
        "resources": list(rules.resources),
        "scope": "Namespaced",
    }
    spec: Manifest = {
        "failurePolicy": "Fail",
        "matchConstraints": {"resourceRules": [constraint]},
        "variables": [{"name": name, "expression": expression} for name, expression in rules.variables.items()],
        "validations": [{"expression": rule.holds, "message": rule.otherwise} for rule in rules.rules],
    }
    if rules.unless:
        spec["matchConditions"] = [{"name": name, "expression": cel} for name, cel in rules.unless.items()]
    name = f"skyfleet-{rules.name}"
    selector = {"namespaceSelector": {"matchLabels": {TENANT_LABEL: "true"}}}
    return [
        manifest_object(API_VERSION, "ValidatingAdmissionPolicy", name, spec=spec),
        manifest_object(
            API_VERSION,
            "ValidatingAdmissionPolicyBinding",
            name,
            spec={"policyName": name, "validationActions": ["Deny"], "matchResources": selector},
        ),
    ]
