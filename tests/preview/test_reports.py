"""Whole reports as reviewers get them: a change of the toy definition in, the Markdown out."""

import pytest

from skyfleet.preview.concern import Level
from skyfleet.preview.data_of import data_of
from skyfleet.preview.markdown import markdown
from tests.preview.cases import BLESS, CASES, GOLDEN, report_of


@pytest.mark.parametrize("name", CASES)
def test_the_report_of_a_change(name: str) -> None:
    """Verdict, sections and folded details are as accepted."""
    text = markdown(report_of(name))

    assert text == (GOLDEN / f"{name}.md").read_text(encoding="utf-8"), f"if the new report is right, run `{BLESS}`"


def test_every_accepted_report_has_its_change() -> None:
    """A report whose change is gone would be read as tested."""
    assert {file.stem for file in GOLDEN.glob("*")} == set(CASES)


@pytest.mark.parametrize(
    ("name", "level", "exit_code"),
    [
        ("nothing", Level.SAFE, 0),
        ("quota-up", Level.SAFE, 0),
        ("quota-down", Level.ATTENTION, 1),
        ("preset-changed", Level.DESTROYS, 1),
        ("base-has-no-definition", Level.ATTENTION, 1),
        ("head-is-broken", Level.ATTENTION, 2),
        ("base-is-broken", Level.ATTENTION, 2),
    ],
)
def test_the_exit_code_follows_the_verdict(name: str, level: Level, exit_code: int) -> None:
    """0 merge it, 1 look at it, 2 there was nothing to compare."""
    report = report_of(name)

    assert (report.level, report.exit_code) == (level, exit_code)


def test_the_data_begin_with_the_verdict() -> None:
    """Programs need not know the sections to act on a report."""
    data = data_of(report_of("preset-changed"))

    assert data["verdict"] == "destroys or interrupts"
    assert data["exit_code"] == 1
    assert data["concerns"] == [
        {"level": "destroys or interrupts", "text": "north: re-creates nodes (north-cpu)"},
        {"level": "needs attention", "text": "task preprocess (preprocess.yaml) is rejected from now on"},
    ]
    assert data["clusters"][0]["outcomes"] == ["re-creates nodes"]
