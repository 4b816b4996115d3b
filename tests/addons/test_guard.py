"""The admission guard on a real API server with a real Kueue: what SkyPilot makes passes, and no way around the queues does."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from rich.console import Console

from addons.controllers import AT_ONCE
from sim import kubectl, simulation
from sim.errors import SimulationError
from sim.fleet import cluster_spec
from sim.progress import Progress
from sim.state import ClusterState, State
from skyfleet.load import load
from tests.addons.pods import Pod, changed, controller, task
from tools import paths

pytestmark = pytest.mark.e2e

CLUSTER = "nebius-eu-north1"
SKYPILOT = "system:serviceaccount:skyfleet:skypilot"
KUEUE = "system:serviceaccount:kueue-system:kueue-controller-manager"
ADMIN = "kubernetes-admin"
SETTLE_SECONDS = 20


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClusterState]:
    """A control plane with the committed manifests."""
    state = State(tmp_path_factory.mktemp("guard") / "sim")
    fleet = load(paths.REPOSITORY / "fleet").fleet
    assert fleet is not None
    progress = Progress(Console(quiet=True))
    try:
        simulation.up([cluster_spec(fleet.clusters[CLUSTER])], state, progress)
        made = state.cluster(CLUSTER)
        for room in ("kueue", "addons"):
            kubectl.apply(made, _documents(paths.REPOSITORY / room / "manifests" / f"{CLUSTER}.yaml"))
        _wait_until_it_holds(made)
        yield made
    finally:
        simulation.down(state, progress)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no queue": (
        {"metadata|labels|kueue.x-k8s.io/queue-name": None},
        "label kueue.x-k8s.io/queue-name must be the queue of a team with quota here",
    ),
    "a queue that no team has": (
        {"metadata|labels|kueue.x-k8s.io/queue-name": "default", "metadata|labels|team": "default"},
        "label kueue.x-k8s.io/queue-name must be the queue of a team with quota here",
    ),
    "another team's queue": (
        {"metadata|labels|kueue.x-k8s.io/queue-name": "research"},
        "labels team and kueue.x-k8s.io/queue-name must name the same team",
    ),
    "no team": (
        {"metadata|labels|team": None},
        "labels team and kueue.x-k8s.io/queue-name must name the same team",
    ),
    "no priority": (
        {"metadata|labels|kueue.x-k8s.io/priority-class": None},
        "label kueue.x-k8s.io/priority-class is missing",
    ),
    "an unknown priority": (
        {"metadata|labels|kueue.x-k8s.io/priority-class": "urgent"},
        "label kueue.x-k8s.io/priority-class is a priority that the team may not use",
    ),
    "a forged owner that Kueue manages": (
        {
            "metadata|ownerReferences": [
                {"apiVersion": "batch/v1", "kind": "Job", "name": "forged", "uid": "1-2-3", "controller": True}
            ]
        },
        'Job.batch "forged" not found',  # Kueue looks itself
    ),
    "no stamp": (
        {"metadata|annotations|skyfleet.dev/definition": None},
        "annotation skyfleet.dev/definition is missing",
    ),
    "a stamp that is none": (
        {"metadata|annotations|skyfleet.dev/definition": "latest"},
        "annotation skyfleet.dev/definition is missing",
    ),
    "a role hash that is not Kueue's": (
        {"metadata|annotations|kueue.x-k8s.io/role-hash": "mine"},
        "annotation kueue.x-k8s.io/role-hash is Kueue's own",
    ),
    "another's gang": (
        {"metadata|labels|kueue.x-k8s.io/pod-group-name": "other"},
        "label kueue.x-k8s.io/pod-group-name must be the pod's own SkyPilot cluster",
    ),
    "admission of half a gang": (
        {"metadata|annotations|kueue.x-k8s.io/pod-group-fast-admission": "true"},
        "of Kueue's annotations only",
    ),
    "a workload made beforehand": (
        {"metadata|labels|kueue.x-k8s.io/prebuilt-workload-name": "train"},
        "of Kueue's labels only",
    ),
    "a path of the node": (
        {"spec|volumes|1": {"name": "root", "hostPath": {"path": "/"}}},
        "volumes may be",
    ),
    "the InfiniBand devices by path, where the plugin hands them on": (
        {"spec|volumes|1": {"name": "devices", "hostPath": {"path": "/dev/infiniband"}}},
        "volumes may be",
    ),
    "a share that is no claim": (
        {"spec|volumes|1": {"name": "share", "nfs": {"server": "caches", "path": "/"}}},
        "volumes may be",
    ),
    "a privileged container": (
        {"spec|containers|0|securityContext": {"privileged": True}},
        "no container may be privileged",
    ),
    "a privileged init container": (
        {"spec|initContainers": [{"name": "init", "image": "x", "securityContext": {"privileged": True}}]},
        "no container may be privileged",
    ),
    "a capability": (
        {"spec|containers|0|securityContext": {"capabilities": {"add": ["SYS_ADMIN"]}}},
        "containers may add no capability but IPC_LOCK",
    ),
    "the node's network": ({"spec|hostNetwork": True}, "hostNetwork, hostPID and hostIPC"),
    "the node's processes": ({"spec|hostPID": True}, "hostNetwork, hostPID and hostIPC"),
    "the node's memory": ({"spec|hostIPC": True}, "hostNetwork, hostPID and hostIPC"),
    "a port of the node": (
        {"spec|containers|0|ports": [{"containerPort": 80, "hostPort": 80}]},
        "hostPort takes a port of the node",
    ),
    "a priority class that preempts behind Kueue's back": (
        {"spec|priorityClassName": "system-cluster-critical"},
        "priorityClassName must be skyfleet",
    ),
    "no priority class, to pass for a controller": (
        {"spec|priorityClassName": None},
        "priorityClassName must be skyfleet",
    ),
    "another service account": (
        {"spec|serviceAccountName": "default"},
        "serviceAccountName must be skypilot",
    ),
    "another scheduler": ({"spec|schedulerName": "mine"}, "schedulerName must be default-scheduler"),
    "every taint tolerated": ({"spec|tolerations": [{"operator": "Exists"}]}, "only taints"),
    "a node by name": (
        {"spec|nodeName": "cpu-0"},
        "",
    ),  # the API server's own rule comes first: gated pods name no node
}
"""Attempt -> what is changed about a sound pod, and how the refusal begins."""

CONTROLLER_REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "accelerators outside the queues": (
        {"spec|containers|0|resources": {"limits": {"nvidia.com/gpu": "8"}, "requests": {"nvidia.com/gpu": "8"}}},
        "a controller of SkyPilot gets no accelerator",
    ),
    "a large task under a controller's name": (
        {"spec|containers|0|resources": {"requests": {"cpu": "64"}}},
        "a controller of SkyPilot may request 16 cores and 64Gi at most",
    ),
    "a node by name": ({"spec|nodeName": "h200-0"}, "nodeName goes around the scheduler"),
    "a priority class, to be counted among the tasks": (
        {"spec|priorityClassName": "skyfleet"},
        "a controller of SkyPilot has no priorityClassName",
    ),
    "no stamp": (
        {"metadata|annotations|skyfleet.dev/definition": None},
        "annotation skyfleet.dev/definition is missing",
    ),
}


def test_every_expression_has_the_right_types(cluster: ClusterState) -> None:
    """The API server checks them when a policy is applied; a warning is a rule that may never hold."""
    policies = kubectl.get(cluster, "validatingadmissionpolicies")

    assert len(policies) == 5
    assert {p["metadata"]["name"]: p["status"].get("typeChecking") for p in policies} == {
        p["metadata"]["name"]: {} for p in policies
    }


def test_a_task_of_skypilot_is_admitted_by_kueue(cluster: ClusterState) -> None:
    """Everything that the policy injects is let through, and Kueue lifts its gate."""
    _create(cluster, task("sound-head"))

    assert _comes_true(lambda: not _pod(cluster, "sound-head")["spec"].get("schedulingGates"))
    assert _pod(cluster, "sound-head")["spec"]["nodeSelector"] == {"skyfleet.dev/pool": "cpu"}


def test_a_controller_of_skypilot_waits_in_no_queue(cluster: ClusterState) -> None:
    """Managed jobs and services work: their controllers start at once."""
    _create(cluster, controller())

    assert "schedulingGates" not in _pod(cluster, "sky-jobs-controller-1a2b-head")["spec"]


def test_system_pods_are_not_touched(cluster: ClusterState) -> None:
    """The guard is about the tenants' namespace alone: the device plugin runs privileged elsewhere."""
    running = kubectl.get(cluster, "pods", "--namespace", "kube-system", "-l", "app=rdma-shared-device-plugin")

    assert len(running) == 4


