"""What a workload asks for under a definition, and which can never start."""

from pathlib import Path
from typing import Any

import pytest

from tests import toy
from tests.whatif import lists
from whatif.demand import NoPlaceError, place
from whatif.workload import Workload


def test_a_workload_asks_for_its_share_of_the_nodes(tmp_path: Path) -> None:
    """Half of a node's accelerators with half of its cpu and memory, on the pool's nodes, past its taint, at its priority."""
    demand = place(lists.workload("2xH200:4", priority="high", line=7), toy.fleet(tmp_path))

    spec = demand.manifest["spec"]
    (pods,) = spec["podSets"]
    assert demand.pool == "h200"
    assert demand.manifest["metadata"] == {"name": "line-7", "namespace": "skyfleet"}
    assert (spec["queueName"], spec["priority"], spec["priorityClassRef"]["name"]) == ("ants", 1000, "high")
    assert pods["count"] == 2
    pod = pods["template"]["spec"]
    assert pod["containers"][0]["resources"]["requests"] == {"cpu": "63", "memory": "780Gi", "nvidia.com/gpu": "4"}
    assert pod["nodeSelector"]["skyfleet.dev/pool"] == "h200"
    assert pod["tolerations"] == [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}]


def test_cores_are_asked_for_as_they_are_written(tmp_path: Path) -> None:
    """With their share of memory, and without an accelerator."""
    demand = place(lists.workload("1xcpu:4", cluster="central"), toy.fleet(tmp_path))

    requests = demand.manifest["spec"]["podSets"][0]["template"]["spec"]["containers"][0]["resources"]["requests"]
    assert (demand.pool, requests) == ("cpu", {"cpu": "4", "memory": "14Gi"})


@pytest.mark.parametrize(
    ("workload", "changes", "reason"),
    [
        (lists.workload(), {"clusters.north": toy.GONE}, "there is no cluster north"),
        (lists.workload(team="bees", cluster="central"), {}, "team bees has no queue on central"),
        (lists.workload(priority="urgent"), {}, "there is no priority urgent"),
        (lists.workload("1xL4:1"), {}, "north has no L4"),
        (lists.workload("1xH200:9"), {}, "no node of north has 9 H200"),
        (lists.workload("5xH200:8"), {}, "5xH200:8 is more than the 32 H200 of north"),
    ],
)
def test_what_can_never_start_has_no_place(
    tmp_path: Path, workload: Workload, changes: dict[str, Any], reason: str
) -> None:
    """It is told at once, and nobody waits for it."""
    fleet = toy.loaded(tmp_path, changes).fleet
    assert fleet is not None

    with pytest.raises(NoPlaceError, match=f"^{reason}$"):
        place(workload, fleet)
