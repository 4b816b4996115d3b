"""Node groups: one for each pool."""

from collections.abc import Mapping

import pulumi_nebius as nebius

from infra.providers.nebius import filesystem
from infra.site import Site
from skyfleet import nodes
from skyfleet.model import NebiusPool
from skyfleet.model.cloud import nebius_facts
from skyfleet.model.cluster import NebiusCluster
from skyfleet.volumes import Filesystem

Filesystems = Mapping[Filesystem, nebius.ComputeV1Filesystem]

_EFFECTS = {"NoSchedule": "NO_SCHEDULE", "PreferNoSchedule": "PREFER_NO_SCHEDULE", "NoExecute": "NO_EXECUTE"}
"""Kubernetes' words -> Nebius'."""


def node_groups(
    site: Site[NebiusCluster],
    cluster: nebius.Mk8sV1Cluster,
    account: nebius.IamV1ServiceAccount,
    filesystems: Filesystems,
) -> list[nebius.Mk8sV1NodeGroup]:
    return [_node_group(site, pool, cluster, account, filesystems) for pool in site.cluster.pools]


def _node_group(
    site: Site[NebiusCluster],
    pool: NebiusPool,
    cluster: nebius.Mk8sV1Cluster,
    account: nebius.IamV1ServiceAccount,
    filesystems: Filesystems,
) -> nebius.Mk8sV1NodeGroup:
    name = f"{site.cluster.name}-{pool.name}"
    return nebius.Mk8sV1NodeGroup(
        name,
        name=pool.name,
        parent_id=cluster.id,
        version=site.cluster.kubernetes,
        fixed_node_count=pool.nodes if isinstance(pool.nodes, int) else None,
        autoscaling=_autoscaling(pool),
        template=nebius.Mk8sV1NodeGroupTemplateArgs(
            resources=nebius.Mk8sV1NodeGroupTemplateResourcesArgs(platform=pool.platform, preset=pool.preset),
            boot_disk=nebius.Mk8sV1NodeGroupTemplateBootDiskArgs(type="NETWORK_SSD", size_gibibytes=pool.boot_disk_gib),
            gpu_cluster=_gpu_cluster(site, pool),
            gpu_settings=_drivers(site, pool),
            filesystems=filesystem.mounts(dict(filesystems)) or None,
            cloud_init_user_data=filesystem.cloud_init(tuple(filesystems)),
            service_account_id=account.id,
            taints=_taints(pool),
            metadata=nebius.Mk8sV1NodeGroupTemplateMetadataArgs(labels=_kubernetes_labels(site, pool)),
            instance_metadata=nebius.Mk8sV1NodeGroupTemplateInstanceMetadataArgs(labels=site.labels(pool=pool.name)),
            preemptible=nebius.Mk8sV1NodeGroupTemplatePreemptibleArgs() if pool.spot else None,
            reservation_policy=_reservation(pool),
        ),
        strategy=_strategy(pool),
        auto_repair=_auto_repair(),
        labels=site.labels(pool=pool.name),
        opts=site.options(name),
    )


def _autoscaling(pool: NebiusPool) -> nebius.Mk8sV1NodeGroupAutoscalingArgs | None:
    if isinstance(pool.nodes, int):
        return None
    return nebius.Mk8sV1NodeGroupAutoscalingArgs(min_node_count=pool.nodes.min, max_node_count=pool.nodes.max)


def _gpu_cluster(site: Site[NebiusCluster], pool: NebiusPool) -> nebius.Mk8sV1NodeGroupTemplateGpuClusterArgs | None:
    """Nodes of one GPU cluster are on one InfiniBand fabric, cut off from those of others."""
    if pool.infiniband is None:
        return None
    name = f"{site.cluster.name}-{pool.name}"
    made = nebius.ComputeV1GpuCluster(
        name,
        name=name,
        parent_id=site.cluster.project,
        infiniband_fabric=pool.infiniband.fabric,
        labels=site.labels(pool=pool.name),
        opts=site.options(name, protect=True),
    )
    return nebius.Mk8sV1NodeGroupTemplateGpuClusterArgs(id=made.id)


def _drivers(site: Site[NebiusCluster], pool: NebiusPool) -> nebius.Mk8sV1NodeGroupTemplateGpuSettingsArgs | None:
    """With a preset the node image owns driver, container toolkit and device plugin: no GPU operator beside it (clouds.md 1.7)."""
    if pool.accelerator is None:
        return None
    preset = pool.drivers or nebius_facts().drivers[site.cluster.kubernetes]
    return nebius.Mk8sV1NodeGroupTemplateGpuSettingsArgs(drivers_preset=preset)


def _taints(pool: NebiusPool) -> list[nebius.Mk8sV1NodeGroupTemplateTaintArgs] | None:
    taints = [
        nebius.Mk8sV1NodeGroupTemplateTaintArgs(key=taint.key, value=taint.value, effect=_EFFECTS[taint.effect])
        for taint in nodes.taints(pool)
    ]
    return taints or None


def _kubernetes_labels(site: Site[NebiusCluster], pool: NebiusPool) -> dict[str, str]:
    """Ours only: nebius.com/gpu-name comes with the node."""
    return {key: value for key, value in nodes.labels(site.cluster, pool).items() if not key.startswith("nebius.com/")}


def _reservation(pool: NebiusPool) -> nebius.Mk8sV1NodeGroupTemplateReservationPolicyArgs | None:
    """Reserved nodes come from their reservation or not at all; others do not eat into one."""
    if pool.spot or pool.accelerator is None:
        return None
    policy = "STRICT" if pool.reservations else "FORBID"
    return nebius.Mk8sV1NodeGroupTemplateReservationPolicyArgs(
        policy=policy, reservation_ids=list(pool.reservations) or None
    )


def _strategy(pool: NebiusPool) -> nebius.Mk8sV1NodeGroupStrategyArgs:
    """All three stated, since Nebius changed its defaults in 2026 (clouds.md 1.2)."""
    rollout = pool.rollout
    return nebius.Mk8sV1NodeGroupStrategyArgs(
        max_surge=nebius.Mk8sV1NodeGroupStrategyMaxSurgeArgs(count=rollout.max_surge),
        max_unavailable=nebius.Mk8sV1NodeGroupStrategyMaxUnavailableArgs(count=rollout.max_unavailable),
        drain_timeout=f"{rollout.drain_timeout_minutes}m",
    )


def _auto_repair() -> nebius.Mk8sV1NodeGroupAutoRepairArgs:
    return nebius.Mk8sV1NodeGroupAutoRepairArgs(
        conditions=[
            nebius.Mk8sV1NodeGroupAutoRepairConditionArgs(
                type=condition.type, status=condition.status, timeout=condition.timeout
            )
            for condition in nebius_facts().repair
        ]
    )
