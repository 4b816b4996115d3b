"""Pods when they are created, as they are after Kueue's webhook has seen them."""

from addons.access import SERVICE_ACCOUNT
from addons.guard.cel import (
    CLUSTER_NAME,
    GATE,
    GROUP,
    PRIORITY,
    QUEUE,
    ROLE_HASH,
    STAMP,
    annotations,
    labels,
    listed,
    mapping,
    text,
    texts,
)
from addons.guard.containers import container_rules
from addons.guard.policy import Rule, RuleSet
from kueue.priority_classes import POD_PRIORITY_CLASS
from skyfleet.capacity import teams_on
from skyfleet.model import Cluster, Fleet
from skyfleet.requests import covered_resources

CONTROLLERS = ("sky-jobs-controller-", "sky-serve-controller-")
"""How SkyPilot names the clusters of its own controllers, which wait in no queue (sky/utils/common.py)."""
CONTROLLER_CPU = "16"
CONTROLLER_MEMORY = "64Gi"
"""The most that a controller may ask for: none may pass for one to get around the queues with a large task."""
VOLUMES = ("configMap", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret")
INFINIBAND_PATH = "/dev/infiniband"
TOLERATED = (
    "nvidia.com/gpu",
    "cloud.google.com/gke-spot",
    "node.kubernetes.io/not-ready",
    "node.kubernetes.io/unreachable",
    "node.kubernetes.io/memory-pressure",
)
KUEUE_LABELS = (QUEUE, PRIORITY, GROUP, "kueue.x-k8s.io/managed", "kueue.x-k8s.io/podset")
KUEUE_ANNOTATIONS = (ROLE_HASH, "kueue.x-k8s.io/retriable-in-group", "kueue.x-k8s.io/pod-group-total-count")

_LAUNCH = "launch through SkyPilot, whose policy sets it"


def created_pods(fleet: Fleet, cluster: Cluster) -> RuleSet:
    return RuleSet(
        name="pods",
        api_group="",
        resources=("pods",),
        operations=("CREATE",),
        variables={
            "labels": labels(),
            "annotations": annotations(),
            "spec": "object.spec",
            "containers": f"object.spec.containers + {listed('object.spec.initContainers')}",
            "queue": f"{text(QUEUE)} in variables.labels ? variables.labels[{text(QUEUE)}] : ''",
            "sky_cluster": f"{text(CLUSTER_NAME)} in variables.labels ? variables.labels[{text(CLUSTER_NAME)}] : ''",
            "is_controller": "variables.queue == '' && ("
            + " || ".join(f"variables.sky_cluster.startsWith({text(prefix)})" for prefix in CONTROLLERS)
            + ")",
        },
        rules=[
            *_queueing(fleet, cluster),
            *_controllers(cluster),
            *_forgeries(),
            *_placement(),
            *_node_access(cluster),
        ],
    )


def _queueing(fleet: Fleet, cluster: Cluster) -> list[Rule]:
    teams = {team.name: team.priorities for team in teams_on(fleet, cluster)}
    team_label = fleet.organization.labels.team
    return [
        Rule(
            f"variables.is_controller || variables.queue in {texts(teams)}",
            f"label {QUEUE} must be the queue of a team with quota here ({', '.join(teams)}); {_LAUNCH}",
        ),
        Rule(
            f"variables.is_controller || ({text(team_label)} in variables.labels && "
            f"variables.labels[{text(team_label)}] == variables.queue)",
            f"labels {team_label} and {QUEUE} must name the same team; {_LAUNCH}",
        ),
        Rule(
            f"variables.is_controller || {listed('object.spec.schedulingGates')}.exists(gate, gate.name == '{GATE}')",
            f"Kueue does not hold this pod back (scheduling gate {GATE} is missing), it would run outside every quota; "
            "remove owner references and labels that Kueue takes for a job of its own, or see whether Kueue is well",
        ),
        Rule(
            f"!({text(PRIORITY)} in variables.labels) || variables.is_controller || "
            f"!(variables.queue in {texts(teams)}) || "
            f"variables.labels[{text(PRIORITY)}] in {mapping(teams)}[variables.queue]",
            f"label {PRIORITY} is a priority that the team may not use; {_LAUNCH}",
        ),
        Rule(
            f"variables.is_controller || {text(PRIORITY)} in variables.labels",
            f"label {PRIORITY} is missing; {_LAUNCH}",
        ),
        Rule(
            f"{text(STAMP)} in variables.annotations && variables.annotations[{text(STAMP)}].matches('^[0-9a-f]{{16}}$')",
            f"annotation {STAMP} is missing: no policy of the fleet has seen this pod; launch through SkyPilot",
        ),
    ]


def _controllers(cluster: Cluster) -> list[Rule]:
    """What is exempt from the queues is small and has no accelerator."""
    accelerators = [resource for resource in covered_resources(cluster) if resource not in {"cpu", "memory"}]
    return [
        Rule(
            "!variables.is_controller || variables.containers.all(c, !has(c.resources) || "
            + " && ".join(
                f"(!has(c.resources.{kind}) || !c.resources.{kind}.exists(r, r in {texts(accelerators)}))"
                for kind in ("requests", "limits")
            )
            + ")",
            "a controller of SkyPilot gets no accelerator: it waits in no queue; remove the accelerator or the controller's name",
        ),
        Rule(
            "!variables.is_controller || variables.containers.all(c, !has(c.resources) || !has(c.resources.requests) || ("
            + " && ".join(
                f"(!('{resource}' in c.resources.requests) || "
                f"!quantity(c.resources.requests['{resource}']).isGreaterThan(quantity('{most}')))"
                for resource, most in (("cpu", CONTROLLER_CPU), ("memory", CONTROLLER_MEMORY))
            )
            + "))",
            f"a controller of SkyPilot may request {CONTROLLER_CPU} cores and {CONTROLLER_MEMORY} at most: it waits in no queue",
        ),
    ]


def _forgeries() -> list[Rule]:
    """Kueue trusts what it finds on a pod (kubernetes-sigs/kueue#13299, #14630)."""
    return [
        Rule(
            f"variables.labels.all(key, !key.startsWith('kueue.x-k8s.io/') || key in {texts(KUEUE_LABELS)})",
            f"of Kueue's labels only {', '.join(KUEUE_LABELS)} may stand on a pod; remove the others",
        ),
        Rule(
            f"variables.annotations.all(key, !key.startsWith('kueue.x-k8s.io/') || key in {texts(KUEUE_ANNOTATIONS)})",
            f"of Kueue's annotations only {', '.join(KUEUE_ANNOTATIONS)} may stand on a pod; remove the others",
        ),
        Rule(
            f"!({text(ROLE_HASH)} in variables.annotations) || "
            f"variables.annotations[{text(ROLE_HASH)}].matches('^[0-9a-f]{{8}}$')",
            f"annotation {ROLE_HASH} is Kueue's own and not for writing; remove it",
        ),
        Rule(
            f"!({text(GROUP)} in variables.labels) || variables.labels[{text(GROUP)}] == variables.sky_cluster",
            f"label {GROUP} must be the pod's own SkyPilot cluster (label {CLUSTER_NAME}): no pod joins another's gang",
        ),
    ]


def _placement() -> list[Rule]:
    return [
        Rule(
            "variables.is_controller || "
            f"(has(variables.spec.priorityClassName) && variables.spec.priorityClassName == '{POD_PRIORITY_CLASS}')",
            f"priorityClassName must be {POD_PRIORITY_CLASS}: Kueue orders pods, kube-scheduler must not preempt behind its "
            f"back; say how urgent it is by label {PRIORITY}",
        ),
        Rule(
            "!variables.is_controller || !has(variables.spec.priorityClassName) || variables.spec.priorityClassName == ''",
            "a controller of SkyPilot has no priorityClassName, by which they are counted; remove it",
        ),
        Rule(
            f"has(variables.spec.serviceAccountName) && variables.spec.serviceAccountName == '{SERVICE_ACCOUNT}'",
            f"serviceAccountName must be {SERVICE_ACCOUNT}, which remote_identity in SkyPilot's configuration says",
        ),
        Rule(
            "!has(variables.spec.nodeName) || variables.spec.nodeName == ''",
            "nodeName goes around the scheduler; remove it",
        ),
        Rule(
            "!has(variables.spec.schedulerName) || variables.spec.schedulerName == 'default-scheduler'",
            "schedulerName must be default-scheduler; remove it",
        ),
        Rule(
            f"{listed('object.spec.tolerations')}.all(t, has(t.key) && t.key in {texts(TOLERATED)})",
            f"only taints {', '.join(TOLERATED)} may be tolerated; remove the other tolerations",
        ),
    ]


def _node_access(cluster: Cluster) -> list[Rule]:
    """Nothing of the node itself, but the InfiniBand devices where the definition exposes them by path."""
    by_path = any(pool.infiniband and pool.infiniband.exposure == "host-path" for pool in cluster.pools)
    kinds = " || ".join(f"has(v.{kind})" for kind in VOLUMES)
    path = f" || (has(v.hostPath) && v.hostPath.path == '{INFINIBAND_PATH}')" if by_path else ""
    mounts_it = (
        f"{listed('object.spec.volumes')}.exists(v, has(v.hostPath) && v.hostPath.path == '{INFINIBAND_PATH}')"
        if by_path
        else "false"
    )
    allowed = f"{', '.join(VOLUMES)}{f', and hostPath {INFINIBAND_PATH}' if by_path else ''}"
    return [
        Rule(
            f"{listed('object.spec.volumes')}.all(v, {kinds}{path})",
            f"volumes may be {allowed}; hostPath and others reach past the namespace; use a claim",
        ),
        Rule(
            " && ".join(
                f"(!has(variables.spec.{name}) || !variables.spec.{name})"
                for name in ("hostNetwork", "hostPID", "hostIPC")
            ),
            "hostNetwork, hostPID and hostIPC show a pod what belongs to the node and to others; remove them",
        ),
        Rule(
            f"variables.containers.all(c, {listed('c.ports')}.all(p, !has(p.hostPort) || p.hostPort == 0))",
            "hostPort takes a port of the node; remove it",
        ),
        *container_rules(privileged_allowed=mounts_it),
    ]
