"""The report: everything that is known of a change, as data."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from skyfleet.finding import Where
from skyfleet.preview import clusters, costs, fields, findings, quotas, routing
from skyfleet.preview.clusters import Capture, ClusterChange
from skyfleet.preview.concern import Concern, Level
from skyfleet.preview.costs import Costs
from skyfleet.preview.fields import FieldChange
from skyfleet.preview.findings import Findings
from skyfleet.preview.quotas import Quotas
from skyfleet.preview.routing import Routing
from skyfleet.preview.side import Side, without


@dataclass(frozen=True)
class Report:
    base: str
    """What it was compared with, as a reader knows it."""
    today: date
    notes: tuple[str, ...]
    """What could not be compared, and why."""
    unusable: bool
    """Whether a whole side is missing or cannot be used."""
    fields: tuple[FieldChange, ...]
    clusters: tuple[ClusterChange, ...]
    quotas: Quotas
    routing: Routing
    costs: Costs
    findings: Findings

    def concerns(self) -> list[Concern]:
        """The weightiest first."""
        return sorted(self._concerns(), key=lambda concern: -concern.level)

    @property
    def level(self) -> Level:
        return max((concern.level for concern in self.concerns()), default=Level.SAFE)

    @property
    def exit_code(self) -> int:
        """0 nothing to look at, 1 something, 2 there was nothing to compare."""
        return 2 if self.unusable else int(self.level > Level.SAFE)

    def _concerns(self) -> Iterator[Concern]:
        yield from (Concern(Level.ATTENTION, note) for note in self.notes)
        for cluster in self.clusters:
            yield from cluster.concerns()
        for section in (self.quotas, self.routing, self.findings):
            yield from section.concerns()


@dataclass(frozen=True)
class Comparison:
    """What is to be compared."""

    base: Side
    head: Side
    name_of_base: str
    today: date
    tasks: tuple[Path, ...]
    """Folders of sample tasks."""
    capture: Capture
    own_programs: bool = False
    """Whether each side's program is its own: then clusters may differ whose definition does not."""


def report(comparison: Comparison) -> Report:
    base, head = comparison.base, comparison.head
    broken = base.broken | head.broken
    left, right = without(base, broken), without(head, broken)
    if left.fleet is None or right.fleet is None or ("organization",) in broken:
        left, right = _one_sided(left, right)
    with ThreadPoolExecutor(1) as beside:
        # the program runs in a process of its own: SkyPilot is imported in the meantime
        resources = beside.submit(
            clusters.compare, left, right, comparison.capture, all_of_them=comparison.own_programs
        )
        routed = routing.compare(left, right, list(comparison.tasks))
        changed = resources.result()
    return Report(
        base=comparison.name_of_base,
        today=comparison.today,
        notes=tuple(_notes(base, head)),
        unusable=head.fleet is None or (base.fleet is None and not _is_first(base)),
        fields=tuple(fields.changes(left, right)),
        clusters=changed,
        quotas=quotas.compare(left, right),
        routing=routed,
        costs=costs.compare(left, right),
        findings=findings.compare(base, head),
    )


def _one_sided(base: Side, head: Side) -> tuple[Side, Side]:
    """With one side only, everything of it would be new or gone, which is so only if there is no definition on the other."""
    if head.fleet is not None and _is_first(base):
        return base, head
    return Side(), Side()


def _is_first(base: Side) -> bool:
    return base.missing is not None


def _notes(base: Side, head: Side) -> Iterator[str]:
    for name, side in (("the base", base), ("the working tree", head)):
        if side.unreadable is not None:
            yield side.unreadable
        elif side.missing is not None:
            yield f"{name} has no definition: {side.missing}"
        elif side.fleet is None:
            yield f"the definition of {name} cannot be used, so only what the check finds is shown"
        for key in sorted(side.broken, key=str):
            yield f"{_file(key)} of {name} has mistakes and is not compared"


def _file(key: Where) -> str:
    """`("teams", "search")` as teams/search.yaml; the organization is in fleet.yaml."""
    return f"{'/'.join('fleet' if part == 'organization' else str(part) for part in key)}.yaml"
