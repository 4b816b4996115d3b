"""Workloads to replay: recorded ones, or made up."""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass, fields
from pathlib import Path


class WorkloadFileError(ValueError):
    """The file cannot be used; the message names line, column and remedy."""


@dataclass(frozen=True, order=True)
class Workload:
    """One gang: `nodes` pods of `per_node` accelerators each; with accelerator `cpu`, of so many cores."""

    arrival_minutes: float
    cluster: str
    team: str
    priority: str
    accelerator: str
    per_node: int
    nodes: int
    duration_minutes: float

    @property
    def size(self) -> int:
        return self.per_node * self.nodes


COLUMNS = tuple(field.name for field in fields(Workload))


def read(path: Path) -> list[Workload]:
    """Workloads of a CSV file in the order of their arrival.

    Raises:
        WorkloadFileError: it is missing, or a line of it is none.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise WorkloadFileError(f"{path}: cannot be read ({error}); name a CSV file with --workloads") from None
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    if tuple(rows.fieldnames or ()) != COLUMNS:
        raise WorkloadFileError(f"{path}: the first line is {rows.fieldnames}; it should be {','.join(COLUMNS)}")
    return sorted(_workloads(path, rows))


def text(workloads: Iterable[Workload]) -> str:
    """As `read` takes it."""
    rows = (
        ",".join(f"{value:g}" if isinstance(value, float) else str(value) for value in astuple(each))
        for each in workloads
    )
    return "\n".join([",".join(COLUMNS), *rows]) + "\n"


def _workloads(path: Path, rows: Iterable[dict[str, str]]) -> Iterator[Workload]:
    for number, row in enumerate(rows, 2):
        try:
            workload = Workload(
                arrival_minutes=float(row["arrival_minutes"]),
                cluster=row["cluster"],
                team=row["team"],
                priority=row["priority"],
                accelerator=row["accelerator"],
                per_node=int(row["per_node"]),
                nodes=int(row["nodes"]),
                duration_minutes=float(row["duration_minutes"]),
            )
        except (TypeError, ValueError) as error:
            raise WorkloadFileError(
                f"{path}: row {number}: {error}; give numbers for minutes, sizes and nodes"
            ) from None
        if workload.size < 1 or workload.duration_minutes <= 0 or workload.arrival_minutes < 0:
            raise WorkloadFileError(f"{path}: row {number}: sizes and durations must be above 0, arrivals 0 or more")
        yield workload
