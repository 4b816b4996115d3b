"""Addresses within a simulated cluster. Those of a network are slirp4netns' own choice within it."""

from __future__ import annotations

from ipaddress import ip_address, ip_network

NETWORK = "10.66.0.0/24"
"""Of the real node, if the cluster has one."""
NODE = "10.66.0.100"
HOST = "10.66.0.2"
"""This machine's 127.0.0.1 as the node reaches it."""
DNS = "10.66.0.3"
"""This machine's name servers as the node reaches them."""
PODS = "10.244.0.0/24"
"""Of the pods on the real node."""
SERVICE = "10.0.0.1"
"""Of the API server as a Service, the first in the API server's own range for them."""


def is_inside(address: str) -> bool:
    """Whether it is the real node's, or that of a pod on it."""
    try:
        asked = ip_address(address)
    except ValueError:
        return False
    return any(asked in ip_network(network) for network in (NETWORK, PODS))
