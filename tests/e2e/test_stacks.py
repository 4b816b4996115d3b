"""`pulumi` from the command line and from the Automation API work on the same stacks, and find nothing to do twice."""

import subprocess
import sys

import pytest

from sim import environment, kubectl
from tests.e2e.conftest import Rehearsal
from tools import paths

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize("cluster", ["nebius-eu-north1", "gke-us-central1"])
def test_a_second_preview_shows_no_change(rehearsal: Rehearsal, cluster: str) -> None:
    """Quantities are canonical, so the API server stores what the manifest says."""
    done = _pulumi(rehearsal, "preview", "--stack", cluster, "--expect-no-changes")

    assert done.returncode == 0, done.stdout + done.stderr


def test_plain_pulumi_up_brings_a_stack_to_the_definition(rehearsal: Rehearsal) -> None:
    """The platform team's own command, on a stack that something was taken from."""
    cluster = rehearsal.state.cluster("gke-us-central1")
    kubectl.run(cluster, "delete", "localqueue", "platform", "--namespace", "skyfleet")

    done = _pulumi(rehearsal, "up", "--stack", cluster.name, "--yes", "--refresh", "--skip-preview")

    assert done.returncode == 0, done.stdout + done.stderr
    assert kubectl.run(cluster, "get", "localqueue", "platform", "--namespace", "skyfleet", "-o", "name")


def test_previews_of_all_stacks_run_from_one_command(rehearsal: Rehearsal) -> None:
    """What `make up DRY=1` does: every stack, and one line for each."""
    done = _infra_up(rehearsal, "--preview")

    assert (done.returncode, sorted(done.stderr.splitlines())) == (
        0,
        ["gke-us-central1: no change", "nebius-eu-north1: no change"],
    )


def test_a_stack_that_is_no_cluster_is_refused_with_the_names(rehearsal: Rehearsal) -> None:
    """Exit 2 and a sentence, before the engine starts."""
    done = _infra_up(rehearsal, "nowhere")

    assert done.returncode == 2
    assert done.stderr.strip() == (
        "error: stack 'nowhere' is no cluster of the definition; stacks are named as clusters: gke-us-central1, nebius-eu-north1"
    )


def test_outputs_name_the_cluster_for_skypilot(rehearsal: Rehearsal) -> None:
    """Name, context, kubeconfig and pools, the same from every provider."""
    done = _pulumi(rehearsal, "stack", "output", "--stack", "gke-us-central1")

    assert "gke_acme-ml_us-central1_gke-us-central1" in done.stdout
    assert '["l4","cpu"]' in done.stdout


def _pulumi(rehearsal: Rehearsal, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["pulumi", "--cwd", str(rehearsal.state.project), "--non-interactive", *arguments]
    env = environment.pulumi_env(rehearsal.state)
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def _infra_up(rehearsal: Rehearsal, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "infra.up", "--project", str(rehearsal.state.project), *arguments]
    env = environment.pulumi_env(rehearsal.state) | {"COLUMNS": "500"}
    return subprocess.run(command, env=env, cwd=paths.REPOSITORY, capture_output=True, text=True, check=False)
