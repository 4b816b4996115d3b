"""The values of Kueue's chart: what our clusters owe their users."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from kueue.chart_values import SERVICE_ACCOUNT, USER, VERSION, chart_values
from tests import toy
from tools import paths


@pytest.fixture
def values(tmp_path: Path) -> dict[str, Any]:
    return chart_values(toy.fleet(tmp_path))


@pytest.fixture
def configuration(values: dict[str, Any]) -> dict[str, Any]:
    return yaml.safe_load(values["managerConfig"]["controllerManagerConfigYaml"])


def test_one_manager_may_be_down(values: dict[str, Any]) -> None:
    """While none is up, pods of the tenants' namespace cannot be created."""
    manager = values["controllerManager"]

    assert manager["replicas"] == 2
    assert manager["podDisruptionBudget"] == {"enabled": True, "minAvailable": 1}


def test_the_image_is_the_release_of_the_chart(values: dict[str, Any]) -> None:
    """The chart's own values name a staging image of the branch."""
    assert values["controllerManager"]["manager"]["image"] == {
        "repository": "registry.k8s.io/kueue/kueue",
        "tag": f"v{VERSION}",
        "pullPolicy": "IfNotPresent",
    }


def test_the_simulation_runs_the_same_version() -> None:
    """What is tested is what is installed."""
    module = (paths.REPOSITORY / "tools" / "kubernetes" / "go.mod").read_text(encoding="utf-8")

    assert re.findall(r"sigs\.k8s\.io/kueue v(\S+)", module) == [VERSION]


def test_only_pods_of_tenants_are_managed(configuration: dict[str, Any]) -> None:
    """SkyPilot makes plain pods; Kueue's webhook leaves every other namespace alone."""
    assert configuration["integrations"] == {"frameworks": ["pod"]}
    assert configuration["managedJobsNamespaceSelector"] == {"matchLabels": {"skyfleet.dev/tenant": "true"}}


def test_a_slow_start_is_not_taken_for_a_failure(tmp_path: Path) -> None:
    """The timeout is the definition's, and being unready later evicts nobody."""
    fleet = toy.fleet(tmp_path, {"fleet.queueing": {"pods_ready_timeout_minutes": 90}})

    configuration = yaml.safe_load(chart_values(fleet)["managerConfig"]["controllerManagerConfigYaml"])

    assert configuration["waitForPodsReady"] == {"timeout": "90m", "recoveryTimeout": "0s"}


def test_finished_workloads_do_not_pile_up(configuration: dict[str, Any]) -> None:
    """Kueue's default keeps them for ever."""
    assert configuration["objectRetentionPolicies"] == {"workloads": {"afterFinished": "168h"}}


@pytest.mark.e2e
def test_the_chart_knows_every_value(values: dict[str, Any]) -> None:
    """Helm takes a misspelt value without a word."""
    known = yaml.safe_load((paths.share("kueue-chart") / "values.yaml").read_text(encoding="utf-8"))

    assert [path for path in _paths(values) if not _has(known, path)] == []


@pytest.mark.e2e
def test_the_manager_has_the_name_that_the_guard_trusts() -> None:
    """Nobody else may lift a gate."""
    template = (paths.share("kueue-chart") / "templates" / "rbac" / "service_account.yaml").read_text(encoding="utf-8")

    assert "-controller-manager'" in template
    assert f"system:serviceaccount:kueue-system:{SERVICE_ACCOUNT}" == USER


def _paths(value: Any, at: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Of every value, down to the chart's leaves: what is a list or text there is free."""
    if not isinstance(value, dict):
        return [at]
    return [path for key, item in value.items() for path in _paths(item, (*at, key))]


def _has(known: Any, path: tuple[str, ...]) -> bool:
    for part in path:
        if not isinstance(known, dict) or part not in known:
            return False
        known = known[part]
    return True