@pytest.mark.parametrize("attempt", REFUSED)
def test_a_way_around_is_refused(cluster: ClusterState, attempt: str) -> None:
    """Whoever asks, the SkyPilot server's own account here; the message says what to do."""
    changes, expected = REFUSED[attempt]

    assert expected in _refusal(cluster, changed(task("attempt-head"), changes))


@pytest.mark.parametrize("attempt", CONTROLLER_REFUSED)
def test_a_false_controller_is_refused(cluster: ClusterState, attempt: str) -> None:
    """Its name exempts it from the queue, so it must be small and plain."""
    changes, expected = CONTROLLER_REFUSED[attempt]

    assert expected in _refusal(cluster, changed(controller("sky-jobs-controller-3c4d-head"), changes))


def test_nobody_but_kueue_lifts_the_gate(cluster: ClusterState) -> None:
    """Neither by removing it nor by emptying the list."""
    waiting = _waiting(cluster, "gated-head")

    for patch in (
        [{"op": "remove", "path": "/spec/schedulingGates"}],
        [{"op": "remove", "path": "/spec/schedulingGates/0"}],
    ):
        assert "only Kueue admits a pod" in _patch(cluster, waiting, patch)


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("/metadata/labels/kueue.x-k8s.io~1queue-name", "research", "label kueue.x-k8s.io/queue-name says who pays"),
        ("/metadata/labels/team", "research", "label team says who pays"),
        ("/metadata/labels/cost-center", "4712", "label cost-center says who pays"),
        ("/metadata/labels/kueue.x-k8s.io~1priority-class", "production", "label kueue.x-k8s.io/priority-class says"),
        ("/metadata/labels/kueue.x-k8s.io~1pod-group-name", "other", "label kueue.x-k8s.io/pod-group-name says who"),
        ("/metadata/annotations/kueue.x-k8s.io~1role-hash", "00000000", "annotation kueue.x-k8s.io/role-hash says"),
        ("/metadata/annotations/skyfleet.dev~1definition", "00000000", "annotation skyfleet.dev/definition says who"),
        ("/spec/nodeSelector", {"skyfleet.dev/pool": "h200"}, "where a pod may run was decided when it was admitted"),
        ("/spec/tolerations/-", {"operator": "Exists"}, "where a pod may run was decided when it was admitted"),
    ],
)
def test_what_was_admitted_cannot_be_changed(cluster: ClusterState, path: str, value: Any, expected: str) -> None:
    """Not while it waits, which is when Kubernetes itself would allow the most."""
    waiting = _waiting(cluster, "changed-head")

    assert expected in _patch(cluster, waiting, [{"op": "add", "path": path, "value": value}])


