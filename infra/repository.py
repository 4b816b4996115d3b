"""Where the definition and the committed manifests are: this repository."""

from pathlib import Path
from typing import Any

import pulumi
import yaml

from skyfleet.load import load
from skyfleet.model import Cluster, Fleet

ROOT = Path(__file__).resolve().parent.parent


class NotInDefinition(pulumi.RunError):
    """A stack whose cluster has no file, or a file that cannot be used. Pulumi prints a RunError without a traceback."""


def fleet() -> Fleet:
    """The definition, if it can be used.

    Raises:
        NotInDefinition: with every finding.
    """
    definition = load(ROOT / "fleet")
    if definition.fleet is None or definition.findings:
        findings = "\n".join(str(finding) for finding in definition.findings)
        raise NotInDefinition(f"the definition cannot be used:\n{findings}")
    return definition.fleet


def cluster(name: str) -> Cluster:
    clusters = fleet().clusters
    if name not in clusters:
        known = ", ".join(clusters)
        raise NotInDefinition(f"stack '{name}' is no cluster of the definition; stacks are named as clusters: {known}")
    return clusters[name]


def manifests(name: str) -> list[dict[str, Any]]:
    """The committed objects of a cluster: what was reviewed is what runs.

    Raises:
        NotInDefinition: one was never generated.
    """
    return [
        document
        for room in ("kueue", "addons")
        for document in yaml.safe_load_all(_generated(f"{room}/manifests/{name}.yaml"))
    ]


def chart_values() -> dict[str, Any]:
    """The committed values of Kueue's chart.

    Raises:
        NotInDefinition: they were never generated.
    """
    return yaml.safe_load(_generated("kueue/chart-values.yaml"))


def _generated(path: str) -> str:
    if not (ROOT / path).is_file():
        raise NotInDefinition(f"{path} is missing; run `make generate` and commit it")
    return (ROOT / path).read_text(encoding="utf-8")
