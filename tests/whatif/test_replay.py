"""A what-if and Kueue's own performance set, on real Kueue: what must hold, not how fast."""

import pytest
from rich.console import Console

from sim.progress import Progress
from tests import toy
from tests.whatif import lists
from whatif import baseline
from whatif.comparison import Comparison, compare
from whatif.measures import Place, TeamMeasures
from whatif.plan import plan
from whatif.trial import run

pytestmark = pytest.mark.e2e

NORTH = Place("north", "H200")
COMPRESSION = 100_000
WORKLOADS = (
    lists.workload("2xH200:8", name="busy", team="ants", duration_minutes=600, line=1),
    lists.workload("2xH200:8", name="owed", team="bees", arrival_minutes=60, duration_minutes=120, line=2),
    lists.workload("1xH200:8", name="more", team="bees", arrival_minutes=70, duration_minutes=600, line=3),
    lists.workload("1xH200:8", name="mild", team="bees", arrival_minutes=80, duration_minutes=60, line=4),
    lists.workload(
        "1xH200:8", name="hard", team="ants", priority="high", arrival_minutes=90, duration_minutes=30, line=5
    ),
    lists.workload("5xH200:8", name="huge", team="ants", arrival_minutes=100, line=6),
)
"""On four nodes: ants fill two and want a third at high priority, bees fill two and want two more; one fits nowhere."""


@pytest.fixture(scope="module")
def comparison(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    """The toy, where bees are guaranteed one node of four and ants two, against one where bees have two and ants one."""
    more_for_bees = {"teams.bees.quota.north.H200": 16, "teams.ants.quota.north.H200": 8}
    fleets = {
        "base": toy.fleet(tmp_path_factory.mktemp("base")),
        "head": toy.fleet(tmp_path_factory.mktemp("head"), more_for_bees),
    }
    replays = plan(fleets, WORKLOADS)
    traces = run(replays, COMPRESSION, Progress(Console(quiet=True)))
    return compare(fleets, WORKLOADS, replays, traces, COMPRESSION)


def test_more_quota_means_less_waiting(comparison: Comparison) -> None:
    """The mean of bees' waits falls with their guarantee; whose quota went, waits no less."""
    assert _waited(comparison, "head", "bees") < _waited(comparison, "base", "bees")
    assert _waited(comparison, "head", "ants") >= _waited(comparison, "base", "ants")


def test_preemptions_are_counted(comparison: Comparison) -> None:
    """Ants' urgent work takes the place of what was admitted before, and what was interrupted is done in the end."""
    assert sum(_team(comparison, "base", team).preemptions for team in ("ants", "bees")) > 0
    for side in comparison.sides:
        assert [history.workload.name for history in comparison.histories[NORTH][side] if not history.done] == ["huge"]


def test_what_never_fits_is_told(comparison: Comparison) -> None:
    """Under both definitions, with the reason."""
    reason = "5xH200:8 is more than the 32 H200 of north"

    assert comparison.never() == [("base", "huge", reason), ("head", "huge", reason)]


def test_time_of_the_workloads_is_exact(comparison: Comparison) -> None:
    """All arrive at and last for tens of minutes, so all starts and ends at tens of minutes: no second of Kueue's is in them."""
    runs = [run for side in comparison.sides for history in comparison.histories[NORTH][side] for run in history.runs]

    assert runs[0].start == 0
    assert {minute % 10 for run in runs for minute in (run.start, run.end)} == {0}


@pytest.mark.slow
def test_kueues_own_performance_set_comes_out_as_there() -> None:
    """All of it is done, preempting, and the classes are admitted in the order of their priorities."""
    played = baseline.play(cohorts=1, queues_each=3, part=10)

    baseline.check(played, Progress(Console(quiet=True)), cohorts=1, queues_each=3)

    assert len(played.waits) == 3 * (5 + 10 + 35)
    large, medium, small = (baseline.mean_wait(played, of) for of in baseline.CLASSES)
    assert large < medium < small


def _team(comparison: Comparison, side: str, team: str) -> TeamMeasures:
    return comparison.measures[NORTH][side].teams[team]


def _waited(comparison: Comparison, side: str, team: str) -> int:
    return sum(
        history.waiting_minutes for history in comparison.histories[NORTH][side] if history.workload.team == team
    )
