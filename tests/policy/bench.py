"""`python -m tests.policy.bench`: what the policy costs, beside a policy that does nothing and the usual idiom.

Each is timed through `sky.admin_policy_utils.apply` on the same tasks in the same run. The numbers are for reading;
nothing fails on them. CPU time, since other work on the machine is no cost of a policy.
"""

from __future__ import annotations

import argparse
import itertools
import json
import logging
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

import sky
from sky.server.requests.request_names import AdminPolicyRequestName
from sky.utils import admin_policy_utils
from skyfleet_policy import admission
from skyfleet_policy.contract import Routes
from skyfleet_policy.routes import parse_routes

import tests.policy.conftest  # noqa: F401  # pyright: ignore[reportUnusedImport]  # a home of its own for SkyPilot
from tests.policy.sample import HERE, policy

BATCH = 10

TABLE = json.loads((HERE / "routes.json").read_text())


class NothingPolicy(sky.AdminPolicy):
    """Lets everything through as it is."""

    @classmethod
    def validate_and_mutate(cls, user_request: sky.UserRequest) -> sky.MutatedUserRequest:
        return sky.MutatedUserRequest(user_request.task, user_request.skypilot_config)


class OneCopyPolicy(sky.AdminPolicy):
    """The idiom of SkyPilot's examples: copy each candidate once."""

    @classmethod
    def validate_and_mutate(cls, user_request: sky.UserRequest) -> sky.MutatedUserRequest:
        task = user_request.task
        config = {"kubernetes": {"quota": {"queue": "search"}}}
        copies = [r.copy(labels={"app": "bench"}, _cluster_config_overrides=config) for r in task.resources]
        _ = task.set_resources(type(task.resources)(copies))
        return sky.MutatedUserRequest(task, user_request.skypilot_config)


class SmallFleetPolicy(admission.FleetPolicy):
    """The policy over 2 clusters and 10 teams."""

    table: Routes

    @classmethod
    def routes(cls) -> Routes:
        return cls.table


class LargeFleetPolicy(SmallFleetPolicy):
    """The policy over 50 clusters and 1,000 teams."""


def fleet(clusters: int, teams: int) -> Routes:
    """A fleet of a size: the sample's two clusters and team `search`, and as many more as are wanted."""
    table: dict[str, Any] = {**TABLE, "clusters": {}, "routes": {"H200": [], "L4": []}, "teams": {}}
    for i in range(clusters):
        name = ("nebius-eu-north1", "gke-us-central1")[i % 2]
        clone = name if i < 2 else f"{name}-{i}"
        table["clusters"][clone] = {**TABLE["clusters"][name], "answers_to": [clone], "context": clone}
        table["routes"][("H200", "L4")[i % 2]].append(clone)
    table["cpu_routes"] = ["gke-us-central1"]
    for i in range(teams):
        team = TABLE["teams"]["search"]
        table["teams"]["search" if i == 0 else f"team-{i}"] = {**team, "clusters": list(table["clusters"])}
    return parse_routes(table)


def task(index: int = 0) -> sky.Task:
    """One candidate."""
    resources = {"accelerators": "H200:8", "labels": {"team": "search"}}
    return sky.Task.from_yaml_config({"name": f"t{index}", "num_nodes": 2, "run": "x", "resources": resources})


def wide() -> sky.Task:
    """Twelve candidates."""
    any_of = [{"accelerators": f"H200:{i % 4 + 1}", "cpus": f"{i + 1}+"} for i in range(12)]
    resources = {"any_of": any_of, "labels": {"team": "search"}}
    return sky.Task.from_yaml_config({"name": "wide", "num_nodes": 2, "run": "x", "resources": resources})


def pipeline() -> sky.Dag:
    """Ten tasks in a row."""
    with sky.Dag() as dag:
        tasks = [task(i) for i in range(10)]
        for one, next_one in itertools.pairwise(tasks):
            dag.add_edge(one, next_one)
    return dag


INPUTS: Mapping[str, Callable[[], sky.Task | sky.Dag]] = {
    "1 candidate": task,
    "12 candidates": wide,
    "pipeline of 10": pipeline,
}
POLICIES = {
    "nothing": NothingPolicy,
    "one copy per candidate": OneCopyPolicy,
    "skyfleet, 2 clusters, 10 teams": SmallFleetPolicy,
    "skyfleet, 50 clusters, 1,000 teams": LargeFleetPolicy,
}


def measure(make: Callable[[], sky.Task | sky.Dag], rounds: int) -> dict[str, float]:
    """Milliseconds of CPU of each policy: the median over rounds of the mean of a batch.

    The policies take turns, in batches, so that none pays for another's turn.
    """
    times: dict[str, list[float]] = {name: [] for name in POLICIES}
    for _ in range(rounds):
        for name, cls in POLICIES.items():
            entries = [make() for _ in range(BATCH)]
            with policy(f"tests.policy.bench.{cls.__name__}"):
                start = time.thread_time()
                for entry in entries:
                    _ = admin_policy_utils.apply(entry, AdminPolicyRequestName.CLUSTER_LAUNCH, at_client_side=True)
                times[name].append((time.thread_time() - start) / BATCH)
    return {name: statistics.median(values) * 1000 for name, values in times.items()}


def import_milliseconds(rounds: int = 5) -> float:
    """What importing the policy adds to `import sky`."""
    code = (
        "import time, sky; from sky.utils import admin_policy_utils; start = time.thread_time(); "
        "import skyfleet_policy; skyfleet_policy.FleetPolicy.routes(); print(time.thread_time() - start)"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(rounds)
    ]
    return statistics.median(float(run.stdout.splitlines()[-1]) for run in runs) * 1000


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    _ = parser.add_argument("--rounds", type=int, default=15)
    rounds: int = parser.parse_args().rounds
    logging.getLogger("sky").setLevel(logging.ERROR)
    SmallFleetPolicy.table, LargeFleetPolicy.table = fleet(2, 10), fleet(50, 1000)
    _ = [measure(make, 2) for make in INPUTS.values()]
    table = {name: measure(make, rounds) for name, make in INPUTS.items()}
    print(f"{'milliseconds of CPU':<36}" + "".join(f"{name:>16}" for name in table))
    for name in POLICIES:
        print(f"{name:<36}" + "".join(f"{column[name]:>16.3f}" for column in table.values()))
    _, idiom, small, large = POLICIES
    print(
        f"{'skyfleet / one copy (target 1.25)':<36}" + "".join(f"{c[small] / c[idiom]:>16.2f}" for c in table.values())
    )
    print(
        f"{'large / small fleet (target 1.1)':<36}" + "".join(f"{c[large] / c[small]:>16.2f}" for c in table.values())
    )
    print(f"import beyond `import sky`, with the table: {import_milliseconds():.1f} ms (target 20)")


if __name__ == "__main__":
    # Run under its importable name: SkyPilot finds the policies, and their tables, by it.
    from tests.policy import bench

    bench.main()
