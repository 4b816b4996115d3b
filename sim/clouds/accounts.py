"""What a simulation of the clouds needs before `pulumi up`: known projects, the clouds' programs, and stacks that find the chart."""

from __future__ import annotations

from collections.abc import Mapping

import yaml

from sim.clouds import programs, projects
from sim.clouds.ledger import Ledger
from sim.machines import Project
from sim.state import State
from tools import paths


def prepare(state: State, clusters: Mapping[str, Project]) -> None:
    """`clusters` is name of a cluster -> the project that it is to be made in."""
    projects.write(state, list(clusters.values()))
    programs.install(state)
    for name in clusters:
        _write_stack_config(state, name)


def forget(state: State, cluster: str) -> list[str]:
    """Empty the project that a cluster is in; names of its clusters."""
    gone: list[str] = []
    for cloud in programs.SDKS:
        with Ledger(state, cloud).open() as records:
            home = {one.project for one in records.values() if one.type.endswith("Cluster") and one.name == cluster}
            for record in [one for one in records.values() if one.project in home]:
                gone.append(record.name)
                del records[record.id]
    return gone


def _write_stack_config(state: State, cluster: str) -> None:
    """The chart from here instead of from a registry; what Pulumi wrote into the file itself stays."""
    path = state.stack_config(cluster)
    path.parent.mkdir(parents=True, exist_ok=True)
    document = yaml.safe_load(path.read_text()) if path.exists() else {}
    config = document.get("config", {}) | {"skyfleet:kueueChart": str(paths.share("kueue-chart"))}
    config.pop("skyfleet:kubeconfig", None)
    path.write_text(yaml.safe_dump(document | {"config": config}))
