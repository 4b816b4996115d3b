"""One definition, `pulumi up`, plain `sky launch`: what the demo shows, asserted on what the API servers have."""

from typing import Any

import pytest

from demo.scenes import FULL_CLUSTER, SCENES, Scene
from skyfleet.generate.routes import routes
from tests.e2e.conftest import Evening, Rehearsal

pytestmark = pytest.mark.e2e

NEBIUS = "nebius-eu-north1"
GKE = "gke-us-central1"


@pytest.mark.parametrize("scene", [*SCENES, *FULL_CLUSTER], ids=lambda scene: scene.file)
def test_every_scene_ends_as_told(evening: Evening, scene: Scene) -> None:
    """Admitted, preempted or rejected, as the table says."""
    outcome = evening.outcomes[scene.file]

    assert outcome.standing == scene.ending, outcome


@pytest.mark.parametrize(
    ("request_name", "cluster", "queue", "priority", "pods"),
    [
        ("train-h200", NEBIUS, "search", "standard", 2),
        ("dev-l4", GKE, "search", "interactive", 1),
        ("preprocess-cpu", GKE, "research", "standard", 1),
        ("forced-provider", NEBIUS, "search", "standard", 1),
        ("production-gang", NEBIUS, "research", "production", 2),
        ("batch-gang", NEBIUS, "research", "batch", 0),
    ],
)
def test_a_request_is_where_it_belongs(
    evening: Evening, request_name: str, cluster: str, queue: str, priority: str, pods: int
) -> None:
    """Cluster by accelerator, queue by team, priority by profile or by what was asked for."""
    seen = evening.outcomes[request_name].sighting

    assert seen is not None
    assert (seen.cluster, seen.queue, seen.priority, seen.pods) == (cluster, queue, priority, pods)


@pytest.mark.parametrize(
    ("request_name", "message"),
    [
        (
            "rejected-dev-two-gpus",
            (
                "Skyfleet cannot accept task `dev-two-gpus`:\n"
                "  - resources.accelerators: profile `dev` may have 1 accelerator in all, this asks for L4:2; "
                "ask for fewer, or choose another profile with the label `workload`"
            ),
        ),
        (
            "rejected-unknown-team",
            (
                "Skyfleet cannot accept task `unknown-team`:\n"
                "  - resources.labels.team: there is no team `serch`; did you mean `search`? "
                "the fleet's teams are platform, research and search"
            ),
        ),
    ],
)
def test_a_rejection_says_what_where_and_the_remedy(evening: Evening, request_name: str, message: str) -> None:
    """The engineer reads it in the output of `sky launch`, whole."""
    assert evening.outcomes[request_name].submission.message == message


def test_the_training_pods_are_as_the_definition_says(evening: Evening, rehearsal: Rehearsal) -> None:
    """Namespace, labels, annotations, nodeSelector, requests, queue and gang, on each of the two pods."""
    pods = evening.pods_of(NEBIUS, "train-h200")

    assert len(pods) == 2
    for pod in pods:
        labels, annotations, spec = pod["metadata"]["labels"], pod["metadata"]["annotations"], pod["spec"]
        assert pod["metadata"]["namespace"] == "skyfleet"
        assert labels["team"] == "search"
        assert labels["cost-center"] == "4711"
        assert labels["workload"] == "training"
        assert labels["kueue.x-k8s.io/queue-name"] == "search"
        assert labels["kueue.x-k8s.io/priority-class"] == "standard"
        assert labels["kueue.x-k8s.io/pod-group-name"] == pods[0]["metadata"]["labels"]["kueue.x-k8s.io/pod-group-name"]
        assert annotations["kueue.x-k8s.io/pod-group-total-count"] == "2"
        assert annotations["skyfleet.dev/definition"] == routes(rehearsal.fleet)["definition"]
        assert spec["nodeSelector"] == {"nebius.com/gpu-name": "H200", "skyfleet.dev/pool": "h200"}
        assert spec["priorityClassName"] == "skyfleet"
        assert _requests(pod)["nvidia.com/gpu"] == "8"


def test_a_gang_is_one_workload_on_whole_nodes(evening: Evening) -> None:
    """Both pods in one Workload, admitted on the flavor of the pool, each on a node of its own."""
    workload = evening.workload_of(NEBIUS, "train-h200")
    nodes = {pod["spec"]["nodeName"] for pod in evening.pods_of(NEBIUS, "train-h200")}

    assert [pod_set["count"] for pod_set in workload["spec"]["podSets"]] == [2]
    assert _flavors(workload) == {"cpu": "h200", "memory": "h200", "nvidia.com/gpu": "h200"}
    assert len(nodes) == 2
    assert all(node.startswith("h200-") for node in nodes)


def test_a_development_environment_has_one_accelerator(evening: Evening) -> None:
    """One L4 at interactive priority on GKE's pool."""
    (pod,) = evening.pods_of(GKE, "dev-l4")

    assert _requests(pod)["nvidia.com/gpu"] == "1"
    assert pod["metadata"]["labels"]["workload"] == "dev"
    assert pod["metadata"]["labels"]["kueue.x-k8s.io/priority-class"] == "interactive"
    assert pod["spec"]["nodeSelector"] == {"cloud.google.com/gke-accelerator": "nvidia-l4", "skyfleet.dev/pool": "l4"}


@pytest.mark.parametrize(("cluster", "request_name"), [(GKE, "preprocess-cpu"), (NEBIUS, "forced-provider")])
def test_work_without_accelerator_keeps_off_gpu_nodes(evening: Evening, cluster: str, request_name: str) -> None:
    """Its quota is of the CPU pool's flavor, and it runs on one of its nodes."""
    (pod,) = evening.pods_of(cluster, request_name)

    assert _flavors(evening.workload_of(cluster, request_name)) == {"cpu": "cpu", "memory": "cpu"}
    assert pod["spec"]["nodeName"].startswith("cpu-")


def test_what_is_rejected_never_reaches_a_cluster(evening: Evening) -> None:
    """No pod of a rejected request anywhere."""
    for cluster in evening.pods:
        assert not evening.pods_of(cluster, "rejected-dev-two-gpus")
        assert not evening.pods_of(cluster, "rejected-unknown-team")


def _requests(pod: dict[str, Any]) -> dict[str, str]:
    return pod["spec"]["containers"][0]["resources"]["requests"]


def _flavors(workload: dict[str, Any]) -> dict[str, str]:
    return workload["status"]["admission"]["podSetAssignments"][0]["flavors"]
