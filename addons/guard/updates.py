"""Pods that are changed after their creation: what admitted them must stay as it was."""

from addons.guard.cel import (
    GATES,
    GROUP,
    IS_KUEUE,
    PRIORITY,
    QUEUE,
    ROLE_HASH,
    STAMP,
    annotations,
    labels,
    listed,
    text,
)
from addons.guard.policy import Rule, RuleSet
from skyfleet.model import Fleet

COUNT = "kueue.x-k8s.io/pod-group-total-count"


def updated_pods(fleet: Fleet) -> RuleSet:
    """Kueue itself takes its gate away and writes where the pod belongs; the rules are about everybody else."""
    team, center = fleet.organization.labels.team, fleet.organization.labels.cost_center
    return RuleSet(
        name="pod-updates",
        api_group="",
        resources=("pods",),
        operations=("UPDATE",),
        unless={"not-kueue": f"!({IS_KUEUE})"},
        variables={
            "labels": labels(),
            "old_labels": labels("oldObject"),
            "annotations": annotations(),
            "old_annotations": annotations("oldObject"),
        },
        rules=[
            Rule(
                f"{listed('oldObject.spec.schedulingGates')}.all(old, !old.name.startsWith('{GATES}') || "
                f"{listed('object.spec.schedulingGates')}.exists(new, new.name == old.name))",
                "only Kueue admits a pod; its scheduling gates stay until the quota is there",
            ),
            *(_unchanged("label", "labels", key) for key in (QUEUE, GROUP, PRIORITY, team, center)),
            *(_unchanged("annotation", "annotations", key) for key in (ROLE_HASH, COUNT, STAMP)),
            Rule(
                " && ".join(_same(field) for field in ("nodeSelector", "tolerations", "affinity")),
                "where a pod may run was decided when it was admitted; nodeSelector, affinity and tolerations stay",
            ),
        ],
    )


def _unchanged(noun: str, kind: str, key: str) -> Rule:
    new, old, name = f"variables.{kind}", f"variables.old_{kind}", text(key)
    return Rule(
        f"({name} in {new}) == ({name} in {old}) && (!({name} in {new}) || {new}[{name}] == {old}[{name}])",
        f"{noun} {key} says who pays and what was admitted; it cannot be changed on a pod that exists",
    )


def _same(field: str) -> str:
    new, old = f"object.spec.{field}", f"oldObject.spec.{field}"
    return f"has({new}) == has({old}) && (!has({new}) || {new} == {old})"
