"""A cluster that exists already is adopted by its kubeconfig, and nothing is ordered from a cloud."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sim import kubectl, simulation
from sim.fleet import cluster_spec
from sim.state import State
from skyfleet.load import load
from tests.clouds.clouds import QUIET, Operator, said
from tools import paths

pytestmark = pytest.mark.e2e

CLUSTER = "gke-us-central1"


@pytest.fixture
def adopter(tmp_path: Path) -> Iterator[Operator]:
    """One cluster that is there from the start, with Kueue in it."""
    fleet = load(paths.REPOSITORY / "fleet").fleet
    assert fleet is not None
    operator = Operator(State(tmp_path / "sim"))
    try:
        simulation.up([cluster_spec(fleet.clusters[CLUSTER])], operator.state, QUIET)
        yield operator
    finally:
        simulation.down(operator.state, QUIET)


def test_a_cluster_that_exists_is_adopted(adopter: Operator) -> None:
    """Its queues are made, no cloud is asked for anything, and a second preview is empty."""
    done = adopter.up(CLUSTER)
    preview = adopter.pulumi(CLUSTER, "preview", "--expect-no-changes")

    assert done.returncode == 0, said(done)
    assert preview.returncode == 0, said(preview)
    assert "gcp:" not in said(done)
    assert kubectl.get(adopter.state.cluster(CLUSTER), "clusterqueues")
