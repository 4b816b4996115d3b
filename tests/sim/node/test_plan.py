"""A real node stands for as many nodes of its pool as a gang has, and a plan survives the process that made it."""

from sim.node import plan
from sim.node.plan import RealNode
from sim.state import State
from tests.sim.clusters import pool

NODE = RealNode("north", pool(devices={"rdma/shared_device": 63}))


def test_it_is_as_large_as_two_nodes_of_its_pool_and_labelled_as_one() -> None:
    """So that two whole nodes fit; the label of its own lets a scenario choose it."""
    assert NODE.name == "h200-real"
    assert (NODE.cpu_millis, NODE.memory_mib) == (2 * 128000, 2 * 1638400)
    assert NODE.labels == NODE.pool.labels | {plan.REAL: "true"}


def test_it_offers_the_accelerators_of_two_nodes_and_the_devices_of_one() -> None:
    """A gang has sixteen accelerators; what a shared device plugin hands out is counted by pods."""
    assert NODE.offered == {"nvidia.com/gpu": "16", "rdma/shared_device": "63"}


def test_a_pool_without_accelerators_offers_none() -> None:
    """No resource of that name, rather than none of it."""
    assert RealNode("north", pool(accelerator_resource=None, accelerators=0)).offered == {}


def test_a_plan_that_was_saved_is_the_one_that_is_loaded(state: State) -> None:
    """Taints included; once forgotten there is none, and to forget twice is no mistake."""
    assert plan.load(state) is None
    plan.save(state, NODE)
    assert plan.load(state) == NODE
    plan.forget(state)
    plan.forget(state)
    assert plan.load(state) is None
