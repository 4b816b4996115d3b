"""How a comparison reads."""

import re
from collections.abc import Callable
from pathlib import Path
from xml.dom.minidom import parseString

import pytest

from tests import toy
from tests.whatif import lists
from whatif.comparison import Comparison, compare, data_of
from whatif.page import page
from whatif.plan import plan
from whatif.table import lines
from whatif.trace import History, Trace


@pytest.fixture
def comparison(tmp_path: Path) -> Comparison:
    """One workload that waits an hour under the base, and none under the head; one that neither can start."""
    fleets = {
        "base": toy.fleet(tmp_path / "base"),
        "head": toy.fleet(tmp_path / "head", {"teams.ants.weight": 2}),
    }
    workloads = (
        lists.workload(duration_minutes=60),
        lists.workload("5xH200:8", name="huge"),
        lists.workload(name="last", team="bees", arrival_minutes=120),
    )
    replays = plan(fleets, workloads)
    traces = [
        Trace((*map(_run_after(delay), workloads[::2]), *replaying.hopeless), seconds=10, slowest_reaction_seconds=0.1)
        for delay, replaying in zip((60, 0), replays, strict=True)
    ]
    return compare(fleets, workloads, replays, traces, 10_000)


def test_a_cell_tells_both_sides_or_what_they_share(comparison: Comparison) -> None:
    """Title, table and notes, whole."""
    assert list(lines(comparison)) == [
        "north H200: 12% in use, fairness 0.66",
        "",
        "| team | workloads | never | median wait | 90 % wait | preempted | lost hours | served |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
        "| ants | 2 | 1 | 1.0 h → 0.0 h | 1.0 h → 0.0 h | 0 | 0 | 17% |",
        "| bees | 1 | 0 | 1.0 h → 0.0 h | 1.0 h → 0.0 h | 0 | 0 | 100% |",
        "",
        "huge never starts under base: 5xH200:8 is more than the 32 H200 of north",
        "huge never starts under head: 5xH200:8 is more than the 32 H200 of north",
        (
            "Replayed in 10 s, 720 times as fast. Waits hold no time of Kueue's own; arrivals within 12 minutes of each other may "
            "change places if neither had to wait."
        ),
    ]


def test_the_page_is_well_formed_and_has_both_charts(comparison: Comparison) -> None:
    """Waits and use of the place, and the colours of the teams; nothing is loaded from elsewhere."""
    text = page(comparison)

    labels = [
        element.getAttribute("aria-label")
        for drawing in re.findall("<svg.*?</svg>", text, re.DOTALL)
        for element in parseString(drawing).getElementsByTagName("svg")  # noqa: S318 - our own
    ]
    assert labels == ["Waiting time on north H200", "Colours of the teams", "Use of north H200"]
    assert "src=" not in text
    assert "<script" not in text


def test_programs_get_everything(comparison: Comparison) -> None:
    """Measures by place and side, and what the notes say."""
    data = data_of(comparison)

    (place,) = data["places"]
    assert place["sides"]["base"]["teams"]["ants"]["median_wait_hours"] == 1.0
    assert place["sides"]["head"]["teams"]["ants"]["median_wait_hours"] == 0.0
    assert [(told["side"], told["workload"]) for told in data["never_started"]] == [("base", "huge"), ("head", "huge")]
    assert data["clusters_alike"] == []


def _run_after(delay: int) -> "Callable[..., History]":
    """Histories that start that much after their arrival, without interruption."""

    def run(workload: lists.Workload) -> History:
        history = History(workload)
        history.finish(history.start(workload.arrival_minutes + delay))
        return history

    return run
