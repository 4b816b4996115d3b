"""What goes wrong in the life of a stack, rehearsed: the unmodified program, the real engine, simulated clouds.

They build on each other: a control plane is too dear to be made for each.
"""

import pytest

from sim import kubectl
from sim.clouds import projects
from sim.clouds.cloud import Cloud
from sim.clouds.gcp import GCP
from tests.clouds.clouds import Operator, said

pytestmark = pytest.mark.e2e

GKE, PROJECT = "gke-us-central1", "acme-ml"
GPUS = "NVIDIA_L4_GPUS"


def test_a_quota_that_is_exceeded_halfway_is_raised_and_up_goes_on(operator: Operator) -> None:
    """The cluster stands, its L4 pool was refused by name, limit and number; the second `up` makes what is missing and nothing twice."""
    usual = projects.quotas(operator.state, PROJECT)[GPUS]
    projects.set_quota(operator.state, PROJECT, GPUS, 4)
    refused = operator.up(GKE)
    before = {record.id for record in operator.exists("gcp")}

    projects.set_quota(operator.state, PROJECT, GPUS, usual)
    again = operator.up(GKE)

    assert refused.returncode != 0
    assert f"l4: quota {GPUS} of {PROJECT} exceeded: limit 4, in use 0, asked for 8" in said(refused)
    assert f"projects/{PROJECT}/locations/us-central1/clusters/{GKE}" in before
    assert again.returncode == 0, said(again)
    assert before < {record.id for record in operator.exists("gcp")}
    _assert_settled(operator, GKE)


def test_a_quota_edited_by_hand_is_reported_and_repaired(operator: Operator) -> None:
    """`make drift` names the queue and the field, with exit status 1; `up --refresh` puts it back."""
    cluster = operator.state.cluster(GKE)
    field = "spec.resourceGroups[0].flavors[0].resources[0].nominalQuota"
    untouched = operator.drift(GKE)
    before = _quota(operator)
    kubectl.run(cluster, "patch", "clusterqueue", "search", "--type=json", "--patch", _edit(field, "1"))

    reported = operator.drift(GKE)
    repaired = operator.up(GKE, "--refresh")

    assert (untouched.returncode, untouched.stderr) == (0, f"{GKE}: as Pulumi left it\n"), said(untouched)
    assert (reported.returncode, reported.stderr) == (1, f"{GKE}: clusterqueue/search {field}\n"), said(reported)
    assert repaired.returncode == 0, said(repaired)
    assert _quota(operator) == before
    assert operator.drift(GKE).returncode == 0


def test_a_cluster_deleted_behind_pulumis_back_is_made_again(operator: Operator) -> None:
    """A refresh sees that it is gone, with everything in it; `up` makes it anew, and file systems are the ones that were there."""
    cloud = Cloud(operator.state, GCP, projects.find(operator.state, "gcp", PROJECT))
    filesystems = [record.id for record in operator.exists("gcp") if record.type == "gcp:filestore/instance:Instance"]
    cloud.delete(f"projects/{PROJECT}/locations/us-central1/clusters/{GKE}", by_force=True)

    refreshed = operator.pulumi(GKE, "refresh", "--yes", "--skip-preview", PULUMI_K8S_DELETE_UNREACHABLE="true")
    again = operator.up(GKE)

    assert refreshed.returncode == 0, said(refreshed)
    assert again.returncode == 0, said(again)
    assert kubectl.get(operator.state.cluster(GKE), "clusterqueues")
    assert filesystems == [
        record.id for record in operator.exists("gcp") if record.type == "gcp:filestore/instance:Instance"
    ]
    _assert_settled(operator, GKE)


def _assert_settled(operator: Operator, stack: str) -> None:
    preview = operator.pulumi(stack, "preview", "--expect-no-changes")
    assert preview.returncode == 0, said(preview)


def _quota(operator: Operator) -> str:
    path = "jsonpath={.spec.resourceGroups[0].flavors[0].resources[0].nominalQuota}"
    return kubectl.run(operator.state.cluster(GKE), "get", "clusterqueue", "search", "-o", path)


def _edit(field: str, value: str) -> str:
    pointer = "/" + field.replace("[", ".").replace("]", "").replace(".", "/")
    return f'[{{"op": "replace", "path": "{pointer}", "value": "{value}"}}]'
