"""Workloads, by which Kueue counts: whoever writes one admits himself."""

from addons.guard.cel import IS_KUEUE
from addons.guard.policy import Rule, RuleSet


def workloads() -> RuleSet:
    return RuleSet(
        name="workloads",
        api_group="kueue.x-k8s.io",
        resources=("workloads", "workloads/status"),
        operations=("CREATE", "UPDATE"),
        unless={
            "not-kueue": f"!({IS_KUEUE})",
            "not-the-garbage-collector": "!request.userInfo.username.startsWith('system:serviceaccount:kube-system:')",
        },
        rules=[Rule("false", "only Kueue writes Workloads; launch through SkyPilot")],
    )
