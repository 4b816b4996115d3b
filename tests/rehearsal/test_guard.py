"""The API server refuses what bypasses the policy, on the very cluster on which tasks run."""

import json

import pytest

from sim import kubectl
from sim.errors import SimulationError
from tests.addons.pods import changed, task
from tests.rehearsal.stage import Stage

pytestmark = pytest.mark.e2e


def test_a_pod_as_the_policy_makes_it_is_accepted(stage: Stage) -> None:
    """Else the refusals below would prove nothing."""
    kubectl.run(stage.cluster, "create", "--dry-run=server", "-f", "-", stdin=json.dumps(task("bypass-head")))


@pytest.mark.parametrize(
    "changes",
    [
        {"metadata|labels|kueue.x-k8s.io/queue-name": None},
        {"metadata|labels|kueue.x-k8s.io/queue-name": "research"},
        {"spec|volumes|1": {"name": "models", "hostPath": {"path": "/"}}},
        {"spec|containers|0|securityContext": {"privileged": True}},
    ],
    ids=["no queue", "another team's queue", "the node's disk", "privileged"],
)
def test_a_pod_that_bypasses_the_policy_is_refused(stage: Stage, changes: dict[str, object]) -> None:
    """By the guard's own words, not by some other part of the cluster."""
    with pytest.raises(SimulationError, match="ValidatingAdmissionPolicy"):
        kubectl.create(stage.cluster, [changed(task("bypass-head"), changes)])

    assert stage.pods_of("bypass") == []
