"""Waiting, preemptions, use and fairness, on histories small enough to reckon by hand."""

from typing import Any

import pytest

from tests.whatif import lists
from whatif.measures import TeamMeasures, in_use, jain, measure
from whatif.trace import History

HORIZON = 600


def ran(start: int, **workload: Any) -> History:
    """A history of one run without interruption."""
    history = History(lists.workload(**workload))
    history.finish(history.start(start))
    return history


def test_a_teams_waits_are_those_of_its_workloads() -> None:
    """The median, and the wait that nine of ten do not exceed."""
    histories = [ran(60 * hours) for hours in range(10)]

    team = measure(histories, 8, HORIZON).teams["ants"]

    assert (team.median_wait_hours, team.p90_wait_hours) == (4.5, 8.0)


def test_use_counts_until_the_last_arrival() -> None:
    """Half of the accelerators for half of the time, and then what nobody counts."""
    measures = measure([ran(300, duration_minutes=3000, shape="1xH200:4")], 8, HORIZON)

    assert measures.utilisation == 0.25


def test_fairness_compares_what_teams_got_of_what_they_asked() -> None:
    """One has all of it and one has nothing."""
    never = History(lists.workload(team="bees"), never="Kueue: no")

    measures = measure([ran(0), never], 8, HORIZON)

    assert {name: team.served for name, team in measures.teams.items()} == {"ants": 1.0, "bees": 0.0}
    assert measures.fairness == 0.5


def test_what_a_preemption_destroyed_is_not_served() -> None:
    """Two hours are asked for; one is lost, and of its second run one is before the last arrival."""
    history = History(lists.workload(duration_minutes=120))
    history.start(0)
    history.preempt(60)
    history.finish(history.start(540))

    team = measure([history], 8, HORIZON).teams["ants"]

    assert team == TeamMeasures(
        submitted=1, never=0, median_wait_hours=8.0, p90_wait_hours=8.0, preemptions=1, lost_unit_hours=8.0, served=0.5
    )


@pytest.mark.parametrize(
    ("shares", "index"), [([], 1.0), ([0.0, 0.0], 1.0), ([1.0, 1.0], 1.0), ([1.0, 0.0, 0.0, 0.0], 0.25)]
)
def test_jains_index(shares: list[float], index: float) -> None:
    """1 is equal, 1/n all to one of n."""
    assert jain(shares) == index


def test_what_is_in_use_at_a_time() -> None:
    """From the start to before the end."""
    histories = [ran(0, duration_minutes=60), ran(60, duration_minutes=60, shape="2xH200:8")]

    assert [in_use(histories, minute) for minute in (0, 59, 60, 119, 120)] == [8, 8, 16, 16, 0]
