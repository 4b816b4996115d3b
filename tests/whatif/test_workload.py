"""Files of workloads."""

from pathlib import Path

import pytest

from whatif.synthetic import WEEK, week
from whatif.workload import COLUMNS, Workload, WorkloadFileError, read, text

HEADER = ",".join(COLUMNS)
LATE = Workload(60.0, "north", "ants", "low", "H200", 8, 2, 90.0)
EARLY = Workload(5.0, "north", "bees", "high", "H200", 1, 1, 30.5)


def test_what_is_written_is_read_again_in_the_order_of_arrival(tmp_path: Path) -> None:
    """Recordings of several clusters can be put behind each other."""
    file = tmp_path / "workloads.csv"
    file.write_text(text([LATE, EARLY]), encoding="utf-8")

    assert read(file) == [EARLY, LATE]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("a,b\n", f"the first line is ['a', 'b']; it should be {HEADER}"),
        (
            f"{HEADER}\n1,north,ants,low,H200,eight,1,5\n",
            "row 2: invalid literal for int() with base 10: 'eight'; give numbers",
        ),
        (f"{HEADER}\n1,north,ants,low,H200,0,1,5\n", "row 2: sizes and durations must be above 0, arrivals 0 or more"),
        (f"{HEADER}\n1,north\n", "row 2: "),
    ],
)
def test_a_line_that_cannot_be_used_is_named(content: str, said: str, tmp_path: Path) -> None:
    """What, where and the remedy."""
    file = tmp_path / "workloads.csv"
    file.write_text(content, encoding="utf-8")

    with pytest.raises(WorkloadFileError) as caught:
        read(file)

    assert said in str(caught.value)


def test_a_missing_file_is_said_to_be_missing(tmp_path: Path) -> None:
    """No traceback for a slip of the pen."""
    with pytest.raises(WorkloadFileError, match=r"cannot be read .* name a CSV file with --workloads"):
        read(tmp_path / "none.csv")


def test_the_sample_week_is_the_one_that_the_generator_makes() -> None:
    """`python -m whatif.synthetic` writes it; a change of the generator shows in the file."""
    assert WEEK.read_text(encoding="utf-8") == text(week("nebius-eu-north1", "H200"))
