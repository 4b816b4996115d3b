"""Workload objects as Kueue's pod integration would make them."""

from pathlib import Path
from typing import Any

import pytest

from tests import toy
from whatif.objects import CannotRun, workload_object
from whatif.workload import Workload


def made(tmp_path: Path, **changes: Any) -> dict[str, Any]:
    fleet = toy.fleet(tmp_path)
    wanted: dict[str, Any] = {"priority": "low", "accelerator": "H200", "per_node": 8, "nodes": 2} | changes
    workload = Workload(arrival_minutes=0.0, cluster="north", team="ants", duration_minutes=1.0, **wanted)
    return workload_object(fleet, fleet.clusters["north"], "w", workload)


def test_a_gang_asks_for_whole_nodes(tmp_path: Path) -> None:
    """Accelerators with their share of cpu and memory, and the toleration that SkyPilot adds."""
    spec = made(tmp_path)["spec"]
    pods = spec["podSets"][0]
    requests = pods["template"]["spec"]["containers"][0]["resources"]["requests"]

    assert (spec["queueName"], spec["priority"], pods["count"]) == ("ants", 100, 2)
    assert requests == {"cpu": "127", "memory": "1560Gi", "nvidia.com/gpu": "8"}
    assert pods["template"]["spec"]["tolerations"] == [
        {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}
    ]


def test_work_without_accelerator_asks_for_cores(tmp_path: Path) -> None:
    """With their share of the node's memory, and without the toleration."""
    template = made(tmp_path, accelerator="cpu", per_node=4, nodes=1)["spec"]["podSets"][0]["template"]["spec"]

    assert set(template["containers"][0]["resources"]["requests"]) == {"cpu", "memory"}
    assert "tolerations" not in template


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"accelerator": "L4"}, "north has no L4"),
        ({"per_node": 16}, "a node of north has 8 H200"),
        ({"priority": "urgent"}, "priority urgent is not in the definition"),
    ],
)
def test_what_no_node_could_run_is_not_submitted(changes: dict[str, Any], said: str, tmp_path: Path) -> None:
    """It is told in the report in place of waiting for ever."""
    with pytest.raises(CannotRun, match=said):
        made(tmp_path, **changes)
