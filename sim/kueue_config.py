"""Configuration of the Kueue manager beside a simulated cluster."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from tools import paths


def configuration(*, webhook_port: int, health_port: int, certificates: Path) -> dict[str, Any]:
    """Kueue's Configuration v1beta2: what our clusters run with, and what a process outside a cluster needs."""
    return _shipped() | process(webhook_port=webhook_port, health_port=health_port, certificates=certificates)


def _shipped() -> dict[str, Any]:
    """What the committed values of the chart say, so that what is tested is what is installed."""
    values = yaml.safe_load((paths.REPOSITORY / "kueue" / "chart-values.yaml").read_text(encoding="utf-8"))
    return yaml.safe_load(values["managerConfig"]["controllerManagerConfigYaml"])


def process(*, webhook_port: int, health_port: int, certificates: Path) -> dict[str, Any]:
    """What a process outside a cluster needs that has its certificate from us."""
    return beside(webhook_port, health_port, certificates) | {"internalCertManagement": {"enable": False}}


def beside(webhook_port: int, health_port: int, certificates: Path) -> dict[str, Any]:
    """What any process outside a cluster needs."""
    return {
        "namespace": "kueue-system",
        "health": {"healthProbeBindAddress": f"127.0.0.1:{health_port}"},
        "metrics": {"bindAddress": "0"},
        "webhook": {"host": "127.0.0.1", "port": webhook_port, "certDir": str(certificates)},
        "leaderElection": {"leaderElect": False},
        # Its server reads a key from a path at the root of the file system, and ends the manager without it.
        "featureGates": {"VisibilityOnDemand": False},
    }