def test_the_owner_cannot_be_removed_from_a_pod(cluster: ClusterState) -> None:
    """A pod without its label would be paid by nobody."""
    waiting = _waiting(cluster, "unowned-head")

    assert "label team says who pays" in _patch(cluster, waiting, [{"op": "remove", "path": "/metadata/labels/team"}])


def test_an_ordinary_change_passes(cluster: ClusterState) -> None:
    """SkyPilot writes labels and annotations of its own onto pods that exist."""
    waiting = _waiting(cluster, "ordinary-head")

    assert _patch(cluster, waiting, [{"op": "add", "path": "/metadata/labels/skypilot-head", "value": "1"}]) == ""


def test_an_ephemeral_container_is_held_to_the_same(cluster: ClusterState) -> None:
    """`kubectl debug` into a pod gives no more of the node than the pod had, whoever debugs."""
    _create(cluster, controller("sky-serve-controller-5e6f-head"))
    debugger = {"name": "debug", "image": "x", "securityContext": {"privileged": True}}
    patch = [{"op": "add", "path": "/spec/ephemeralContainers", "value": [debugger]}]

    said = _patch(cluster, "sky-serve-controller-5e6f-head", patch, "--subresource=ephemeralcontainers", who=ADMIN)

    assert "no container may be privileged" in said


