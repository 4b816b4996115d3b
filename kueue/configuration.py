"""Kueue's own configuration (config.kueue.x-k8s.io/v1beta2): what holds wherever the manager runs."""

from kueue.namespace import TENANT_LABEL
from kueue.objects import Manifest
from skyfleet.model import Fleet


def configuration(fleet: Fleet) -> Manifest:
    queueing = fleet.organization.queueing
    return {
        "apiVersion": "config.kueue.x-k8s.io/v1beta2",
        "kind": "Configuration",
        "namespace": "kueue-system",
        "integrations": {"frameworks": ["pod"]},
        "managedJobsNamespaceSelector": {"matchLabels": {TENANT_LABEL: "true"}},
        "fairSharing": {"preemptionStrategies": ["LessThanOrEqualToFinalShare", "LessThanInitialShare"]},
        # stated, since without it Kueue 0.19 evicts after 30 minutes, which deletes SkyPilot's pods (kubernetes-sigs/kueue#11855)
        "waitForPodsReady": {"timeout": f"{queueing.pods_ready_timeout_minutes}m", "recoveryTimeout": "0s"},
        "resources": {"excludeResourcePrefixes": list(queueing.exclude_resource_prefixes)},
    }
