"""Small clusters to simulate: a test names only what matters to it."""

from dataclasses import replace

from sim.machines import ClusterSpec, NodeSpec, Taint

GPU_POOL = NodeSpec(
    pool="h200",
    count=2,
    labels={"skyfleet.dev/pool": "h200", "nebius.com/gpu-name": "H200"},
    taints=(Taint("nvidia.com/gpu", "present", "NoSchedule"),),
    capacity_cpu_millis=128000,
    capacity_memory_mib=1638400,
    allocatable_cpu_millis=127610,
    allocatable_memory_mib=1598609,
    accelerator_resource="nvidia.com/gpu",
    accelerators=8,
)


def pool(**changes: object) -> NodeSpec:
    return replace(GPU_POOL, **changes)  # pyright: ignore[reportArgumentType] - names and types are the test's business


def cluster(name: str, *pools: NodeSpec) -> ClusterSpec:
    return ClusterSpec(name, f"context-of-{name}", pools or (GPU_POOL,))
