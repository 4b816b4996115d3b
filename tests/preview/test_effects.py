"""The classifier: what a difference of two resource graphs does to nodes and data."""

from typing import Any

import pytest

from skyfleet.model.cloud import effects
from skyfleet.preview.clusters import Outcome, outcomes_of
from skyfleet.preview.effects import WEIGHT, compare
from skyfleet.preview.graph import Graph, Resource
from skyfleet.preview.markdown.clusters import EFFECTS
from skyfleet.preview.roles import roles

CLUSTER = "nebius:index/mk8sV1Cluster:Mk8sV1Cluster"
GROUP = "nebius:index/mk8sV1NodeGroup:Mk8sV1NodeGroup"
FABRIC = "nebius:index/computeV1GpuCluster:ComputeV1GpuCluster"
DISK = "nebius:index/computeV1Filesystem:ComputeV1Filesystem"
TAINTS = [{"key": "nvidia.com/gpu", "value": "present", "effect": "NO_SCHEDULE"}]


def graph(*resources: Resource) -> Graph:
    return Graph({resource.key: resource for resource in resources})


def group(*, taints: Any = TAINTS, inputs_from: dict[str, tuple[str, ...]] | None = None, **inputs: Any) -> Resource:
    template = {"taints": taints, **inputs.pop("template", {})}
    return Resource(GROUP, "g", {"template": template, **inputs}, inputs_from=inputs_from or {})


def outcomes(before: Graph, after: Graph) -> set[Outcome]:
    return {outcome for change in compare(before, after) for outcome in outcomes_of(change)}


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param(
            {"template": {"bootDisk": 1}}, {"template": {"bootDisk": 2}}, {Outcome.RECREATES_GPU_NODES}, id="disk"
        ),
        pytest.param({"version": "1.33"}, {"version": "1.34"}, {Outcome.RECREATES_GPU_NODES}, id="version"),
        pytest.param(
            {"template": {"metadata": {"labels": {}}}},
            {"template": {"metadata": {"labels": {"a": "b"}}}},
            {Outcome.NEW_NODES_ONLY},
            id="labels",
        ),
        pytest.param({"fixedNodeCount": 2}, {"fixedNodeCount": 3}, {Outcome.NEW_NODES_ONLY}, id="more"),
        pytest.param({"fixedNodeCount": 3}, {"fixedNodeCount": 2}, {Outcome.REMOVES_GPU_NODES}, id="fewer"),
        pytest.param(
            {"fixedNodeCount": 4},
            {"autoscaling": {"minNodeCount": 1, "maxNodeCount": 2}},
            {Outcome.REMOVES_GPU_NODES},
            id="fewer-autoscaled",
        ),
        pytest.param(
            {"fixedNodeCount": 4}, {"autoscaling": {"minNodeCount": 1, "maxNodeCount": 4}}, set(), id="autoscaled"
        ),
        pytest.param({"parentId": "a"}, {"parentId": "b"}, {Outcome.RECREATES_GPU_NODES}, id="replaced"),
        pytest.param({"strategy": 1}, {"strategy": 2}, set(), id="in-place"),
    ],
)
def test_what_a_changed_node_group_means(before: dict[str, Any], after: dict[str, Any], expected: set[Outcome]) -> None:
    """Pulumi calls all of these but one an update."""
    assert outcomes(graph(group(**before)), graph(group(**after))) == expected


def test_nodes_without_accelerators_are_said_to_be_such() -> None:
    """Only nodes with the accelerator's taint are GPU nodes."""
    before, after = group(taints=None, version="1"), group(taints=None, version="2")

    assert outcomes(graph(before), graph(after)) == {Outcome.RECREATES_NODES}


def test_a_replaced_cluster_takes_its_node_groups_along() -> None:
    """The id of the cluster is in an input that cannot be changed in place."""
    groups = group(inputs_from={"parentId": (f"{CLUSTER}::c",)})
    before, after = (graph(Resource(CLUSTER, "c", {"parentId": project}), groups) for project in ("a", "b"))

    assert [(change.name, change.effect, change.because_of) for change in compare(before, after)] == [
        ("c", "replace", None),
        ("g", "replace", "c"),
    ]


def test_a_replaced_fabric_rolls_the_nodes_on_it() -> None:
    """The id of the GPU cluster is in the template."""
    groups = group(inputs_from={"template": (f"{FABRIC}::f",)})
    before, after = (graph(Resource(FABRIC, "f", {"infinibandFabric": fabric}), groups) for fabric in ("7", "5"))

    assert outcomes(before, after) == {Outcome.RECREATES_GPU_NODES}


def test_project_of_a_provider_is_that_of_its_resources() -> None:
    """Google resources that do not name a project are replaced when their provider's changes."""
    pool = Resource("gcp:container/nodePool:NodePool", "p", {"name": "p"}, provider="pulumi:providers:gcp::central")
    before, after = (graph(Resource("pulumi:providers:gcp", "central", {"project": name}), pool) for name in ("a", "b"))

    assert outcomes(before, after) == {Outcome.RECREATES_NODES}


@pytest.mark.parametrize(
    ("resource", "expected"),
    [
        pytest.param(Resource(DISK, "d", {}), {Outcome.LOSES_DATA}, id="deleted"),
        pytest.param(Resource(DISK, "d", {}, retained=True), {Outcome.ORPHANS_DATA}, id="retained"),
    ],
)
def test_a_volume_that_goes(resource: Resource, expected: set[Outcome]) -> None:
    """Retained volumes keep their data, and their price."""
    assert outcomes(graph(resource), graph()) == expected


def test_a_volume_cannot_shrink() -> None:
    """The provider would refuse, after the merge."""
    before, after = (graph(Resource(DISK, "d", {"sizeGibibytes": size})) for size in (2, 1))

    assert outcomes(before, after) == {Outcome.REFUSED}


def test_ignored_inputs_are_no_change() -> None:
    """The autoscaler owns the number of nodes."""
    before, after = (graph(Resource(GROUP, "g", {"nodeCount": n}, ignored=("nodeCount",))) for n in (1, 2))

    assert compare(before, after) == []


def test_secrets_are_not_shown() -> None:
    """The report is posted where everybody reads it."""
    sign = "4dabf18193072939515e22adb298388d"
    before, after = (graph(group(template={"userData": {sign: "x", "value": value}})) for value in ("old", "new"))

    assert [(each.path, each.before, each.after) for each in compare(before, after)[0].inputs] == [
        ("template.userData", "[secret]", "[secret]")
    ]


def test_every_effect_has_a_weight_and_a_sentence() -> None:
    """An effect that is added to the table must be told, too."""
    named = {effect for table in effects().values() for effect in table} | {
        size.when_less for size in roles().sizes.values()
    }

    assert named <= set(WEIGHT)
    assert set(WEIGHT) <= set(EFFECTS)
