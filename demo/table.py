"""The outcome as a table, and below it what was said where there is more to say."""

from collections.abc import Iterator

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from demo.play import Outcome

_COLOURS = {"admitted": "green", "preempted": "yellow", "rejected": "red", "waiting": "cyan"}


def programme(outcomes: list[Outcome]) -> Group:
    return Group(_table(outcomes), "", *_notes(outcomes))


def _table(outcomes: list[Outcome]) -> Table:
    drawn = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    for column in ("request", "cluster", "queue", "priority", "pods", "outcome"):
        drawn.add_column(column, no_wrap=True)
    for outcome in outcomes:
        seen = outcome.sighting
        place = (seen.cluster, seen.queue, seen.priority, str(seen.pods)) if seen else ("", "", "", "")
        drawn.add_row(outcome.scene.file, *place, _coloured(outcome.standing))
    return drawn


def _notes(outcomes: list[Outcome]) -> Iterator[Padding]:
    """A rejection in the policy's words, a preemption in Kueue's."""
    for outcome in outcomes:
        said = outcome.submission.message
        if not said and outcome.sighting and outcome.standing != "admitted":
            said = outcome.sighting.detail
        if said:
            heading = Text.assemble((f"{outcome.scene.file}: ", "bold"), outcome.scene.story, "\n")
            yield Padding(Text.assemble(heading, (said, "dim")), (0, 0, 1, 0))


def _coloured(standing: str) -> Text:
    return Text(standing, style=_COLOURS.get(standing, "bold red"))
