"""Node objects are as a real kubelet and cloud would write them."""

from sim import nodes
from tests.sim.clusters import cluster, pool


def test_a_node_has_its_pools_labels_taints_and_resources() -> None:
    """Everything SkyPilot, Kueue and the scheduler look at is there, with the node's own name and address."""
    first, second = nodes.for_cluster(cluster("north"))

    assert first == {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": "h200-0",
            "labels": {
                "kubernetes.io/arch": "amd64",
                "kubernetes.io/hostname": "h200-0",
                "kubernetes.io/os": "linux",
                "skyfleet.dev/simulated": "true",
                "skyfleet.dev/pool": "h200",
                "nebius.com/gpu-name": "H200",
            },
            "annotations": first["metadata"]["annotations"],
        },
        "spec": {"taints": [{"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}]},
        "status": {
            "addresses": [
                {"type": "InternalIP", "address": "10.128.0.1"},
                {"type": "Hostname", "address": "h200-0"},
            ],
            "capacity": {
                "cpu": "128000m",
                "memory": "1638400Mi",
                "ephemeral-storage": "100Gi",
                "pods": "110",
                "nvidia.com/gpu": "8",
            },
            "allocatable": {
                "cpu": "127610m",
                "memory": "1598609Mi",
                "ephemeral-storage": "100Gi",
                "pods": "110",
                "nvidia.com/gpu": "8",
            },
        },
    }
    assert first["metadata"]["annotations"]["kwok.x-k8s.io/node"] == "fake"
    assert second["metadata"]["name"] == "h200-1"


def test_a_cpu_pool_has_no_accelerators() -> None:
    """A node without accelerators does not list the resource at all, as on a real one."""
    (node,) = nodes.for_cluster(cluster("north", pool(count=1, accelerator_resource=None, accelerators=0)))

    assert "nvidia.com/gpu" not in node["status"]["allocatable"]


def test_no_two_nodes_share_a_name_or_an_address() -> None:
    """Two pools of several hundred nodes do not collide."""
    found = nodes.for_cluster(cluster("north", pool(count=600), pool(pool="cpu", count=300)))

    names = {node["metadata"]["name"] for node in found}
    addresses = {node["status"]["addresses"][0]["address"] for node in found}
    assert (len(names), len(addresses)) == (900, 900)


def test_the_fingerprint_follows_what_a_node_is_not_how_many_there_are() -> None:
    """Growing a pool leaves its nodes alone; another machine type replaces them."""

    def fingerprint(**changes: object) -> str:
        node = nodes.for_cluster(cluster("north", pool(**changes)))[0]
        return node["metadata"]["annotations"][nodes.FINGERPRINT]

    assert fingerprint(count=5) == fingerprint()
    assert fingerprint(accelerators=4) != fingerprint()
