"""The whole of it, on real control planes and a real Kueue."""

from pathlib import Path

import pytest
from rich.console import Console

from sim.progress import Progress
from tests import toy
from whatif.chart import page
from whatif.trial import Speed, compare
from whatif.workload import Workload

QUIET = Console(quiet=True)


@pytest.mark.e2e
def test_more_quota_means_less_waiting(tmp_path: Path) -> None:
    """What bees only borrow is reclaimed for ants; what is guaranteed to bees ants have to wait for."""
    hold = [Workload(0.0, "north", "bees", "low", "H200", 8, 1, 600.0) for _ in range(4)]
    come = Workload(240.0, "north", "ants", "low", "H200", 8, 1, 60.0)
    guaranteed = toy.fleet(tmp_path / "a")
    not_guaranteed = toy.fleet(tmp_path / "b", {"teams.ants.quota.north.H200": 0, "teams.bees.quota.north.H200": 32})

    outcomes = compare(
        {"with": guaranteed, "without": not_guaranteed}, "north", [*hold, come], Speed(30.0), Progress(QUIET)
    )
    waits = {side: outcome.measures.teams[0].mean_wait_hours for side, outcome in outcomes.items()}

    assert outcomes["with"].measures.teams[1].preemptions >= 1
    assert outcomes["without"].measures.teams[1].preemptions == 0
    assert waits["with"] is not None
    assert waits["without"] is not None
    assert waits["with"] < waits["without"]
    assert page("x", outcomes).count("<svg") == 2
