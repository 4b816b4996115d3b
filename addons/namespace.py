"""The namespace of the fleet's own work."""

from addons.objects import SYSTEM_NAMESPACE, Manifest, manifest_object


def namespace() -> Manifest:
    return manifest_object("v1", "Namespace", SYSTEM_NAMESPACE)
