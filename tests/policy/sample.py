"""Sample pairs: a task file, and what becomes of it or why it is rejected.

`tests/policy/cases/<sentence>/` holds `task.yaml`, perhaps `request.yaml`, and either `expected.yaml` or
`rejected.txt`. The folder's name is the specification.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import sky
import yaml
from sky import exceptions, skypilot_config
from sky.server import versions
from sky.server.requests.request_names import AdminPolicyRequestName
from sky.utils import admin_policy_utils, config_utils, dag_utils
from skyfleet_policy import admission
from skyfleet_policy.contract import Routes
from skyfleet_policy.decision import Decision, decide
from skyfleet_policy.explain import pods
from skyfleet_policy.routes import load_routes
from skyfleet_policy.rules import RULES

HERE = Path(__file__).parent
CASES = HERE / "cases"
BLESS = "python -m tests.policy.bless"


@functools.lru_cache(maxsize=1)
def sample_routes() -> Routes:
    """A small fleet, written by hand: the cases do not move when the real definition does."""
    return load_routes(HERE / "routes.json")


class SamplePolicy(admission.FleetPolicy):
    """The policy over the sample fleet."""

    @classmethod
    def routes(cls) -> Routes:
        return sample_routes()


@dataclass(frozen=True)
class Case:
    """One sample pair."""

    folder: Path

    @property
    def sentence(self) -> str:
        return self.folder.name

    @property
    def rejected(self) -> bool:
        return (self.folder / "rejected.txt").exists()

    @property
    def expected(self) -> str:
        name = "rejected.txt" if self.rejected else "expected.yaml"
        file = self.folder / name
        return file.read_text() if file.exists() else ""

    @functools.cached_property
    def settings(self) -> dict[str, Any]:
        file = self.folder / "request.yaml"
        return yaml.safe_load(file.read_text()) if file.exists() else {}

    @property
    def request(self) -> AdminPolicyRequestName:
        return AdminPolicyRequestName(self.settings.get("request", "launch"))

    @property
    def user(self) -> str | None:
        return self.settings.get("user")

    @property
    def config(self) -> dict[str, Any]:
        """SkyPilot's configuration around the request."""
        return self.settings.get("config", {})

    @property
    def skypilot(self) -> str | None:
        """The client's version, where the case names one."""
        return self.settings.get("skypilot")

    def dag(self) -> sky.Dag:
        return dag_utils.load_dag_from_yaml(str(self.folder / "task.yaml"))

    def decisions(self) -> list[Decision]:
        """What the rules alone say."""
        requests = (
            admission.read_task(task, admission.kind_of(task, admission.KINDS[self.request]), self.user)
            for task in self.dag().tasks
        )
        around = {"settings": self.config, "skypilot": self.skypilot or sky.__version__}
        return [decide(replace(request, **around), sample_routes(), RULES) for request in requests]

    def apply(self) -> tuple[sky.Dag, Mapping[str, object]]:
        """The case through SkyPilot's own entrance: the tasks and the configuration around them."""
        return apply(self.dag(), self.request, self.user, self.config, self.skypilot)


def cases() -> list[Case]:
    return [Case(folder) for folder in sorted(CASES.iterdir()) if folder.is_dir()]


def by_rules(case: Case) -> str:
    """The outcome of the rules alone, as the files hold it."""
    decisions = case.decisions()
    for decision in decisions:
        if decision.problems:
            return decision.rejection() + "\n"
    return _documents([{"decided": pods(decision, sample_routes())} for decision in decisions])


def by_skypilot(case: Case) -> str:
    """The outcome through SkyPilot's own entrance, as the files hold it."""
    try:
        dag, settings = case.apply()
    except exceptions.UserRequestRejectedByPolicy as error:
        return f"{error}\n"
    around = (
        {"configuration": {key: value for key, value in settings.items() if key in case.config}} if case.config else {}
    )
    return _documents([{"admitted": carried(task) | around} for task in dag.tasks])


def carried(task: sky.Task) -> dict[str, object]:
    """What SkyPilot carries of a task, without what no policy touches."""
    config = task.to_yaml_config()
    if "any_of" in config["resources"]:  # a set, in the order of addresses
        config["resources"]["any_of"].sort(key=str)
    return {key: config[key] for key in ("resources", "num_nodes", "envs", "setup") if config.get(key)}


def outcome(case: Case) -> str:
    """Both, for an accepted case; the message, which is the same, for a rejected one."""
    rules, real = by_rules(case), by_skypilot(case)
    if "decided:" not in rules:
        return rules
    pairs = zip(yaml.safe_load_all(rules), yaml.safe_load_all(real), strict=True)
    return _documents([{**decided, **admitted} for decided, admitted in pairs])


def part(text: str, key: str) -> str:
    """One half of an accepted case's file; a rejected one's as it is."""
    if key == "message":
        return text
    return _documents([{key: document[key]} for document in yaml.safe_load_all(text)])


@contextmanager
def policy(
    location: str = "tests.policy.sample.SamplePolicy", config: Mapping[str, object] | None = None
) -> Generator[None]:
    """SkyPilot with a policy, as its configuration names it."""
    with skypilot_config.replace_skypilot_config(config_utils.Config({**(config or {}), "admin_policy": location})):
        yield


def admit(entry: sky.Dag | sky.Task, request: AdminPolicyRequestName, user: str | None = None) -> sky.Dag:
    """The tasks after SkyPilot's own entrance; a user makes it the server, none the client."""
    return apply(entry, request, user)[0]


def apply(
    entry: sky.Dag | sky.Task,
    request: AdminPolicyRequestName,
    user: str | None = None,
    config: Mapping[str, object] | None = None,
    skypilot: str | None = None,
) -> tuple[sky.Dag, Mapping[str, object]]:
    """SkyPilot's own entrance; a user makes it the server, none the client."""
    with policy(config=config), _user(user):
        versions.set_remote_version(skypilot or sky.__version__)
        try:
            return admin_policy_utils.apply(entry, request, at_client_side=user is None)
        except exceptions.UserRequestRejectedByPolicy as error:
            if str(error).startswith("Skyfleet cannot accept"):
                raise
            raise AssertionError(error) from error  # SkyPilot wraps whatever a policy trips over


@contextmanager
def _user(name: str | None) -> Generator[None]:
    """The user of this request, as SkyPilot finds it where no login is configured."""
    before = os.environ.get("SKYPILOT_USER")
    os.environ["SKYPILOT_USER"] = name or ""
    try:
        yield
    finally:
        if before is None:
            del os.environ["SKYPILOT_USER"]
        else:
            os.environ["SKYPILOT_USER"] = before


def _documents(documents: list[dict[str, object]]) -> str:
    return yaml.dump_all(documents, Dumper=_Dumper, sort_keys=False, width=120)


class _Dumper(yaml.SafeDumper):
    """Without aliases: candidates share one configuration, and each shows it."""

    def ignore_aliases(self, data: object) -> bool:
        del data
        return True
