"""Namespace of SkyPilot's pods, with the label that Kueue's managedJobsNamespaceSelector selects on."""

from kueue.objects import Manifest
from skyfleet.model import Fleet

NAME_LABEL = "kubernetes.io/metadata.name"
TENANT_LABEL = "skyfleet.dev/tenant"


def namespace(fleet: Fleet) -> Manifest:
    metadata = {"name": fleet.organization.namespace, "labels": {TENANT_LABEL: "true"}}
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}
