"""Which replays a comparison needs."""

from pathlib import Path

from tests import toy
from tests.whatif import lists
from whatif.plan import plan


def test_a_cluster_that_did_not_change_is_replayed_once(tmp_path: Path) -> None:
    """A team's quota changed in the north; in the centre one replay answers for both."""
    fleets = {
        "base": toy.fleet(tmp_path / "base"),
        "head": toy.fleet(tmp_path / "head", {"teams.bees.quota.north.H200": 16, "teams.ants.quota.north.H200": 8}),
    }
    workloads = (lists.workload(), lists.workload("1xL4:1", name="two", cluster="central"))

    replays = plan(fleets, workloads)

    assert [(replaying.name, replaying.sides) for replaying in replays] == [
        ("central-0", ("base", "head")),
        ("north-0", ("base",)),
        ("north-1", ("head",)),
    ]


def test_a_cluster_that_one_definition_lacks_leaves_its_workloads_without_a_place(tmp_path: Path) -> None:
    """They are told, and the other definition is replayed."""
    without = toy.loaded(tmp_path / "head", {"clusters.north": toy.GONE}).fleet
    assert without is not None

    base, head = plan({"base": toy.fleet(tmp_path / "base"), "head": without}, [lists.workload()])

    assert (len(base.demands), base.hopeless) == (1, [])
    assert ([history.never for history in head.hopeless], head.demands) == (["there is no cluster north"], [])