def test_skypilot_cannot_resize_debug_or_write_workloads(cluster: ClusterState) -> None:
    """Its role does not say so; the guard would refuse it once more."""
    for verb, kind in (
        ("patch", "pods/resize"),
        ("patch", "pods/ephemeralcontainers"),
        ("create", "pods/binding"),
        ("create", "workloads.kueue.x-k8s.io"),
        ("patch", "workloads.kueue.x-k8s.io/status"),
        ("create", "localqueues.kueue.x-k8s.io"),
        ("create", "rolebindings.rbac.authorization.k8s.io"),
        ("create", "serviceaccounts/token"),
    ):
        assert not _may(cluster, verb, kind), f"{verb} {kind}"
    for verb, kind in (("create", "pods"), ("delete", "pods"), ("create", "pods/exec"), ("create", "services")):
        assert _may(cluster, verb, kind), f"{verb} {kind}"


def test_skypilot_sees_nothing_of_other_namespaces(cluster: ClusterState) -> None:
    """Its rights are in its namespace, and a look at the nodes."""
    assert not _may(cluster, "get", "secrets", "--namespace", "kube-system")
    assert not _may(cluster, "create", "pods", "--namespace", "skyfleet-system")
    assert _may(cluster, "list", "nodes")


def test_a_workload_written_by_another_is_refused(cluster: ClusterState) -> None:
    """Even with the rights for it: a forged Workload would admit itself."""
    _allow_all(cluster, "intruder")
    workload = {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "Workload",
        "metadata": {"name": "forged", "namespace": "skyfleet"},
        "spec": {
            "queueName": "search",
            "podSets": [{"name": "main", "count": 1, "template": {"spec": task()["spec"]}}],
        },
    }

    with pytest.raises(SimulationError, match="only Kueue writes Workloads"):
        kubectl.run(cluster, "create", "--as", "intruder", "-f", "-", stdin=json.dumps(workload))


def test_a_resized_pod_is_refused(cluster: ClusterState) -> None:
    """Even with the rights for it: quota was given for what the pod was."""
    _allow_all(cluster, "intruder")
    patch = [{"op": "replace", "path": "/spec/containers/0/resources/requests/cpu", "value": "600"}]

    said = _patch(cluster, _waiting(cluster, "resized-head"), patch, "--subresource=resize", who="intruder")

    assert "a pod cannot be resized" in said


def test_kueue_itself_may_do_what_admission_takes(cluster: ClusterState) -> None:
    """Under the name that the chart gives it, not only as the simulation's administrator."""
    _allow_all(cluster, KUEUE)
    waiting = _waiting(cluster, "admitted-head")

    assert _patch(cluster, waiting, [{"op": "remove", "path": "/spec/schedulingGates"}], who=KUEUE) == ""


