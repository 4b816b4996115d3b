"""Changes of the toy definition, each with the report that a reviewer gets. `python -m tests.preview.bless` accepts new ones."""

import copy
import functools
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skyfleet.preview import graph
from skyfleet.preview.report import Comparison, Report, report
from skyfleet.preview.side import read
from tests import toy
from tests.preview import recorder
from tests.toy import GONE, TOY

BLESS = "python -m tests.preview.bless"
GOLDEN = Path(__file__).with_name("golden")
TASKS = Path(__file__).with_name("tasks")

Changes = dict[str, Any]

COMMON: Changes = {
    "clusters.north.pools.0.infiniband": {"fabric": "fabric-7", "exposure": "device-plugin"},
    "clusters.north.caches": {"size_gib": 1024},
    "clusters.central.caches": {"size_gib": 1024},
}
"""What both sides have beside the toy, so that there is something to change."""

WASPS = {**TOY["teams"]["bees"], "cost_center": "19", "members": ["*@wasps.example"], "quota": {"north": {"H200": 8}}}


@dataclass(frozen=True)
class Case:
    head: Changes
    base: Changes | None = None


CASES: dict[str, Case] = {
    "nothing": Case({}),
    "quota-up": Case({"teams.bees.quota.north.H200": 16}),
    "quota-down": Case({"teams.ants.quota.north.H200": 8}),
    "quota-beyond-capacity": Case({"teams.bees.quota.north.H200": 24}),
    "quota-moved": Case({"teams.ants.quota.north.H200": 8, "teams.bees.quota.north.H200": 16}),
    "team-added": Case({"teams.wasps": WASPS}),
    "team-removed": Case({"teams.bees": GONE}),
    "team-leaves-a-cluster": Case({"teams.ants.quota.central": GONE}),
    "weight-changed": Case({"teams.ants.weight": 3}),
    "pool-grown": Case({"clusters.north.pools.0.nodes": 6}),
    "pool-shrunk": Case({"clusters.north.pools.0.nodes": 3}),
    "pool-autoscaled": Case({"clusters.north.pools.0.nodes": {"min": 1, "max": 4}}),
    "preset-changed": Case({"clusters.north.pools.1.preset": "4vcpu-16gb"}),
    "machine-type-changed": Case({"clusters.central.pools.0.machine_type": "g2-standard-48"}),
    "fabric-changed": Case({"clusters.north.pools.0.infiniband.fabric": "fabric-3"}),
    "accelerator-added": Case({}, base={"clusters.central.pools.0": GONE, "teams.ants.quota.central": {"cpu": 8}}),
    "cluster-removed": Case(
        {"clusters.central": GONE, "teams.ants.quota.central": GONE, "fleet.routing.cpu": ["north"]}
    ),
    "cluster-moves-to-another-project": Case({"clusters.north.project": "project-2"}),
    "kubernetes-upgraded": Case({"clusters.north.kubernetes": "1.34"}, base={"clusters.north.kubernetes": "1.33"}),
    "cache-grown": Case({"clusters.central.caches.size_gib": 2048}),
    "cache-shrunk": Case({"clusters.north.caches.size_gib": 512}),
    "cache-removed": Case({"clusters.north.caches": GONE}),
    "price-changed": Case({"prices.prices.0.usd": 2.5, "prices.prices.0.as_of": "2026-12-02"}),
    "label-key-changed": Case({"fleet.labels": {"team": "squad"}}),
    "namespace-renamed": Case({"fleet.namespace": "toys"}),
    "priority-removed": Case(
        {
            "fleet.priorities.low": GONE,
            "fleet.profiles.work.priority": "high",
            "teams.ants.priorities": ["high"],
            "teams.bees.priorities": ["high"],
        }
    ),
    "names-of-a-stranger": Case(
        {
            "teams.bees.cost_center": "`|@ants <img src=x> [see](https://example.com) **\n# no heading",
            "fleet.routing.prefer": ["@toys/all `x` | <b>"],
        }
    ),
    "head-has-a-broken-file": Case({"clusters.north.colour": "red", "teams.bees.quota.north.H200": 16}),
    "head-is-broken": Case({"fleet.routing": GONE}),
    "base-is-broken": Case({}, base={"fleet.routing": GONE}),
    "base-has-no-definition": Case({}, base={"fleet": GONE}),
}


@functools.cache
def report_of(name: str) -> Report:
    case = CASES[name]
    with tempfile.TemporaryDirectory() as folder:
        base, head = (
            _write(Path(folder) / name, changes) for name, changes in (("base", case.base or {}), ("head", case.head))
        )
        return report(
            Comparison(
                read(base, "fleet", toy.TODAY),
                read(head, "fleet", toy.TODAY),
                "main (123456789)",
                toy.TODAY,
                (TASKS,),
                functools.partial(graph.capture, run=recorder.ask),
            )
        )


def _write(root: Path, changes: Changes) -> Path:
    if changes == {"fleet": GONE}:
        return root / "fleet"
    gone = [path for path, value in changes.items() if value is GONE]
    common = {
        path: value for path, value in COMMON.items() if not any(f"{path}.".startswith(f"{each}.") for each in gone)
    }
    return toy.write(
        root,
        {
            **copy.deepcopy(common),
            **{path: value for path, value in changes.items() if path not in COMMON or value is not GONE},
        },
    )
