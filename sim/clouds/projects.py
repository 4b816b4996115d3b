"""Projects that the simulated clouds know, each with its quotas: data in the simulation's folder, which a test may lower."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

import yaml

from sim.clouds.errors import Refused
from sim.machines import Project
from sim.state import State

Quotas = Mapping[str, int]


def write(state: State, projects: Sequence[Project]) -> None:
    """Make them known. Quotas of those that are known already stay."""
    known = _read(state)
    usual = yaml.safe_load(resources.files("sim").joinpath("data/quotas.yaml").read_text(encoding="utf-8"))
    entries = {
        project.name: {
            "cloud": project.cloud,
            "region": project.region,
            "quotas": known.get(project.name, {}).get("quotas", usual[project.cloud]),
        }
        for project in projects
    }
    _write(state, entries)


def find(state: State, cloud: str, name: str) -> Project:
    """Raises Refused for one that the cloud does not know."""
    entry = _read(state).get(name)
    if entry is None or entry["cloud"] != cloud:
        raise Refused("not-found", f"project {name} does not exist, or these credentials may not use it")
    return Project(entry["cloud"], name, entry["region"])


def quotas(state: State, name: str) -> Quotas:
    return _read(state)[name]["quotas"]


def set_quota(state: State, project: str, quota: str, limit: int) -> None:
    """As the provider's support does on request."""
    entries = _read(state)
    entries[project]["quotas"][quota] = limit
    _write(state, entries)


def _read(state: State) -> dict[str, Any]:
    path = state.clouds / "projects.json"
    return json.loads(path.read_text()) if path.exists() else {}


def _write(state: State, entries: dict[str, Any]) -> None:
    state.clouds.mkdir(parents=True, exist_ok=True)
    (state.clouds / "projects.json").write_text(json.dumps(entries, indent=2) + "\n")
