"""What all Kueue objects have in common."""

from typing import Any

API_VERSION = "kueue.x-k8s.io/v1beta2"
"""v1beta1 stops being served in Kueue 0.20."""

Manifest = dict[str, Any]


def kueue_object(kind: str, name: str, *, namespace: str | None = None, **body: Any) -> Manifest:
    metadata = {"name": name} if namespace is None else {"name": name, "namespace": namespace}
    return {"apiVersion": API_VERSION, "kind": kind, "metadata": metadata, **body}
