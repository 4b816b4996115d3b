"""Graphs of the shipped stacks, captured once, and what of a graph is worth reading."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from infra.graph import Graph, Resource, capture
from infra.settings import Settings

STACKS = {"nebius": "nebius-eu-north1", "gke": "gke-us-central1"}
"""Provider -> a stack that makes its cluster there."""
GOLDEN = Path(__file__).parent / "golden"
BLESS = "python -m tests.infra.bless"


@cache
def graph(stack: str) -> Graph:
    return capture(stack, Settings())


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
