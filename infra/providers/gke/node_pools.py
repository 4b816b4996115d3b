"""Node pools: one for each pool of the definition."""

from pulumi_gcp import container, serviceaccount

from infra.site import Site
from skyfleet import nodes
from skyfleet.model import GkePool, catalogue
from skyfleet.model.cloud import gke_facts
from skyfleet.model.cluster import GkeCluster

_EFFECTS = {"NoSchedule": "NO_SCHEDULE", "PreferNoSchedule": "PREFER_NO_SCHEDULE", "NoExecute": "NO_EXECUTE"}
"""Kubernetes' words -> Google's."""


def node_pools(
    site: Site[GkeCluster], cluster: container.Cluster, account: serviceaccount.Account
) -> list[container.NodePool]:
    return [_node_pool(site, pool, cluster, account) for pool in site.cluster.pools]


def _node_pool(
    site: Site[GkeCluster], pool: GkePool, cluster: container.Cluster, account: serviceaccount.Account
) -> container.NodePool:
    """The autoscaler owns the number of nodes; labels and taints that Google adds to GPU nodes are no drift (trap 31)."""
    name = f"{site.cluster.name}-{pool.name}"
    return container.NodePool(
        name,
        name=pool.name,
        cluster=cluster.id,
        location=site.cluster.region,
        node_locations=list(pool.zones) or None,
        autoscaling=_autoscaling(pool),
        management=container.NodePoolManagementArgs(auto_repair=True, auto_upgrade=True),
        upgrade_settings=container.NodePoolUpgradeSettingsArgs(
            strategy="SURGE", max_surge=pool.rollout.max_surge, max_unavailable=pool.rollout.max_unavailable
        ),
        network_config=container.NodePoolNetworkConfigArgs(enable_private_nodes=True),
        node_config=_node_config(site, pool, account),
        opts=site.options(name, deleted_with=cluster, ignore_changes=["initialNodeCount", "nodeCount"]),
    )


def _autoscaling(pool: GkePool) -> container.NodePoolAutoscalingArgs:
    """In total, since the other limits and `node_count` are for each zone. A fixed number is one from which nobody scales."""
    return container.NodePoolAutoscalingArgs(
        total_min_node_count=pool.min_nodes,
        total_max_node_count=pool.max_nodes,
        location_policy="ANY" if pool.accelerator or pool.spot else "BALANCED",
    )


def _node_config(
    site: Site[GkeCluster], pool: GkePool, account: serviceaccount.Account
) -> container.NodePoolNodeConfigArgs:
    return container.NodePoolNodeConfigArgs(
        machine_type=pool.machine_type,
        disk_size_gb=pool.boot_disk_gib,
        disk_type="pd-balanced",
        image_type="COS_CONTAINERD",
        spot=pool.spot,
        reservation_affinity=_reservation(pool),
        guest_accelerators=_accelerators(site, pool),
        labels=nodes.labels(site.cluster, pool),
        resource_labels=site.labels(pool=pool.name),
        taints=_taints(pool),
        service_account=account.email,
        oauth_scopes=[
            "https://www.googleapis.com/auth/cloud-platform"
        ],  # what the account may do is its roles' business
        workload_metadata_config=container.NodePoolNodeConfigWorkloadMetadataConfigArgs(mode="GKE_METADATA"),
        shielded_instance_config=container.NodePoolNodeConfigShieldedInstanceConfigArgs(
            enable_secure_boot=True, enable_integrity_monitoring=True
        ),
        metadata={"disable-legacy-endpoints": "true"},
        gvnic=container.NodePoolNodeConfigGvnicArgs(enabled=True),
        gcfs_config=container.NodePoolNodeConfigGcfsConfigArgs(
            enabled=True
        ),  # image streaming: containers start sooner
        kubelet_config=container.NodePoolNodeConfigKubeletConfigArgs(insecure_kubelet_readonly_port_enabled="FALSE"),
    )


def _accelerators(
    site: Site[GkeCluster], pool: GkePool
) -> list[container.NodePoolNodeConfigGuestAcceleratorArgs] | None:
    """With Google's signed driver: nothing else starts under secure boot."""
    if pool.accelerator is None:
        return None
    machine = catalogue().machine(site.cluster.provider, pool.machine)
    return [
        container.NodePoolNodeConfigGuestAcceleratorArgs(
            type=gke_facts().accelerator_types[pool.accelerator],
            count=machine.accelerators if machine else 1,
            gpu_driver_installation_config=container.NodePoolNodeConfigGuestAcceleratorGpuDriverInstallationConfigArgs(
                gpu_driver_version="LATEST"
            ),
        )
    ]


def _reservation(pool: GkePool) -> container.NodePoolNodeConfigReservationAffinityArgs:
    if pool.reservation is None:
        return container.NodePoolNodeConfigReservationAffinityArgs(consume_reservation_type="NO_RESERVATION")
    return container.NodePoolNodeConfigReservationAffinityArgs(
        consume_reservation_type="SPECIFIC_RESERVATION",
        key="compute.googleapis.com/reservation-name",
        values=[pool.reservation],
    )


def _taints(pool: GkePool) -> list[container.NodePoolNodeConfigTaintArgs]:
    """Stated, although Google adds the same to GPU pools, so that both clouds' nodes are alike."""
    return [
        container.NodePoolNodeConfigTaintArgs(key=taint.key, value=taint.value, effect=_EFFECTS[taint.effect])
        for taint in nodes.taints(pool)
    ]
