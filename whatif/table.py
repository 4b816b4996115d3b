"""The comparison as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from skyfleet.preview.markdown.text import table as markdown_table
from whatif.comparison import Comparison
from whatif.measures import Place, PlaceMeasures, TeamMeasures

HEADER = ("team", "workloads", "never", "median wait", "90 % wait", "preempted", "lost hours", "served")
ARROW = " → "
T = TypeVar("T")


def lines(comparison: Comparison) -> Iterator[str]:
    """A table for each place; a cell tells base → head, or one value where they are equal."""
    for place in comparison.measures:
        yield from (title(comparison, place), "", *markdown_table(HEADER, rows(comparison, place)), "")
    yield from notes(comparison)


def title(comparison: Comparison, place: Place) -> str:
    sides = _sides(comparison, place)
    use = _cell(sides, lambda of: f"{of.utilisation:.0%}")
    fair = _cell(sides, lambda of: f"{of.fairness:.2f}")
    same = "; both definitions treat it alike" if place.cluster in comparison.alike else ""
    return f"{place}: {use} in use, fairness {fair}{same}"


def rows(comparison: Comparison, place: Place) -> Iterator[tuple[str, ...]]:
    sides = _sides(comparison, place)
    for team in sorted({team for of in sides for team in of.teams}):
        own = [of.teams[team] for of in sides if team in of.teams]
        yield (team, *(_cell(own, tell) for tell in _COLUMNS))


def notes(comparison: Comparison) -> Iterator[str]:
    for side, name, reason in comparison.never():
        yield f"{name} never starts under {side}: {reason}"
    for side, name, times in comparison.circles():
        yield f"{name} and its rivals preempt each other in circles under {side}, at {times} moments; Kueue does (kubernetes-sigs/kueue#14543)"
    speed = comparison.speed
    yield (
        f"Replayed in {speed.seconds:.0f} s, {speed.compression:.0f} times as fast. Waits hold no time of Kueue's own; arrivals within "
        f"{speed.tie_minutes:.0f} minutes of each other may change places if neither had to wait."
    )


def hours(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f} h"


_COLUMNS: tuple[Callable[[TeamMeasures], str], ...] = (
    lambda of: str(of.submitted),
    lambda of: str(of.never),
    lambda of: hours(of.median_wait_hours),
    lambda of: hours(of.p90_wait_hours),
    lambda of: str(of.preemptions),
    lambda of: f"{of.lost_unit_hours:.0f}",
    lambda of: f"{of.served:.0%}",
)


def _sides(comparison: Comparison, place: Place) -> list[PlaceMeasures]:
    return [comparison.measures[place][side] for side in comparison.sides if side in comparison.measures[place]]


def _cell(sides: list[T], tell: Callable[[T], str]) -> str:
    told = [tell(of) for of in sides]
    return told[0] if len(set(told)) == 1 else ARROW.join(told)
