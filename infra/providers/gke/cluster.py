"""The control plane, with the safe defaults of clouds.md 2.4."""

from pulumi_gcp import container

from infra.providers.gke.network import PODS, SERVICES, Wires
from infra.site import Site
from skyfleet.model.cloud import gke_facts
from skyfleet.model.cluster import GkeCluster


def cluster(site: Site[GkeCluster], wires: Wires) -> container.Cluster:
    """Node pools are resources of their own: an inline one would make the cluster anew when it changes."""
    definition = site.cluster
    return container.Cluster(
        definition.name,
        name=definition.name,
        location=definition.region,
        resource_labels=site.labels(),
        deletion_protection=site.settings.protect,
        # the default pool, which nothing uses
        remove_default_node_pool=True,
        initial_node_count=1,
        # versions
        min_master_version=definition.kubernetes,
        release_channel=container.ClusterReleaseChannelArgs(channel=definition.release_channel),
        maintenance_policy=_maintenance(definition),
        # who reaches it
        network=wires.network.id,
        subnetwork=wires.subnet.id,
        networking_mode="VPC_NATIVE",
        datapath_provider="ADVANCED_DATAPATH",
        ip_allocation_policy=container.ClusterIpAllocationPolicyArgs(
            cluster_secondary_range_name=PODS, services_secondary_range_name=SERVICES
        ),
        private_cluster_config=_private(definition),
        master_authorized_networks_config=_authorized_networks(definition),
        # as whom
        workload_identity_config=container.ClusterWorkloadIdentityConfigArgs(
            workload_pool=f"{definition.project}.svc.id.goog"
        ),
        enable_legacy_abac=False,
        rbac_binding_config=container.ClusterRbacBindingConfigArgs(
            enable_insecure_binding_system_authenticated=False,
            enable_insecure_binding_system_unauthenticated=False,
        ),
        anonymous_authentication_config=container.ClusterAnonymousAuthenticationConfigArgs(mode="LIMITED"),
        master_auth=_no_client_certificate(),
        # nodes
        enable_shielded_nodes=True,
        node_pool_auto_config=_no_read_only_port(),
        security_posture_config=container.ClusterSecurityPostureConfigArgs(mode="BASIC"),
        cluster_autoscaling=_autoscaling(),
        addons_config=_addons(),
        # what it costs and how it is
        cost_management_config=container.ClusterCostManagementConfigArgs(enabled=True),
        logging_config=container.ClusterLoggingConfigArgs(enable_components=list(gke_facts().logging)),
        monitoring_config=_monitoring(),
        # node_config belongs to the default pool, which is removed; the provider reads it from the other pools
        opts=site.options(definition.name, protect=True, ignore_changes=["nodeConfig", "initialNodeCount"]),
    )


def _maintenance(definition: GkeCluster) -> container.ClusterMaintenancePolicyArgs:
    window = definition.maintenance
    return container.ClusterMaintenancePolicyArgs(
        recurring_window=container.ClusterMaintenancePolicyRecurringWindowArgs(
            start_time=window.start, end_time=window.end, recurrence=window.recurrence
        )
    )


def _private(definition: GkeCluster) -> container.ClusterPrivateClusterConfigArgs:
    """Nodes always; the control plane unless networks are named that may reach it."""
    return container.ClusterPrivateClusterConfigArgs(
        enable_private_nodes=True,
        enable_private_endpoint=not definition.endpoint.allowed_cidrs,
        master_ipv4_cidr_block=definition.network.control_plane_cidr,
    )


def _authorized_networks(definition: GkeCluster) -> container.ClusterMasterAuthorizedNetworksConfigArgs:
    return container.ClusterMasterAuthorizedNetworksConfigArgs(
        gcp_public_cidrs_access_enabled=False,
        cidr_blocks=[
            container.ClusterMasterAuthorizedNetworksConfigCidrBlockArgs(cidr_block=cidr)
            for cidr in definition.endpoint.allowed_cidrs
        ],
    )


def _no_client_certificate() -> container.ClusterMasterAuthArgs:
    return container.ClusterMasterAuthArgs(
        client_certificate_config=container.ClusterMasterAuthClientCertificateConfigArgs(issue_client_certificate=False)
    )


def _no_read_only_port() -> container.ClusterNodePoolAutoConfigArgs:
    return container.ClusterNodePoolAutoConfigArgs(
        node_kubelet_config=container.ClusterNodePoolAutoConfigNodeKubeletConfigArgs(
            insecure_kubelet_readonly_port_enabled="FALSE"
        )
    )


def _autoscaling() -> container.ClusterClusterAutoscalingArgs:
    """`enabled` would be node auto-provisioning: pools which no quota knows."""
    return container.ClusterClusterAutoscalingArgs(enabled=False, autoscaling_profile="OPTIMIZE_UTILIZATION")


def _addons() -> container.ClusterAddonsConfigArgs:
    return container.ClusterAddonsConfigArgs(
        dns_cache_config=container.ClusterAddonsConfigDnsCacheConfigArgs(enabled=True),
        gce_persistent_disk_csi_driver_config=container.ClusterAddonsConfigGcePersistentDiskCsiDriverConfigArgs(
            enabled=True
        ),
    )


def _monitoring() -> container.ClusterMonitoringConfigArgs:
    """DCGM among the components: what the accelerators are doing."""
    return container.ClusterMonitoringConfigArgs(
        enable_components=list(gke_facts().monitoring),
        managed_prometheus=container.ClusterMonitoringConfigManagedPrometheusArgs(enabled=True),
    )
