"""Ways into a pod that are no change of the pod itself."""

from addons.guard.cel import IS_KUEUE, listed
from addons.guard.containers import container_rules
from addons.guard.policy import Rule, RuleSet


def debugged_pods() -> RuleSet:
    """`kubectl debug`: a container that comes later is held to the same as those that were there."""
    return RuleSet(
        name="pod-debugging",
        api_group="",
        resources=("pods/ephemeralcontainers",),
        operations=("UPDATE",),
        variables={"containers": listed("object.spec.ephemeralContainers")},
        rules=container_rules(),
    )


def resized_pods() -> RuleSet:
    """Growing in place would go around the quota: Kueue counts a pod when it admits it."""
    return RuleSet(
        name="pod-resizing",
        api_group="",
        resources=("pods/resize",),
        operations=("UPDATE",),
        unless={"not-an-administrator": f"!({IS_KUEUE})"},
        rules=[Rule("false", "a pod cannot be resized, its quota was given for what it was; launch it anew")],
    )
