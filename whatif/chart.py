"""A page with both replays: accelerators in use by team over time, and the measures."""

import html
from collections.abc import Iterator, Mapping

from whatif.measures import in_use
from whatif.report import HEADER, rows
from whatif.trial import Outcome

WIDTH, HEIGHT, STEPS = 900, 220, 180
_COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb")
_STYLE = "body{font:15px sans-serif;max-width:960px;margin:2em auto}td,th{padding:.2em .8em;text-align:right}svg{border:1px solid #ccc}"


def page(title: str, outcomes: Mapping[str, Outcome]) -> str:
    body = [f"<h1>{html.escape(title)}</h1>", *_table(outcomes)]
    teams = sorted({record.workload.team for outcome in outcomes.values() for record in outcome.records})
    body.append(f"<p>{_legend(teams)}</p>")
    for side, outcome in outcomes.items():
        body += [f"<h2>{html.escape(side)}</h2>", *_svg(outcome, teams)]
    head = f'<meta charset="utf-8"><title>{html.escape(title)}</title><style>{_STYLE}</style>'
    return "\n".join(["<!doctype html>", head, *body]) + "\n"


def _table(outcomes: Mapping[str, Outcome]) -> Iterator[str]:
    yield "<table>"
    yield _row("th", HEADER)
    yield from (_row("td", row) for row in rows(outcomes))
    yield "</table>"


def _row(cell: str, texts: tuple[str, ...]) -> str:
    return f"<tr>{''.join(f'<{cell}>{html.escape(text)}</{cell}>' for text in texts)}</tr>"


def _legend(teams: list[str]) -> str:
    return " ".join(
        f'<span style="color:{_COLOURS[number % len(_COLOURS)]}">&#9632;</span> {html.escape(team)}'
        for number, team in enumerate(teams)
    )


def _svg(outcome: Outcome, teams: list[str]) -> Iterator[str]:
    """Areas on top of each other; the upper edge of the drawing is everything that there is."""
    last = max((end for record in outcome.records for _, end in record.runs), default=1.0)
    minutes = [last * step / STEPS for step in range(STEPS + 1)]
    floor = [0] * len(minutes)
    yield f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img">'
    for number, team in enumerate(teams):
        top = [below + in_use(outcome.records, team, minute) for below, minute in zip(floor, minutes, strict=True)]
        points = [*_points(top, outcome.accelerators), *reversed(_points(floor, outcome.accelerators))]
        yield f'<polygon fill="{_COLOURS[number % len(_COLOURS)]}" points="{" ".join(points)}"/>'
        floor = top
    yield "</svg>"
    yield f"<p>{last / 60:.0f} hours from left to right, {outcome.accelerators} accelerators from bottom to top.</p>"


def _points(values: list[int], most: int) -> list[str]:
    return [
        f"{WIDTH * step / STEPS:.1f},{HEIGHT - HEIGHT * value / max(most, 1):.1f}" for step, value in enumerate(values)
    ]
