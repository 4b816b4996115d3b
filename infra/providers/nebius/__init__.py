"""A managed Kubernetes cluster on Nebius, with H200 nodes on InfiniBand and shared file systems."""

import pulumi_nebius as nebius

from infra.kubeconfig import kubeconfig
from infra.providers.nebius import access, cluster, filesystem, network, node_groups
from infra.providers.outputs import ClusterOutputs
from infra.settings import Settings
from infra.site import Site
from skyfleet.model import Fleet
from skyfleet.model.cluster import NebiusCluster

CLI_PROFILE = "skyfleet"
"""Profile of the Nebius CLI with which kubeconfigs authenticate; SkyPilot's server renames it to `sky` for itself (clouds.md 1.8)."""


def create(fleet: Fleet, definition: NebiusCluster, settings: Settings) -> ClusterOutputs:
    provider = nebius.Provider(definition.name, parent_id=definition.project)
    site = Site(fleet, definition, settings, provider)
    subnet = network.subnet(site)
    identities = access.identities(site)
    made = cluster.cluster(site, subnet)
    filesystems = filesystem.filesystems(site)
    groups = node_groups.node_groups(site, made, identities["nodes"], filesystems)
    return ClusterOutputs(
        name=definition.name,
        context=definition.context,
        kubeconfig=kubeconfig(
            definition,
            namespace=fleet.organization.namespace,
            server=cluster.server(site, made),
            certificate_authority=cluster.certificate_authority(made),
            command="nebius",
            arguments=("mk8s", "v1", "cluster", "get-token", "--format", "json", "--profile", CLI_PROFILE),
        ),
        pools=tuple(pool.name for pool in definition.pools),
        resource=made,
        ready=tuple(groups),
        identities=tuple((name, account.id) for name, account in identities.items() if name != "nodes"),
    )
