"""Resource graphs of both definitions: the Pulumi program is run under a recording monitor, in a process of its own.

This room imports no pulumi. The program is this installation's, so that what differs is the definition alone, unless each side's own is asked for.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from kueue.chart_values import chart_values
from skyfleet.model import Fleet
from skyfleet.preview.plain import plain

Run = Callable[[list[str]], list[dict[str, Any]]]

TIMEOUT_SECONDS = 300
ROOMS = ("kueue", "addons")
"""Their manifests are compared as objects, so the program gets empty ones."""


@dataclass(frozen=True)
class Resource:
    type: str
    name: str
    inputs: Mapping[str, Any]
    provider: str | None = None
    protect: bool = False
    retained: bool = False
    inputs_from: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Input to the keys of the resources whose outputs it holds."""
    ignored: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        return f"{self.type}::{self.name}"


@dataclass(frozen=True)
class Graph:
    resources: Mapping[str, Resource] = field(default_factory=dict[str, Resource])
    error: str | None = None
    """Why there is none."""


def in_a_process(arguments: list[str]) -> list[dict[str, Any]]:
    """What this installation's `infra.graph` says to arguments such as ROOT:CLUSTER,CLUSTER."""
    # -P: the folder in which somebody stands may be a stranger's checkout, with an infra of its own
    return _run([sys.executable, "-P", "-m", "infra.graph"], arguments)


def of_programs(programs: Mapping[str, Path]) -> Run:
    """Each side by the program of its own repository: code of the change is run, by people who trust it."""

    def run(arguments: list[str]) -> list[dict[str, Any]]:
        answers: list[dict[str, Any]] = []
        for argument in arguments:
            root = programs[Path(argument.rpartition(":")[0]).name]
            answers += _run([sys.executable, "-m", "infra.graph"], [argument], cwd=root)
        return answers

    return run


def _run(command: list[str], arguments: list[str], cwd: Path | None = None) -> list[dict[str, Any]]:
    own = {"PYTHONPATH": f"{cwd}{os.pathsep}{cwd / 'policy'}"} if cwd else {}
    try:
        done = subprocess.run(
            [*command, *arguments],
            capture_output=True,
            check=False,
            text=True,
            timeout=TIMEOUT_SECONDS,
            cwd=cwd,
            env={**os.environ, **own},
        )
    except subprocess.TimeoutExpired:
        return _failed(arguments, f"the program took longer than {TIMEOUT_SECONDS} s")
    if done.returncode:
        reason = done.stderr.strip().splitlines() or ["no message"]
        return _failed(arguments, f"the program could not be run: {reason[-1]}")
    return json.loads(done.stdout)


def capture(fleets: Mapping[str, tuple[Fleet, Iterable[str]]], run: Run = in_a_process) -> dict[str, dict[str, Graph]]:
    """Graphs by side and cluster; `fleets` names the clusters that are wanted of each side."""
    with TemporaryDirectory(prefix="skyfleet-preview-") as folder:
        wanted: dict[str, Path] = {}
        arguments: list[str] = []
        for side, (fleet, clusters) in fleets.items():
            names = sorted(clusters)
            if names:
                wanted[side] = _lay_out(Path(folder) / side, fleet, names)
                arguments.append(f"{wanted[side]}:{','.join(names)}")
        answers = run(arguments) if arguments else []
    return {side: _graphs(answer) for side, answer in zip(wanted, answers, strict=False)} | {
        side: {} for side in fleets if side not in wanted
    }


def _lay_out(root: Path, fleet: Fleet, clusters: list[str]) -> Path:
    """A repository as the program looks for one, with what it needs of the definition."""
    files: dict[str, Any] = {
        "fleet/fleet.yaml": plain(fleet.organization),
        "kueue/chart-values.yaml": chart_values(fleet),
    }
    for name in clusters:
        content = plain(fleet.clusters[name])
        del content["name"]  # it is the file's
        files[f"fleet/clusters/{name}.yaml"] = content
        files |= {f"{room}/manifests/{name}.yaml": None for room in ROOMS}
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("" if content is None else yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    return root


def _failed(arguments: list[str], error: str) -> list[dict[str, Any]]:
    names = (argument.rpartition(":")[2].split(",") for argument in arguments)
    return [{name: {"error": error} for name in each} for each in names]


def _graphs(answer: Mapping[str, Any]) -> dict[str, Graph]:
    return {
        stack: Graph(error=told["error"]) if isinstance(told, dict) else Graph({r.key: r for r in map(_resource, told)})
        for stack, told in answer.items()
    }


def _resource(told: Mapping[str, Any]) -> Resource:
    options = told["options"]
    return Resource(
        type=told["type"],
        name=told["name"],
        inputs=told["inputs"],
        provider=options.get("provider"),
        protect=options.get("protect", False),
        retained=options.get("retainOnDelete", False),
        inputs_from={name: tuple(keys) for name, keys in options.get("inputsFrom", {}).items()},
        ignored=tuple(options.get("ignoreChanges", ())),
    )
