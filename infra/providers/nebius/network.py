"""A network of the cluster's own: nodes, pods and services."""

import pulumi_nebius as nebius

from infra.site import Site
from skyfleet.model.cluster import NebiusCluster


def subnet(site: Site[NebiusCluster]) -> nebius.VpcV1Subnet:
    """Without public addresses; a GPU node reaches the internet through the network's own egress."""
    name = site.cluster.name
    pool = nebius.VpcV1Pool(
        name,
        name=name,
        parent_id=site.cluster.project,
        version="IPV4",
        visibility="PRIVATE",
        cidrs=[nebius.VpcV1PoolCidrArgs(cidr=site.cluster.network.cidr)],
        labels=site.labels(),
        opts=site.options(name),
    )
    network = nebius.VpcV1Network(
        name,
        name=name,
        parent_id=site.cluster.project,
        ipv4_private_pools=nebius.VpcV1NetworkIpv4PrivatePoolsArgs(
            pools=[nebius.VpcV1NetworkIpv4PrivatePoolsPoolArgs(id=pool.id)]
        ),
        labels=site.labels(),
        opts=site.options(name),
    )
    return nebius.VpcV1Subnet(
        name,
        name=name,
        parent_id=site.cluster.project,
        network_id=network.id,
        ipv4_private_pools=nebius.VpcV1SubnetIpv4PrivatePoolsArgs(use_network_pools=True),
        labels=site.labels(),
        opts=site.options(name),
    )
