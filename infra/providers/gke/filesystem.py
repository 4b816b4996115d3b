"""Shared file systems on Filestore, each under a DNS name that its address may change behind."""

from pulumi_gcp import dns, filestore

from infra.providers.gke.network import Wires, region
from infra.site import Site
from skyfleet.model.cloud import gke_facts
from skyfleet.model.cluster import GkeCluster
from skyfleet.volumes import Filesystem, filesystems_of, nfs_server

RECORD_SECONDS = 300


def filesystems(site: Site[GkeCluster], wires: Wires) -> list[dns.RecordSet]:
    """The names by which volumes find them."""
    wanted = filesystems_of(site.cluster)
    if not wanted:
        return []
    zone = _zone(site, wires)
    return [_record(site, zone, filesystem, _instance(site, wires, filesystem)) for filesystem in wanted]


def _instance(site: Site[GkeCluster], wires: Wires, filesystem: Filesystem) -> filestore.Instance:
    """It outlives the cluster: protected on both sides, and left there when the stack goes."""
    name = f"{site.cluster.name}-{filesystem.name}"
    return filestore.Instance(
        name,
        name=name,
        location=_location(site.cluster),
        tier=site.cluster.filestore_tier,
        protocol="NFS_V3" if site.cluster.filestore_tier.startswith("BASIC") else "NFS_V4_1",  # locks that work
        file_shares=filestore.InstanceFileSharesArgs(
            name=filesystem.name,
            capacity_gb=filesystem.size_gib,
            nfs_export_options=[
                filestore.InstanceFileSharesNfsExportOptionArgs(
                    ip_ranges=[site.cluster.network.nodes_cidr], access_mode="READ_WRITE", squash_mode="NO_ROOT_SQUASH"
                )
            ],
        ),
        networks=[filestore.InstanceNetworkArgs(network=wires.network.name, modes=["MODE_IPV4"])],
        deletion_protection_enabled=site.settings.protect,
        labels=site.labels(),
        opts=site.options(name, protect=True, retain=True),
    )


def _location(cluster: GkeCluster) -> str:
    """A regional instance is in the cluster's region; a zonal one in its zone, or in the first that a pool names."""
    if gke_facts().filestore[cluster.filestore_tier].regional:
        return region(cluster)
    if not cluster.is_regional:
        return cluster.region
    zones = [zone for pool in cluster.pools for zone in pool.zones]
    return zones[0] if zones else f"{cluster.region}-a"


def _zone(site: Site[GkeCluster], wires: Wires) -> dns.ManagedZone:
    name = f"{site.cluster.name}-filesystems"
    return dns.ManagedZone(
        name,
        name=name,
        dns_name=f"{site.cluster.name}.skyfleet.internal.",
        description="Shared file systems of the fleet",
        visibility="private",
        private_visibility_config=dns.ManagedZonePrivateVisibilityConfigArgs(
            networks=[dns.ManagedZonePrivateVisibilityConfigNetworkArgs(network_url=wires.network.id)]
        ),
        labels=site.labels(),
        opts=site.options(name),
    )


def _record(
    site: Site[GkeCluster], zone: dns.ManagedZone, filesystem: Filesystem, instance: filestore.Instance
) -> dns.RecordSet:
    name = f"{site.cluster.name}-{filesystem.name}"
    return dns.RecordSet(
        name,
        name=f"{nfs_server(site.cluster, filesystem)}.",
        managed_zone=zone.name,
        type="A",
        ttl=RECORD_SECONDS,
        rrdatas=[instance.networks[0].ip_addresses[0]],
        opts=site.options(name),
    )
