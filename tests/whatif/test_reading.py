"""Workload files: what is read, and what is said of lines that cannot be."""

from pathlib import Path

import pytest

from tests import toy
from tests.whatif import lists
from whatif.reading import UnreadableWorkloads, read


def test_workloads_come_by_arrival_with_minutes_since_the_first(tmp_path: Path) -> None:
    """The order of the file does not matter; the line is kept for messages."""
    path = lists.file(
        tmp_path, {"name": "late", "arrival": "2026-11-02T10:30"}, {"name": "early", "checkpoint_minutes": "30"}
    )

    found = read(path, [toy.fleet(tmp_path)])

    assert found == (
        lists.workload(name="early", checkpoint_minutes=30, line=3),
        lists.workload(name="late", arrival_minutes=90, line=2),
    )


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"name": ""}, "has no name; name it; the report tells workloads by their names"),
        ({"team": "ant"}, "has team 'ant', which neither definition knows; did you mean 'ants'?"),
        ({"team": "owls"}, "has team 'owls', which neither definition knows; write one of ants, bees"),
        ({"cluster": "nort"}, "has cluster 'nort', which neither definition knows; did you mean 'north'?"),
        ({"priority": "urgent"}, "has priority 'urgent', which neither definition knows; write one of high, low"),
        ({"arrival": "Monday"}, "has arrival 'Monday', which is no time; write for example 2026-11-02T09:15"),
        ({"shape": "8"}, "has shape '8' is not NODESxUNIT:COUNT; write for example 2xH200:8 or 1xcpu:4"),
        ({"shape": "0xH200:8"}, "has shape '0xH200:8' is not NODESxUNIT:COUNT; write for example 2xH200:8 or 1xcpu:4"),
        ({"duration_minutes": "0"}, "has duration_minutes '0'; write whole minutes, 1 or more"),
        ({"duration_minutes": "1.5"}, "has duration_minutes '1.5'; write whole minutes, 1 or more"),
        ({"checkpoint_minutes": "-5"}, "has checkpoint_minutes '-5'; write whole minutes, 1 or more"),
        ({"checkpoint_minutes": "5,6"}, "has more fields than the header; quote fields that hold a comma"),
    ],
)
def test_a_line_that_cannot_be_used_is_told(tmp_path: Path, row: dict[str, str], message: str) -> None:
    """File, line, what and the remedy."""
    path = lists.file(tmp_path, row)

    assert _said(path, tmp_path) == [f"{path}:2: WORKLOAD {message}"]


def test_all_mistakes_are_told_in_one_run(tmp_path: Path) -> None:
    """Those of every line."""
    path = lists.file(
        tmp_path, {"team": "owls", "shape": "8"}, {"name": "two", "duration_minutes": ""}, {"name": "two"}
    )

    assert [line.removeprefix(f"{path}:").partition(" has ")[0] for line in _said(path, tmp_path)] == [
        "2: WORKLOAD",
        "2: WORKLOAD",
        "3: WORKLOAD",
        "4: WORKLOAD",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no column name, arrival, team, priority, cluster, shape, duration_minutes"),
        ("name,arrival\n", "has no column team, priority, cluster, shape, duration_minutes"),
        ("name,arrival,team,priority,cluster,shape,duration_minutes\n", "holds no workload"),
        ("\udcff", "is not UTF-8 text"),
    ],
)
def test_a_file_that_is_no_list_is_told(tmp_path: Path, text: str, message: str) -> None:
    """At its first line."""
    path = tmp_path / "workloads.csv"
    path.write_bytes(text.encode(errors="surrogateescape"))

    (said,) = _said(path, tmp_path)

    assert said.startswith(f"{path}:1: WORKLOAD {message}; ")


def test_what_one_definition_knows_is_known(tmp_path: Path) -> None:
    """A team that the change adds or removes may be in the list."""
    before, after = (
        toy.fleet(tmp_path / side, changes) for side, changes in (("a", {"teams.bees": toy.GONE}), ("b", None))
    )

    (found,) = read(lists.file(tmp_path, {"team": "bees"}), [before, after])

    assert found.team == "bees"


def _said(path: Path, root: Path) -> list[str]:
    with pytest.raises(UnreadableWorkloads) as caught:
        read(path, [toy.fleet(root)])
    return [str(finding) for finding in caught.value.findings]
