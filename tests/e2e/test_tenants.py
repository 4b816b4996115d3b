"""Two users in two workspaces at the same time: each request is decided on its own."""

import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml
from rich.console import Console

from demo import stage
from demo.launching import down_all
from demo.sightings import GROUP, Sighting, sightings
from sim import skypilot
from sim.progress import Progress
from tests.e2e.conftest import Rehearsal
from tests.e2e.waiting import until
from tools import paths

pytestmark = pytest.mark.e2e


@dataclass(frozen=True)
class Tenant:
    user: str
    team: str
    workspace: str
    cluster: str
    """As the user calls it."""
    file: str


_TENANTS = (
    Tenant("eve@search.acme.example", "search", "default", "eve-cpu", "forced-provider"),
    Tenant("eve@search.acme.example", "search", "models", "eve-dev", "dev-l4"),
    Tenant("rob@research.acme.example", "research", "models", "rob-cpu", "preprocess-cpu"),
    Tenant("ria@research.acme.example", "research", "default", "ria-cpu", "preprocess-cpu"),
)


@pytest.fixture
def workspaces(rehearsal: Rehearsal, tmp_path: Path) -> Iterator[Rehearsal]:
    """The same API server with a second workspace, and nothing launched."""
    config = yaml.safe_load(stage.SERVER_CONFIG.read_text(encoding="utf-8"))
    config["workspaces"] = {"default": {}, "models": {}}
    file = tmp_path / "server-config.yaml"
    file.write_text(yaml.safe_dump(config), encoding="utf-8")
    policy = stage.install_policy(rehearsal.state)
    quiet = Progress(Console(quiet=True))
    skypilot.start(rehearsal.state, file, quiet, extra={"PYTHONPATH": str(policy.folder)})
    yield rehearsal
    for user in {tenant.user for tenant in _TENANTS}:
        down_all(rehearsal.state, user)


def test_concurrent_tenants_get_each_their_own(workspaces: Rehearsal) -> None:
    """Queue, owner, workspace and gang of each request are its user's, whatever the others ask for meanwhile."""
    with ThreadPoolExecutor(len(_TENANTS)) as pool:
        outputs = list(pool.map(partial(_launch, workspaces), _TENANTS))

    assert [output for output in outputs if output] == []
    seen = until(lambda: _seen(workspaces), lambda found: {tenant.cluster for tenant in _TENANTS} <= set(found))
    for tenant in _TENANTS:
        sighting = seen[tenant.cluster]
        pod = _pod(workspaces, sighting)
        assert sighting.queue == tenant.team
        assert pod["metadata"]["labels"]["team"] == tenant.team
        assert pod["metadata"]["annotations"]["skypilot-user"] == tenant.user
        assert pod["metadata"]["annotations"]["skypilot-workspace"] == tenant.workspace
    assert len({sighting.workload for sighting in seen.values()}) == len(seen)


def test_a_member_of_one_team_cannot_launch_for_another(workspaces: Rehearsal) -> None:
    """Membership is the server's to know: the client's word for the team is not enough."""
    output = _launch(
        workspaces, Tenant("rob@research.acme.example", "search", "default", "not-mine", "forced-provider")
    )

    assert "rob@research.acme.example is not a member of team `search`; use one of yours: research" in output
    assert "not-mine" not in _seen(workspaces)


def _launch(rehearsal: Rehearsal, tenant: Tenant) -> str:
    """Nothing, or what `sky launch` said when it failed."""
    command = ["sky", "launch", "--yes", "--async", "--cluster", tenant.cluster]
    command += ["--config", f"active_workspace={tenant.workspace}", f"examples/{tenant.file}.yaml"]
    env = skypilot.client_env(rehearsal.state, tenant.user)
    done = subprocess.run(command, cwd=paths.REPOSITORY, env=env, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def _seen(rehearsal: Rehearsal) -> dict[str, Sighting]:
    return {sighting.request: sighting for sighting in sightings(rehearsal.state, rehearsal.fleet)}


def _pod(rehearsal: Rehearsal, sighting: Sighting) -> dict[str, Any]:
    (pod,) = (
        pod
        for pod in rehearsal.objects(sighting.cluster, "pods")
        if pod["metadata"]["labels"].get(GROUP) == sighting.workload
    )
    return pod
