"""What all objects have in common."""

from typing import Any

Manifest = dict[str, Any]

SYSTEM_NAMESPACE = "skyfleet-system"
"""Of the fleet's own work on a cluster, where no task runs."""


def manifest_object(
    api_version: str,
    kind: str,
    name: str,
    *,
    namespace: str | None = None,
    annotations: dict[str, str] | None = None,
    **body: Any,
) -> Manifest:
    metadata: Manifest = {"name": name}
    if namespace is not None:
        metadata["namespace"] = namespace
    if annotations:
        metadata["annotations"] = annotations
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **body}
