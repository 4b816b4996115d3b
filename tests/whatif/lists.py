"""Workloads and their files: a test names only what matters to it."""

from pathlib import Path
from typing import Any

from whatif.reading import COLUMNS
from whatif.workload import Shape, Workload

ROW = {
    "name": "one",
    "arrival": "2026-11-02T09:00",
    "team": "ants",
    "priority": "low",
    "cluster": "north",
    "shape": "1xH200:8",
    "duration_minutes": "60",
    "checkpoint_minutes": "",
}
"""A line for the toy definition."""


def file(folder: Path, *rows: dict[str, str]) -> Path:
    """A workload file in which each row differs from ROW as it says."""
    lines = [",".join(COLUMNS), *(",".join((ROW | row)[column] for column in COLUMNS) for row in rows)]
    path = folder / "workloads.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def workload(shape: str = "1xH200:8", **changes: Any) -> Workload:
    usual: dict[str, Any] = {
        "name": "one",
        "arrival_minutes": 0,
        "team": "ants",
        "priority": "low",
        "cluster": "north",
        "duration_minutes": 60,
    }
    return Workload(shape=Shape.parse(shape), **(usual | changes))
