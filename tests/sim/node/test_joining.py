"""Which pool of which cluster a real node joins."""

from dataclasses import replace

import pytest

from sim.errors import SimulationError
from sim.machines import ClusterSpec, Project
from sim.node import joining
from sim.node.plan import RealNode
from tests.sim.clusters import GPU_POOL, cluster, pool

CPU_POOL = pool(pool="cpu", accelerator_resource=None, accelerators=0)


def test_it_is_the_first_pool_with_accelerators_on_nebius() -> None:
    """Whose shared file systems a folder can stand for; a pool of processors would leave the policy's work unseen."""
    google = _of("gcp", cluster("google"))
    nebius = _of("nebius", cluster("nebius", CPU_POOL, GPU_POOL))

    assert joining.choose([google, nebius]) == RealNode("nebius", GPU_POOL)


def test_where_there_is_none_that_is_said() -> None:
    """Among them a cluster that no cloud has made: its volumes are not known."""
    with pytest.raises(SimulationError, match="no nebius cluster of the definition has a pool with accelerators"):
        joining.choose([_of("gcp", cluster("google")), _of("nebius", cluster("nebius", CPU_POOL)), cluster("bare")])


def _of(cloud: str, spec: ClusterSpec) -> ClusterSpec:
    return replace(spec, project=Project(cloud, "project", "region"))  # pyright: ignore[reportArgumentType]  # one of two
