"""The side of the jobs, against a Kueue of a few lines: one that admits, evicts and is in the way as told."""

from typing import Any

import pytest

from whatif.api import Refused
from whatif.measures import in_use, jain, measure
from whatif.replay import Record, is_true, released, replay
from whatif.workload import Workload

FAST = 6000.0
"""Minutes of the workloads in a second: a tick is five hours, which is coarse and quick."""


def workload(arrival: float = 0.0, duration: float = 600.0, team: str = "ants", per_node: int = 8) -> Workload:
    return Workload(arrival, "north", team, "low", "H200", per_node, 1, duration)


class Admitting:
    """Admits everything at once, and evicts what it is told to when it has run for a tick."""

    def __init__(self, evict_once: tuple[str, ...] = (), *, conflict: bool = False) -> None:
        self.items: dict[str, dict[str, Any]] = {}
        self.evict = set(evict_once)
        self.conflict = conflict

    def all(self) -> list[dict[str, Any]]:
        for name, item in self.items.items():
            if name in self.evict and is_true(item, "Admitted"):
                self.evict.discard(name)
                self._set(item, Evicted="True")
            elif not is_true(item, "QuotaReserved") and not is_true(item, "Finished"):
                self._set(item, QuotaReserved="True", Admitted="True", Evicted="False")
        return [*self.items.values()]

    def create(self, item: dict[str, Any]) -> None:
        self.items[item["metadata"]["name"]] = {**item, "status": {"conditions": []}}

    def patch_status(self, item: dict[str, Any], status: dict[str, Any]) -> None:
        if self.conflict:
            self.conflict = False
            raise Refused(409, "newer")
        self.items[item["metadata"]["name"]] = {**item, "status": {**item["status"], **status}}

    def delete(self, name: str) -> None:
        del self.items[name]

    def _set(self, item: dict[str, Any], **conditions: str) -> None:
        others = [each for each in item["status"]["conditions"] if each["type"] not in conditions]
        item["status"]["conditions"] = others + [{"type": kind, "status": to} for kind, to in conditions.items()]


def run(api: Admitting, *workloads: Workload, until: float = 60_000.0) -> list[Record]:
    records = {f"w{number}": Record(each) for number, each in enumerate(workloads)}
    objects = {name: {"metadata": {"name": name}} for name in records}
    replay(api, records, objects, minutes_per_second=FAST, until_minutes=until, tell=lambda _: None)
    return [*records.values()]


def test_work_runs_for_as_long_as_it_lasts() -> None:
    """And its quota is given back."""
    (record,) = run(Admitting(), workload(duration=900.0))

    assert record.finished
    assert record.runs[0][1] - record.runs[0][0] >= 900


def test_work_waits_for_its_arrival() -> None:
    """Minutes count from the begin of the replay."""
    (record,) = run(Admitting(), workload(arrival=1200.0))

    assert record.runs[0][0] >= 1200
    assert record.wait_minutes is not None
    assert record.wait_minutes >= 0


def test_preempted_work_goes_on_from_its_checkpoint() -> None:
    """It runs twice, keeps whole hours, and ends once."""
    (record,) = run(Admitting(evict_once=("w0",)), workload(duration=1500.0))

    assert record.preemptions == 1
    assert len(record.runs) == 2
    assert record.finished
    assert record.done_minutes % 60 == 0
    assert record.done_minutes > 0


def test_a_conflict_is_tried_again() -> None:
    """Kueue wrote between our reading and our writing."""
    (record,) = run(Admitting(conflict=True), workload())

    assert record.finished


def test_the_replay_ends_at_its_last_minute() -> None:
    """Work that runs then has run until then, and is not finished."""
    (record,) = run(Admitting(), workload(duration=1e6), until=3000.0)

    assert not record.finished
    assert record.runs[0][1] > 0


def test_a_released_workload_has_no_reservation() -> None:
    """What the job integration of Kueue does when a job has stopped."""
    conditions = [{"type": kind, "status": "True"} for kind in ("QuotaReserved", "Admitted", "Evicted")]
    status = released(
        {"metadata": {"name": "w"}, "status": {"admission": {"clusterQueue": "ants"}, "conditions": conditions}}
    )

    assert status["admission"] is None
    assert {each["type"]: each["status"] for each in status["conditions"]} == {
        "Evicted": "True",
        "QuotaReserved": "False",
        "Admitted": "False",
    }


def test_measures_count_what_was_used_until_the_last_arrival() -> None:
    """Two teams on 16 accelerators for ten hours: eight for five hours, and nothing."""
    used = Record(workload(duration=300.0), runs=[(0.0, 300.0)], finished=True)
    waiting = Record(workload(team="bees", duration=300.0))

    measures = measure([used, waiting], accelerators=16, horizon_minutes=600.0)

    assert measures.utilisation == pytest.approx(0.25)
    assert measures.fairness == pytest.approx(0.5)
    assert [(team.team, team.admitted, team.accelerator_hours, team.mean_wait_hours) for team in measures.teams] == [
        ("ants", 1, 40.0, 0.0),
        ("bees", 0, 0.0, None),
    ]
    assert [in_use([used, waiting], "ants", minute) for minute in (0.0, 299.0, 300.0)] == [8, 8, 0]


@pytest.mark.parametrize(("shares", "index"), [([1.0, 1.0], 1.0), ([1.0, 0.0], 0.5), ([], 1.0)])
def test_fairness_is_jains_index(shares: list[float], index: float) -> None:
    """Between 1/n and 1."""
    assert jain(shares) == pytest.approx(index)
