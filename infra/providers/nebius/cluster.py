"""The control plane."""

import base64

import pulumi
import pulumi_nebius as nebius

from infra.site import Site
from skyfleet.model.cluster import NebiusCluster

ETCD_INSTANCES = 3
"""Survives the loss of one; it cannot be changed later."""


def cluster(site: Site[NebiusCluster], subnet: nebius.VpcV1Subnet) -> nebius.Mk8sV1Cluster:
    """Protected: there is no deletion protection on Nebius' side (clouds.md 1.0)."""
    name = site.cluster.name
    return nebius.Mk8sV1Cluster(
        name,
        name=name,
        parent_id=site.cluster.project,
        control_plane=nebius.Mk8sV1ClusterControlPlaneArgs(
            subnet_id=subnet.id,
            version=site.cluster.kubernetes,
            etcd_cluster_size=ETCD_INSTANCES,
            endpoints=_endpoints(site),
            audit_logs=nebius.Mk8sV1ClusterControlPlaneAuditLogsArgs(),
        ),
        kube_network=nebius.Mk8sV1ClusterKubeNetworkArgs(service_cidrs=[site.cluster.network.services_cidr]),
        labels=site.labels(),
        opts=site.options(name, protect=True),
    )


def server(site: Site[NebiusCluster], made: nebius.Mk8sV1Cluster) -> pulumi.Output[str]:
    """URL of the API server as this program and SkyPilot reach it."""
    endpoints = made.status.control_plane.endpoints
    return endpoints.public_endpoint if site.cluster.endpoint.allowed_cidrs else endpoints.private_endpoint


def certificate_authority(made: nebius.Mk8sV1Cluster) -> pulumi.Output[str]:
    """Base64 of PEM; Nebius gives PEM."""
    return made.status.control_plane.auth.cluster_ca_certificate.apply(_encoded)


def _endpoints(site: Site[NebiusCluster]) -> nebius.Mk8sV1ClusterControlPlaneEndpointsArgs | None:
    """A public endpoint without a list of networks would be open to everybody (clouds.md 1.1)."""
    allowed = site.cluster.endpoint.allowed_cidrs
    if not allowed:
        return None
    public = nebius.Mk8sV1ClusterControlPlaneEndpointsPublicEndpointArgs(allowed_cidrs=list(allowed))
    return nebius.Mk8sV1ClusterControlPlaneEndpointsArgs(public_endpoint=public)


def _encoded(certificate: str) -> str:
    return base64.b64encode(certificate.encode()).decode()
