"""A bound on SkyPilot's own controllers, which wait in no queue: the guard keeps each small, this keeps them few."""

from addons.objects import Manifest, manifest_object
from skyfleet.model import Fleet

AT_ONCE = 8
"""One for managed jobs and one for services of each SkyPilot server, and room for their successors."""


def controllers(fleet: Fleet) -> Manifest:
    """Known by having no priority class: tasks must have one."""
    without_class = {"scopeName": "PriorityClass", "operator": "DoesNotExist"}
    return manifest_object(
        "v1",
        "ResourceQuota",
        "controllers",
        namespace=fleet.organization.namespace,
        spec={"hard": {"pods": str(AT_ONCE)}, "scopeSelector": {"matchExpressions": [without_class]}},
    )
