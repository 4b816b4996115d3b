"""What `skyfleet check` finds, and which of it is new."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from skyfleet.finding import Finding
from skyfleet.preview.concern import Concern, Level
from skyfleet.preview.side import Side


@dataclass(frozen=True)
class Findings:
    new: tuple[Finding, ...]
    old: tuple[Finding, ...]
    """Those that the base has too."""
    fixed: tuple[Finding, ...]

    def __bool__(self) -> bool:
        return bool(self.new or self.old or self.fixed)

    def concerns(self) -> Iterator[Concern]:
        errors = [finding for finding in (*self.new, *self.old) if finding.severity == "error"]
        if errors:
            new = sum(finding.severity == "error" for finding in self.new)
            yield Concern(Level.ATTENTION, f"the check finds {_count(len(errors), 'error')}, {new} new")
        warnings = sum(finding.severity == "warning" for finding in self.new)
        if warnings:
            yield Concern(Level.ATTENTION, f"the check finds {_count(warnings, 'new warning')}")


def compare(base: Side, head: Side) -> Findings:
    """A finding is the same if rule, file and message are: lines move."""
    before = Counter(map(_identity, base.findings))
    after = Counter(map(_identity, head.findings))
    return Findings(
        new=tuple(finding for finding in head.findings if not before[_identity(finding)]),
        old=tuple(finding for finding in head.findings if before[_identity(finding)]),
        fixed=tuple(finding for finding in base.findings if not after[_identity(finding)]),
    )


def _identity(finding: Finding) -> tuple[str, str, str]:
    return finding.rule, finding.path, finding.message


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
