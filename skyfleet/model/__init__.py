"""The definition as frozen, strict data; imports nothing heavier than pydantic."""

from skyfleet.model.cluster import AnyPool, Cluster, ExistingCluster, GkeCluster, NebiusCluster
from skyfleet.model.fleet import Fleet, LabelKeys, Organization, Profile, Queueing, Routing
from skyfleet.model.machine import Catalogue, Machine, catalogue
from skyfleet.model.network import Endpoint
from skyfleet.model.pool import CloudPool, ExistingPool, GkePool, InfiniBand, NebiusPool, NodeRange, Pool, Rollout
from skyfleet.model.price import Price, Prices
from skyfleet.model.storage import Caches, Scratch
from skyfleet.model.team import Team

__all__ = [
    "AnyPool",
    "Caches",
    "Catalogue",
    "CloudPool",
    "Cluster",
    "Endpoint",
    "ExistingCluster",
    "ExistingPool",
    "Fleet",
    "GkeCluster",
    "GkePool",
    "InfiniBand",
    "LabelKeys",
    "Machine",
    "NebiusCluster",
    "NebiusPool",
    "NodeRange",
    "Organization",
    "Pool",
    "Price",
    "Prices",
    "Profile",
    "Queueing",
    "Rollout",
    "Routing",
    "Scratch",
    "Team",
    "catalogue",
]
