"""Kueue's webhook registrations, for a manager that runs as a process on this machine."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import yaml

from tools import paths

KEPT = ("pod", "clusterqueue", "resourceflavor", "workload", "cohort")
"""Kinds whose webhooks are registered: the others belong to integrations that are off, and every Job would wait for them."""
SYSTEM_NAMESPACES = ["kube-system", "kueue-system"]


def registrations(port: int, certificate_authority: Path) -> list[dict[str, Any]]:
    """Both webhook configurations, with a URL on this machine in place of the Service of a Deployment."""
    documents = yaml.safe_load_all((paths.share("kueue-webhooks") / "manifests.yaml").read_text())
    bundle = base64.b64encode(certificate_authority.read_bytes()).decode()
    return [_registration(document, port, bundle) for document in documents]


def _registration(document: dict[str, Any], port: int, bundle: str) -> dict[str, Any]:
    kept = [_local(webhook, port, bundle) for webhook in document["webhooks"] if _kind(webhook) in KEPT]
    return document | {"metadata": {"name": f"kueue-{document['metadata']['name']}"}, "webhooks": kept}


def _kind(webhook: dict[str, Any]) -> str:
    """Kind that a webhook is for: its name is "m" or "v", the kind, and ".kb.io"."""
    return str(webhook["name"]).removesuffix(".kb.io")[1:]


def _local(webhook: dict[str, Any], port: int, bundle: str) -> dict[str, Any]:
    url = f"https://127.0.0.1:{port}{webhook['clientConfig']['service']['path']}"
    local = webhook | {"clientConfig": {"url": url, "caBundle": bundle}}
    if _kind(webhook) == "pod":
        outside = {"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": SYSTEM_NAMESPACES}
        local["namespaceSelector"] = {"matchExpressions": [outside]}
    return local
