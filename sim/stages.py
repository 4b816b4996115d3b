"""How fake nodes and the pods on them behave: kwok's own stages, with ours for the end of a pod."""

from __future__ import annotations

import copy
from importlib import resources
from typing import Any

import yaml

from tools import paths

RUNS_HERE = '.metadata.annotations["charts.kueue.x-k8s.io/config-checksum"]'
"""What the pods of Kueue's chart have, and no others."""
RUNNING = '.metadata.annotations["skyfleet.dev/process"]'

KWOK_STAGES = (
    "node/fast/node-initialize.yaml",
    "node/heartbeat-with-lease/node-heartbeat-with-lease.yaml",
    "pod/fast/pod-ready.yaml",
    "pod/fast/pod-complete.yaml",
)


def documents() -> list[dict[str, Any]]:
    """Every Stage of a simulated cluster; kwok takes these instead of its defaults."""
    folder = paths.share("kwok-stages")
    theirs = {name: yaml.safe_load((folder / name).read_text()) for name in KWOK_STAGES}
    ready = theirs["pod/fast/pod-ready.yaml"]
    ours = resources.files("sim").joinpath("data/stages.yaml").read_text()
    return [*theirs.values(), _when_it_runs(ready), *yaml.safe_load_all(ours)]


def _when_it_runs(ready: dict[str, Any]) -> dict[str, Any]:
    """A stage of its own for pods whose program runs on this machine: they are ready when they are marked so."""
    waiting = copy.deepcopy(ready)
    waiting["metadata"]["name"] = f"{ready['metadata']['name']}-when-it-runs"
    waiting["spec"]["selector"]["matchExpressions"] += [
        {"key": RUNS_HERE, "operator": "Exists"},
        {"key": RUNNING, "operator": "Exists"},
    ]
    ready["spec"]["selector"]["matchExpressions"].append({"key": RUNS_HERE, "operator": "DoesNotExist"})
    return waiting
