"""Read a list of workloads: every line that cannot be used is told, in one run."""

from __future__ import annotations

import csv
import dataclasses
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from pathlib import Path

from skyfleet.finding import Finding
from skyfleet.model import Fleet
from whatif.workload import Shape, Workload

COLUMNS = ("name", "arrival", "team", "priority", "cluster", "shape", "duration_minutes", "checkpoint_minutes")
"""Of a workload file; the last may be empty or missing."""
RULE = "WORKLOAD"
MINUTE = timedelta(minutes=1)


class UnreadableWorkloads(Exception):  # noqa: N818 - it names what was given
    """A file holds lines that cannot be used."""

    def __init__(self, findings: list[Finding]) -> None:
        super().__init__(f"{len(findings)} mistakes in the workloads")
        self.findings = findings


def read(path: Path, fleets: Iterable[Fleet]) -> tuple[Workload, ...]:
    """Workloads of a CSV file by arrival; a team, cluster or priority is known if one of the definitions has it.

    Raises:
        OSError: the file cannot be opened.
        UnreadableWorkloads: with a finding for each mistake.
    """
    reading = _Reading(str(path), tuple(fleets))
    found = [pair for line, row in reading.rows(path) for pair in reading.workload(line, row)]
    if not found and not reading.findings:
        reading.find(1, "holds no workload", "write one a line under the header")
    if reading.findings:
        raise UnreadableWorkloads(reading.findings)
    start = min(arrival for arrival, _ in found)
    since = [dataclasses.replace(workload, arrival_minutes=(at - start) // MINUTE) for at, workload in found]
    return tuple(sorted(since, key=lambda workload: (workload.arrival_minutes, workload.line)))


class _Reading:
    def __init__(self, path: str, fleets: tuple[Fleet, ...]) -> None:
        self.path = path
        self.findings: list[Finding] = []
        self._lines: dict[str, int] = {}
        self._known = {
            "team": {name for fleet in fleets for name in fleet.teams},
            "cluster": {name for fleet in fleets for name in fleet.clusters},
            "priority": {name for fleet in fleets for name in fleet.organization.priorities},
        }

    def rows(self, path: Path) -> Iterator[tuple[int, dict[str, str]]]:
        try:
            lines = path.read_text(encoding="utf-8-sig").splitlines()
        except UnicodeDecodeError:
            self.find(1, "is not UTF-8 text", "save it as UTF-8")
            return
        rows = csv.DictReader(lines, restval="", restkey="")
        missing = [column for column in COLUMNS[:-1] if column not in (rows.fieldnames or ())]
        if missing:
            self.find(1, f"has no column {', '.join(missing)}", f"begin with the line {','.join(COLUMNS)}")
            return
        try:
            yield from ((rows.line_num, row) for row in rows)
        except csv.Error as error:
            self.find(rows.line_num, f"is no CSV ({error})", "quote the field, or shorten it")

    def workload(self, line: int, row: dict[str, str]) -> Iterator[tuple[datetime, Workload]]:
        """One, or none and findings."""
        before = len(self.findings)
        if "" in row:
            self.find(line, "has more fields than the header", "quote fields that hold a comma")
        name = self._name(line, row["name"])
        known = {column: self._one_of(line, column, row[column]) for column in self._known}
        arrival, shape = self._arrival(line, row["arrival"]), self._shape(line, row["shape"])
        duration = self._positive(line, "duration_minutes", row["duration_minutes"])
        saved = row.get("checkpoint_minutes", "").strip()
        checkpoint = self._positive(line, "checkpoint_minutes", saved) if saved else None
        if arrival is not None and shape is not None and len(self.findings) == before:
            yield (
                arrival,
                Workload(
                    name, 0, **known, shape=shape, duration_minutes=duration, checkpoint_minutes=checkpoint, line=line
                ),
            )

    def find(self, line: int, message: str, remedy: str) -> None:
        self.findings.append(Finding(self.path, line, RULE, message, remedy))

    def _name(self, line: int, text: str) -> str:
        name = text.strip()
        if not name:
            self.find(line, "has no name", "name it; the report tells workloads by their names")
        elif name in self._lines:
            self.find(line, f"has the name '{name}' of line {self._lines[name]}", "give each its own")
        self._lines.setdefault(name, line)
        return name

    def _one_of(self, line: int, column: str, text: str) -> str:
        name, known = text.strip(), sorted(self._known[column])
        if name not in known:
            close = get_close_matches(name, known, n=1)
            remedy = f"did you mean '{close[0]}'?" if close else f"write one of {', '.join(known)}"
            self.find(line, f"has {column} '{name}', which neither definition knows", remedy)
        return name

    def _arrival(self, line: int, text: str) -> datetime | None:
        try:
            at = datetime.fromisoformat(text.strip())
        except ValueError:
            self.find(line, f"has arrival '{text}', which is no time", "write for example 2026-11-02T09:15")
            return None
        return at if at.tzinfo else at.replace(tzinfo=UTC)

    def _shape(self, line: int, text: str) -> Shape | None:
        try:
            return Shape.parse(text.strip())
        except ValueError as error:
            message, _, remedy = str(error).partition("; ")
            self.find(line, f"has {message}", remedy)
            return None

    def _positive(self, line: int, column: str, text: str) -> int:
        if text.strip().isascii() and text.strip().isdecimal() and int(text[:9]) > 0:
            return int(text[:9])
        self.find(line, f"has {column} '{text}'", "write whole minutes, 1 or more")
        return 0
