"""The sample week that ships."""

import csv
from pathlib import Path

from skyfleet.load import load
from tools import paths
from whatif.demand import place
from whatif.generate import week
from whatif.reading import COLUMNS, read

WEEK = paths.REPOSITORY / "examples" / "workloads" / "week.csv"
ACCEPT = "python -m whatif.generate > examples/workloads/week.csv"


def test_the_file_is_what_the_generator_makes() -> None:
    """The same seed gives the same week, on every machine."""
    with WEEK.open(encoding="utf-8", newline="") as file:
        rows = [{column: row[column] for column in COLUMNS} for row in csv.DictReader(file)]

    assert rows == week(), f"accept with: {ACCEPT}"


def test_every_workload_of_it_has_a_place_in_the_shipped_definition() -> None:
    """Known names, and shapes that fit."""
    fleet = load(Path(paths.REPOSITORY / "fleet")).fleet
    assert fleet is not None

    placed = [place(workload, fleet) for workload in read(WEEK, [fleet])]

    assert {demand.pool for demand in placed} == {"h200", "l4", "cpu"}
