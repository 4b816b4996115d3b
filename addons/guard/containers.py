"""What no container may have, whichever way it comes into a pod. `variables.containers` holds them."""

from addons.guard.cel import texts
from addons.guard.policy import Rule

CAPABILITIES = ("IPC_LOCK",)
"""InfiniBand registers memory that must stay where it is."""


def container_rules(*, privileged_allowed: str = "false") -> list[Rule]:
    """`privileged_allowed` is CEL: when a privileged container is what the definition says."""
    return [
        Rule(
            "variables.containers.all(c, !has(c.securityContext) || !has(c.securityContext.privileged) || "
            f"!c.securityContext.privileged) || ({privileged_allowed})",
            "no container may be privileged: it would own the node; remove securityContext.privileged",
        ),
        Rule(
            "variables.containers.all(c, !has(c.securityContext) || !has(c.securityContext.capabilities) || "
            "!has(c.securityContext.capabilities.add) || "
            f"c.securityContext.capabilities.add.all(capability, capability in {texts(CAPABILITIES)}))",
            f"containers may add no capability but {', '.join(CAPABILITIES)}; remove the others from "
            "securityContext.capabilities.add",
        ),
        Rule(
            "variables.containers.all(c, !has(c.securityContext) || !has(c.securityContext.procMount) || "
            "c.securityContext.procMount == 'Default')",
            "/proc must be masked as it is by default; remove securityContext.procMount",
        ),
    ]