def test_controllers_are_few(cluster: ClusterState) -> None:
    """Many small pods under a controller's name would be a way around the queues too."""
    names = [f"sky-jobs-controller-{number:04x}-head" for number in range(AT_ONCE + 1)]

    refusals = [refusal for name in names if (refusal := _tried(cluster, controller(name)))]

    assert refusals
    assert all("exceeded quota: controllers" in refusal for refusal in refusals)


def test_without_kueue_nothing_runs_outside_the_quotas(cluster: ClusterState) -> None:
    """Kueue fails open when its webhook is not there: then pods are refused instead of running unseen."""
    kubectl.run(cluster, "delete", "mutatingwebhookconfigurations", "--all")

    assert _comes_true(lambda: "Kueue does not hold this pod back" in _dry_refusal(cluster, task("unheld-head")))


def _create(cluster: ClusterState, pod: Pod) -> None:
    kubectl.run(cluster, "create", "--as", SKYPILOT, "-f", "-", stdin=json.dumps(pod))


def _refusal(cluster: ClusterState, pod: Pod) -> str:
    with pytest.raises(SimulationError) as refused:
        _create(cluster, pod)
    return str(refused.value)


def _tried(cluster: ClusterState, pod: Pod, *more: str) -> str:
    """What was said against a pod; nothing if it was made."""
    try:
        kubectl.run(cluster, "create", "--as", SKYPILOT, *more, "-f", "-", stdin=json.dumps(pod))
    except SimulationError as refused:
        return str(refused)
    return ""


def _dry_refusal(cluster: ClusterState, pod: Pod) -> str:
    return _tried(cluster, pod, "--dry-run=server")


def _waiting(cluster: ClusterState, name: str) -> str:
    """A pod that Kueue holds back: it asks for more than there is."""
    pod = changed(task(name), {"spec|containers|0|resources": {"requests": {"cpu": "500", "memory": "1Gi"}}})
    if not kubectl.succeeds(cluster, "get", "pod", name, "--namespace", "skyfleet"):
        _create(cluster, pod)
    return name


def _patch(cluster: ClusterState, pod: str, patch: list[dict[str, Any]], *more: str, who: str = SKYPILOT) -> str:
    """What the API server said against it; nothing if it was done."""
    arguments = ["patch", "pod", pod, "--namespace", "skyfleet", "--type", "json", "--patch", json.dumps(patch), *more]
    as_whom = [] if who == ADMIN else ["--as", who]
    try:
        kubectl.run(cluster, *arguments, *as_whom)
    except SimulationError as refused:
        return str(refused)
    return ""


def _may(cluster: ClusterState, verb: str, kind: str, *more: str) -> bool:
    kind, _, subresource = kind.partition("/")
    where = more or ("--namespace", "skyfleet")
    arguments = ("--as", SKYPILOT, f"--subresource={subresource}", *where)
    return kubectl.succeeds(cluster, "auth", "can-i", verb, kind, *arguments)


def _allow_all(cluster: ClusterState, user: str) -> None:
    """Every right, so that what refuses is the guard and not RBAC."""
    subject = {"kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": user}
    role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"}
    name = user.replace(":", "-")
    binding = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": {"name": name}}
    kubectl.apply(cluster, [binding | {"roleRef": role, "subjects": [subject]}])


def _pod(cluster: ClusterState, name: str) -> Pod:
    return json.loads(kubectl.run(cluster, "get", "pod", name, "--namespace", "skyfleet", "-o", "json"))


def _wait_until_it_holds(cluster: ClusterState) -> None:
    """A policy takes effect a moment after it was applied."""
    probe = changed(task("probe-head"), {"spec|hostNetwork": True})

    assert _comes_true(lambda: "ValidatingAdmissionPolicy" in _dry_refusal(cluster, probe)), (
        "the guard is not in effect"
    )
    assert _comes_true(lambda: all("status" in p for p in kubectl.get(cluster, "validatingadmissionpolicies")))


def _comes_true(condition: Any) -> bool:
    deadline = time.monotonic() + SETTLE_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.2)
    return True


def _documents(path: Path) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(path.read_text(encoding="utf-8")))
