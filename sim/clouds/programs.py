"""The programs by which a simulation takes the clouds' places: Pulumi's plugins and the kubeconfigs' credential plugins."""

from __future__ import annotations

import json
import shlex
import sys
from importlib import resources
from pathlib import Path
from typing import Any

from sim import processes
from sim.state import State

PART = "clouds"
SDKS = {"gcp": "pulumi_gcp", "nebius": "pulumi_nebius"}
"""Cloud -> the package that says which plugin speaks for it."""
CREDENTIAL = "credential"
CREDENTIAL_PLUGINS = (CREDENTIAL, "gke-gcloud-auth-plugin")


def install(state: State) -> None:
    for cloud, package in SDKS.items():
        plugin = json.loads(resources.files(package).joinpath("pulumi-plugin.json").read_text(encoding="utf-8"))
        _write(_place(state, plugin), _plugin(state, cloud, plugin["version"]))
    source = resources.files("sim").joinpath("data/bin/credential").read_text(encoding="utf-8")
    for name in CREDENTIAL_PLUGINS:
        _write(state.bin / name, f"#!{sys.executable} -IS\n{source}")
    _write(state.bin / "nebius", _nebius(state))


def _nebius(state: State) -> str:
    """The CLI: what kubectl asks it for must come fast, what else it lists may take a second."""
    listing = shlex.join([sys.executable, "-m", "sim.clouds.nebius_cli", str(state.root)])
    credential = shlex.quote(str(state.bin / CREDENTIAL))
    return f'#!/bin/sh\ncase "$*" in *get-token*) exec {credential} ;; esac\nexec {listing} "$@"\n'


def _place(state: State, plugin: dict[str, Any]) -> Path:
    name, version = plugin["name"], plugin["version"]
    return state.pulumi_home / "plugins" / f"resource-{name}-v{version}" / f"pulumi-resource-{name}"


def _plugin(state: State, cloud: str, version: str) -> str:
    """Marked as ours, since what it does for a cloud may outlast the engine that asked for it."""
    marks = [f"{name}={value}" for name, value in processes.marks(state, PART).items()]
    command = ["env", *marks, sys.executable, "-m", "sim.clouds.plugin", cloud, version, str(state.root)]
    return f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n'


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
