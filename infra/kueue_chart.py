"""Kueue from its chart, with the committed values."""

import pulumi
import pulumi_kubernetes as kubernetes
from pulumi_kubernetes.helm.v3 import Release

from infra import repository
from infra.providers import ClusterOutputs
from infra.settings import Settings
from kueue.chart_values import CHART, NAMESPACE, VERSION

TIMEOUT_SECONDS = 600
"""Above the start of the first CPU node."""


def install(cluster: ClusterOutputs, provider: kubernetes.Provider, settings: Settings) -> Release:
    """The types of the queues come with it, so everything else in the cluster waits for it.

    Its caBundles are written by Kueue itself and no part of the release's inputs, so they never show as a change.
    """
    return Release(
        "kueue",
        name="kueue",
        chart=settings.kueue_chart or CHART,
        version=None if settings.kueue_chart else VERSION,
        namespace=NAMESPACE,
        create_namespace=True,
        values=repository.chart_values(),
        timeout=TIMEOUT_SECONDS,
        cleanup_on_fail=True,
        opts=pulumi.ResourceOptions(provider=provider, depends_on=list(cluster.ready), deleted_with=cluster.resource),
    )
