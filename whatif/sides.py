"""The two definitions that are compared, sound and ready to be replayed."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from skyfleet.finding import Finding
from skyfleet.model import Fleet
from skyfleet.preview.preview import base_side
from skyfleet.preview.side import Side, read


class UnsoundSide(Exception):  # noqa: N818 - it names what was given
    """A definition that cannot be replayed; the message says which and why."""

    def __init__(self, message: str, findings: tuple[Finding, ...] = ()) -> None:
        super().__init__(message)
        self.findings = findings


def sides(folder: Path, base: str, today: date) -> dict[str, Fleet]:
    """The base under the name by which readers know it, then the working tree.

    Raises UnsoundSide.
    """
    with TemporaryDirectory(prefix="skyfleet-base-") as temporary:
        name, before = base_side(folder, base, Path(temporary), today)
    after = read(folder, folder.name, today)
    return {name: _sound(name, before), HEAD: _sound("the " + HEAD, after)}


HEAD = "working tree"


def _sound(name: str, side: Side) -> Fleet:
    if side.fleet is None and not side.findings:
        raise UnsoundSide(f"{name} cannot be replayed: {side.unreadable or side.missing}")
    errors = tuple(finding for finding in side.findings if finding.severity == "error")
    if side.fleet is None or errors:
        raise UnsoundSide(
            f"{name} cannot be replayed, its definition has {len(errors)} mistakes; mend them first", errors
        )
    return side.fleet
