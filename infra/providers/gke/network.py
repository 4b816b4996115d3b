"""A network of the cluster's own; nodes have no public address and reach the internet through NAT."""

from dataclasses import dataclass

from pulumi_gcp import compute, serviceaccount

from infra.site import Site
from kueue.chart_values import VISIBILITY_PORT, WEBHOOK_PORT
from skyfleet.model.cluster import GkeCluster

PODS, SERVICES = "pods", "services"
"""Names of the subnet's secondary ranges."""
WEBHOOK_PORTS = (str(WEBHOOK_PORT), str(VISIBILITY_PORT))
"""Kueue's webhooks and its visibility API: without a rule the control plane reaches nodes on 443 and 10250 alone."""


@dataclass(frozen=True)
class Wires:
    network: compute.Network
    subnet: compute.Subnetwork


def region(cluster: GkeCluster) -> str:
    """The region of a location, which may be a zone."""
    return "-".join(cluster.region.split("-")[:2])


def network(site: Site[GkeCluster]) -> Wires:
    name = site.cluster.name
    made = compute.Network(
        name, name=name, auto_create_subnetworks=False, routing_mode="REGIONAL", opts=site.options(name)
    )
    subnet = _subnet(site, made)
    _nat(site, made)
    return Wires(made, subnet)


def admit_webhooks(site: Site[GkeCluster], wires: Wires, nodes: serviceaccount.Account) -> None:
    name = f"{site.cluster.name}-webhooks"
    compute.Firewall(
        name,
        name=name,
        network=wires.network.id,
        description="Control plane to Kueue",
        direction="INGRESS",
        source_ranges=[site.cluster.network.control_plane_cidr],
        target_service_accounts=[nodes.email],
        allows=[compute.FirewallAllowArgs(protocol="tcp", ports=list(WEBHOOK_PORTS))],
        opts=site.options(name),
    )


def _subnet(site: Site[GkeCluster], network: compute.Network) -> compute.Subnetwork:
    name = site.cluster.name
    ranges = {PODS: site.cluster.network.pods_cidr, SERVICES: site.cluster.network.services_cidr}
    return compute.Subnetwork(
        name,
        name=name,
        network=network.id,
        region=region(site.cluster),
        ip_cidr_range=site.cluster.network.nodes_cidr,
        private_ip_google_access=True,
        secondary_ip_ranges=[
            compute.SubnetworkSecondaryIpRangeArgs(range_name=range_name, ip_cidr_range=cidr)
            for range_name, cidr in ranges.items()
        ],
        opts=site.options(name),
    )


def _nat(site: Site[GkeCluster], network: compute.Network) -> None:
    name = site.cluster.name
    router = compute.Router(name, name=name, network=network.id, region=region(site.cluster), opts=site.options(name))
    compute.RouterNat(
        name,
        name=name,
        router=router.name,
        region=region(site.cluster),
        nat_ip_allocate_option="AUTO_ONLY",
        source_subnetwork_ip_ranges_to_nat="ALL_SUBNETWORKS_ALL_IP_RANGES",
        enable_dynamic_port_allocation=True,  # downloads of models open more connections than the fixed 64 ports a node
        enable_endpoint_independent_mapping=False,  # cannot be combined with it
        log_config=compute.RouterNatLogConfigArgs(enable=True, filter="ERRORS_ONLY"),
        opts=site.options(name),
    )
