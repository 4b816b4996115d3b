"""Graphs of the shipped stacks, captured once, and what of a graph is worth reading."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from infra.graph import Graph, Resource
from tests.infra.recorder import GKE, NEBIUS
from tools import paths

STACKS = {"nebius": NEBIUS, "gke": GKE}
GOLDEN = Path(__file__).parent / "golden"
BLESS = "python -m tests.infra.bless"


@cache
def _recorded() -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.infra.recorder"]
    done = subprocess.run(command, cwd=paths.REPOSITORY, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@cache
def graph(name: str) -> Graph:
    """A recorded graph, by the name that the recorder gives it."""
    recorded = _recorded()[name]
    return Graph(tuple(Resource(**resource) for resource in recorded["resources"]), recorded["outputs"])


def rendered(stack: str) -> str:
    """Cloud resources, providers and the chart. The objects in the cluster are the committed manifests, which are compared elsewhere."""
    captured = graph(stack)
    document = {
        "resources": {resource.key: _shown(resource) for resource in captured.resources if not _is_object(resource)},
        "outputs": captured.outputs,
    }
    return yaml.safe_dump(document, sort_keys=False, width=120)


def golden(stack: str) -> Path:
    return GOLDEN / f"{stack}.yaml"


def _shown(resource: Resource) -> dict[str, Any]:
    """Its values are a committed file too."""
    inputs = {name: value for name, value in resource.inputs.items() if name != "values"}
    options = {name: value for name, value in resource.options.items() if name != "inputsFrom"}
    return {"inputs": inputs, "options": options}


def _is_object(resource: Resource) -> bool:
    return resource.type.startswith("kubernetes:") and not resource.type.endswith(":Release")
