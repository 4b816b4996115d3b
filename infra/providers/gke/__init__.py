"""A GKE cluster with L4 and CPU nodes and shared file systems."""

import pulumi_gcp as gcp

from infra.kubeconfig import kubeconfig
from infra.providers.gke import access, cluster, filesystem, network, node_pools
from infra.providers.outputs import ClusterOutputs
from infra.settings import Settings
from infra.site import Site
from skyfleet.model import Fleet
from skyfleet.model.cluster import GkeCluster


def create(fleet: Fleet, definition: GkeCluster, settings: Settings) -> ClusterOutputs:
    provider = gcp.Provider(
        definition.name,
        project=definition.project,
        region=network.region(definition),
        add_pulumi_attribution_label=False,
    )
    site = Site(fleet, definition, settings, provider)
    wires = network.network(site)
    accounts = access.accounts(site)
    made = cluster.cluster(site, wires)
    network.admit_webhooks(site, wires, accounts["nodes"])
    pools = node_pools.node_pools(site, made, accounts["nodes"])
    records = filesystem.filesystems(site, wires)
    return ClusterOutputs(
        name=definition.name,
        context=definition.context,
        kubeconfig=kubeconfig(
            definition,
            namespace=fleet.organization.namespace,
            server=made.endpoint.apply(lambda address: f"https://{address}"),
            certificate_authority=made.master_auth.cluster_ca_certificate,
            command="gke-gcloud-auth-plugin",
        ),
        pools=tuple(pool.name for pool in definition.pools),
        resource=made,
        ready=(*pools, *records),
        identities=tuple((purpose, accounts[purpose].email) for purpose in ("skypilot", "ci")),
    )
