"""The policy behind SkyPilot's REST interface, and under many users at once."""

from __future__ import annotations

import json
import threading
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import sky
from sky import admin_policy, exceptions, models
from sky.server.requests.request_names import AdminPolicyRequestName
from sky.utils import admin_policy_utils, config_utils
from skyfleet_policy import admission

from tests.policy.sample import Case, admit, cases, policy, sample_routes

CATALOGUED = "instance_type"
"""SkyPilot looks it up in a catalogue, which it may download, to write a task as YAML: not for a test."""
SOME = [c for c in cases() if not c.settings and CATALOGUED not in (c.folder / "task.yaml").read_text()][::3]


class Handler(BaseHTTPRequestHandler):
    """What an operator writes around the policy: decode, admit, encode."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        try:
            admitted = admission.admit(admin_policy.UserRequest.decode(body), sample_routes())
            status, answer = 200, json.dumps(admitted.encode())
        except exceptions.UserRequestRejectedByPolicy as error:
            status, answer = 400, str(error)
        self.send_response(status)
        self.end_headers()
        _ = self.wfile.write(answer.encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name is the base class's
        pass


@pytest.fixture(scope="module")
def url() -> Generator[str]:
    """A policy server on a free port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("case", SOME, ids=lambda case: case.sentence)
def test_rest(case: Case, url: str) -> None:
    """Through SkyPilot's REST client the answer is the one in process, also where it is no."""
    answers: list[object] = []
    for location in ("tests.policy.sample.SamplePolicy", url):
        with policy(location):
            try:
                dag, _ = admin_policy_utils.apply(case.dag(), case.request, at_client_side=True)
                answers.append(
                    [sorted(map(str, r)) for r in ([one.to_yaml_config() for one in t.resources] for t in dag.tasks)]
                )
            except exceptions.UserRequestRejectedByPolicy as error:
                answers.append(str(error).rpartition("Skyfleet cannot accept")[2])

    assert answers[0] == answers[1]


@pytest.mark.parametrize("name", ["jobs.launch_controller", "serve.launch_controller"])
def test_controller_behind_rest(name: str) -> None:
    """A controller is known by its request's name: what a REST policy loses of the task does not matter."""
    task = sky.Task.from_yaml_config({"name": "controller", "resources": {"cpus": "4+"}, "run": "x"})
    asked = sky.UserRequest(task, config_utils.Config(), AdminPolicyRequestName(name))

    admitted = admission.admit(admin_policy.UserRequest.decode(asked.encode()), sample_routes())

    resources = next(iter(admitted.task.resources))
    assert (resources.region, resources.cluster_config_overrides.get("kubernetes", {}).get("quota")) == (
        "gke_acme-ml_us-central1_gke-us-central1",
        None,
    )


def test_concurrent_users_and_workspaces() -> None:
    """Requests of two users in two workspaces, at once, each get their own answer."""
    members = {"search": "ada@search.acme.example", "research": "eve@research.acme.example"}

    def one(index: int) -> tuple[str, str, str]:
        team = ("search", "research")[index % 2]
        config = {"resources": {"accelerators": "H200:8", "labels": {"team": team}}, "run": "x"}
        user = models.User(id=f"{index:08x}", name=members[team])
        around = config_utils.Config(active_workspace=team)
        asked = sky.UserRequest(
            sky.Task.from_yaml_config(config), around, AdminPolicyRequestName.CLUSTER_LAUNCH, user=user
        )
        admitted = admission.admit(asked, sample_routes())
        queue = next(iter(admitted.task.resources)).cluster_config_overrides["kubernetes"]["quota"]["queue"]
        return team, queue, admitted.skypilot_config["active_workspace"]

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(one, range(64)))

    assert answers == [(team, team, team) for team in ("search", "research") * 32]


def test_nothing_is_left_behind() -> None:
    """A request's configuration lives for that request: the next one in the process sees the original."""
    case = next(case for case in cases() if case.config and not case.rejected)
    before = json.dumps(case.config, sort_keys=True)

    first, _ = case.apply()
    second = admit(case.dag(), case.request)

    assert json.dumps(case.config, sort_keys=True) == before
    assert [t.to_yaml_config() for t in second.tasks] == [t.to_yaml_config() for t in first.tasks]
