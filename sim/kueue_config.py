"""Configuration of the Kueue manager beside a simulated cluster."""

from __future__ import annotations

from pathlib import Path
from typing import Any

TENANT = {"matchLabels": {"skyfleet.dev/tenant": "true"}}
"""Namespaces in which Kueue manages pods."""


def configuration(*, webhook_port: int, health_port: int, certificates: Path) -> dict[str, Any]:
    """Kueue's Configuration v1beta2: what our clusters run with, and what a process outside a cluster needs."""
    return _policy() | _process(webhook_port, health_port, certificates)


def _policy() -> dict[str, Any]:
    return {
        "apiVersion": "config.kueue.x-k8s.io/v1beta2",
        "kind": "Configuration",
        "integrations": {"frameworks": ["pod"]},  # SkyPilot creates plain pods
        "managedJobsNamespaceSelector": TENANT,
        "fairSharing": {"preemptionStrategies": ["LessThanOrEqualToFinalShare", "LessThanInitialShare"]},
        # On by default since 0.19, with a timeout too short for images of 10 GiB and more.
        "waitForPodsReady": {"timeout": "1h", "recoveryTimeout": "0s"},
        "resources": {"excludeResourcePrefixes": ["ephemeral-storage"]},
    }


def _process(webhook_port: int, health_port: int, certificates: Path) -> dict[str, Any]:
    return {
        "namespace": "kueue-system",
        "health": {"healthProbeBindAddress": f"127.0.0.1:{health_port}"},
        "metrics": {"bindAddress": "0"},
        "webhook": {"host": "127.0.0.1", "port": webhook_port, "certDir": str(certificates)},
        "leaderElection": {"leaderElect": False},
        "internalCertManagement": {"enable": False},
        # Its server reads a key from a path at the root of the file system, and ends the manager without it.
        "featureGates": {"VisibilityOnDemand": False},
    }
