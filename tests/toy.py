"""A toy definition as plain data, written to disk with the changes that a test is about."""

import copy
from datetime import date
from pathlib import Path
from typing import Any

import yaml

from skyfleet.check import check
from skyfleet.finding import Finding
from skyfleet.load import Definition, load
from skyfleet.model import Fleet

TODAY = date(2026, 12, 2)
"""A day after the toy's prices."""

_UNITS = {"cpu": "vcpu-hour", "memory": "gib-hour"}
_PRICES = [
    ("nebius", "eu-north1", "H200"),
    ("nebius", "eu-north1", "cpu"),
    ("nebius", "eu-north1", "memory"),
    ("gke", "us-central1", "L4"),
    ("gke", "us-central1", "cpu"),
    ("gke", "us-central1", "memory"),
]

TOY: dict[str, Any] = {
    "fleet": {
        "organization": "toys",
        "priorities": {"high": 1000, "low": 100},
        "profiles": {
            "dev": {"priority": "high", "max_accelerators": 1, "default_for": ["launch-without-run"]},
            "work": {"priority": "low", "default_for": ["launch", "managed-job", "service"]},
        },
        "routing": {"prefer": ["north"], "cpu": ["central", "north"]},
    },
    "clusters": {
        "north": {
            "provider": "nebius",
            "project": "project-1",
            "region": "eu-north1",
            "kubernetes": "1.34",
            "pools": [
                {
                    "name": "h200",
                    "accelerator": "H200",
                    "platform": "gpu-h200-sxm",
                    "preset": "8gpu-128vcpu-1600gb",
                    "nodes": 4,
                },
                {"name": "cpu", "platform": "cpu-d3", "preset": "16vcpu-64gb", "nodes": 1},
            ],
        },
        "central": {
            "provider": "gke",
            "project": "toys-1",
            "region": "us-central1",
            "kubernetes": "1.34",
            "pools": [
                {"name": "l4", "accelerator": "L4", "machine_type": "g2-standard-24", "nodes": {"min": 0, "max": 2}},
                {"name": "cpu", "machine_type": "e2-standard-16", "nodes": 2},
            ],
        },
    },
    "teams": {
        "ants": {
            "cost_center": "17",
            "members": ["*@ants.example"],
            "quota": {"north": {"H200": 16}, "central": {"L4": 2, "cpu": 8}},
            "priorities": ["high", "low"],
        },
        "bees": {
            "cost_center": "18",
            "members": ["*@bees.example"],
            "quota": {"north": {"H200": 8}},
            "priorities": ["low"],
        },
    },
    "prices": {
        "prices": [
            {
                "provider": provider,
                "region": region,
                "sku": sku,
                "unit": _UNITS.get(sku, "accelerator-hour"),
                "usd": 1,
                "source": "toy",
                "as_of": "2026-12-01",
            }
            for provider, region, sku in _PRICES
        ]
    },
}

GONE = object()
"""The value that removes what stands at a path."""


def write(root: Path, changes: dict[str, Any] | None = None) -> Path:
    """Write the toy with changes such as {"teams.ants.quota.north.H200": 40}; a list index is a number. Returns its folder."""
    toy = copy.deepcopy(TOY)
    for path, value in (changes or {}).items():
        _set(toy, path.split("."), value)
    folder = root / "fleet"
    for name, content in (("fleet", toy["fleet"]), ("prices", toy["prices"])):
        _dump(folder / f"{name}.yaml", content)
    for kind in ("clusters", "teams"):
        for name, content in toy[kind].items():
            _dump(folder / kind / f"{name}.yaml", content)
    return folder


def loaded(root: Path, changes: dict[str, Any] | None = None) -> Definition:
    return load(write(root, changes))


def fleet(root: Path, changes: dict[str, Any] | None = None) -> Fleet:
    """The fleet of a definition without mistakes."""
    definition = loaded(root, changes)
    assert definition.fleet is not None, definition.findings
    assert not definition.findings
    return definition.fleet


def findings(root: Path, changes: dict[str, Any] | None = None) -> list[Finding]:
    return check(loaded(root, changes), TODAY)


def said(root: Path, changes: dict[str, Any] | None = None) -> list[str]:
    """Findings as a reader sees them, with paths from the definition's parent."""
    return [str(finding).removeprefix(f"{root}/") for finding in findings(root, changes)]


def _set(data: Any, path: list[str], value: Any) -> None:
    *parents, last = path
    for part in parents:
        data = data[int(part)] if isinstance(data, list) else data.setdefault(part, {})
    if isinstance(data, list):
        _put(data, int(last), value)
    else:
        _put(data, last, value)


def _put(data: Any, key: int | str, value: Any) -> None:
    if value is GONE:
        del data[key]
    else:
        data[key] = value


def _dump(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
