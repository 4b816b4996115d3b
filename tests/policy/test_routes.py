"""The contract: a table that cannot be trusted decides nothing."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
import sky
from sky.server.requests.request_names import AdminPolicyRequestName
from skyfleet_policy import routes as routes_module
from skyfleet_policy.contract import Routes
from skyfleet_policy.routes import SHIPPED, RoutesError, load_routes

from tests.policy import sample
from tests.policy.sample import HERE, cases

TABLE = json.loads((HERE / "routes.json").read_text())
REMEDY = "run `skyfleet generate`, build the wheel again and install it where SkyPilot's API server runs"

BROKEN = {
    "another contract": (("contract",), 2, "contract: is 2, this skyfleet-policy reads 1"),
    "a missing number": (
        ("teams", "lab", "cost_center"),
        None,
        "teams.lab.cost_center: must be a string that is not empty, is None",
    ),
    "a number for a name": (("organization",), 7, "organization: must be a string that is not empty, is 7"),
    "a negative size": (
        ("clusters", "onprem", "pools", "l40s", "nodes"),
        -1,
        "clusters.onprem.pools.l40s.nodes: must be a whole number of at least 0, is -1",
    ),
    "a profile's priority that is not there": (
        ("profiles", "dev", "priority"),
        "urgent",
        "profiles.dev.priority: `urgent` is not among the priorities",
    ),
    "a route to no cluster": (("routes", "L40S"), ["elsewhere"], "routes.L40S: `elsewhere` is not among the clusters"),
    "a route to a cluster without the accelerator": (
        ("routes", "L40S"),
        ["gke-us-central1"],
        "routes.L40S: cluster `gke-us-central1` has no pool with L40S",
    ),
    "a team's cluster that is not there": (
        ("teams", "lab", "clusters"),
        ["moon"],
        "teams.lab.clusters: `moon` is not among the clusters",
    ),
    "two spellings of one accelerator": (("routes", "h200"), [], "routes.h200: differs only in case from `H200`"),
    "controllers without a home": (
        ("cpu_routes",),
        ["onprem"],
        "cpu_routes: cluster `onprem` has no pool without accelerator",
    ),
    "an unknown kind of request": (
        ("profiles", "dev", "default_for"),
        ["lunch"],
        "profiles.dev.default_for: `lunch` is not among the kinds of request",
    ),
    "tokens on a shared volume": (
        ("clusters", "onprem", "volumes"),
        [{"name": "c", "claim": "c", "mount_path": "/c", "environment": {"HF_HOME": "/c"}}],
        "clusters.onprem.volumes[0].environment.HF_HOME: would put tokens on a shared volume",
    ),
    "a pod field that is not the fleet's": (
        ("pod_fields",),
        {"spec.hostnetwork": "allow"},
        "pod_fields: `spec.hostnetwork` is not among the fields of a pod that are the fleet's",
    ),
    "an action that is none": (
        ("pod_fields",),
        {"spec.hostNetwork": "ignore"},
        "pod_fields.spec.hostNetwork: must be one of allow, strip, reject, is 'ignore'",
    ),
    "clusters as a list": (("clusters",), [], "clusters: must be an object, is list"),
}


def table(path: tuple[str, ...], value: object) -> dict[str, Any]:
    """The sample table with one field changed."""
    changed = copy.deepcopy(TABLE)
    place = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return changed


@pytest.mark.parametrize(("path", "value", "message"), BROKEN.values(), ids=BROKEN)
def test_broken_table(path: tuple[str, ...], value: object, message: str, tmp_path: Path) -> None:
    """An error names the file, the field, and what to do."""
    file = tmp_path / "routes.json"
    file.write_text(json.dumps(table(path, value)))

    with pytest.raises(RoutesError) as error:
        _ = load_routes(file)

    assert str(error.value) == f"{file}: {message}; {REMEDY}"


def test_unknown_field(tmp_path: Path) -> None:
    """A field that this version does not know is an error: it might forbid what would be let through."""
    file = tmp_path / "routes.json"
    file.write_text(json.dumps(table(("forbidden",), ["everything"])))

    with pytest.raises(RoutesError, match=r"forbidden: is not a field of this contract; known here: .*teams"):
        _ = load_routes(file)


def test_missing_table(tmp_path: Path) -> None:
    """A table that is not there is an error that names it."""
    file = tmp_path / "routes.json"

    with pytest.raises(RoutesError) as error:
        _ = load_routes(file)

    assert str(error.value) == f"{file}: cannot be read (No such file or directory); {REMEDY}"


def test_shipped_table() -> None:
    """The table in the package can be read."""
    assert load_routes(SHIPPED).contexts


class BrokenPolicy(sample.admission.FleetPolicy):
    """The policy with a table that cannot be read."""

    @classmethod
    def routes(cls) -> Routes:
        return routes_module.load_routes(HERE / "nothing.json")


def test_policy_without_table_rejects() -> None:
    """Without a table nothing is let through."""
    task = cases()[0].dag()
    with (
        sample.policy("tests.policy.test_routes.BrokenPolicy"),
        pytest.raises(sky.exceptions.UserRequestRejectedByPolicy) as error,
    ):
        _ = sample.admin_policy_utils.apply(task, AdminPolicyRequestName.CLUSTER_LAUNCH, at_client_side=True)

    assert (
        str(error.value)
        == f"Skyfleet cannot decide: {HERE}/nothing.json: cannot be read (No such file or directory); {REMEDY}"
    )
