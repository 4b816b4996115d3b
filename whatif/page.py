"""The comparison as one HTML page: no script, nothing loaded from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from whatif import chart, table
from whatif.comparison import Comparison
from whatif.measures import Place

_STYLE = """
body { font: 15px/1.45 sans-serif; max-width: 960px; margin: 2em auto; padding: 0 1em; color-scheme: light dark }
table { border-collapse: collapse; margin: .5em 0 1em } th, td { padding: .2em .8em .2em 0; text-align: left } svg { max-width: 100%; height: auto }
"""


def page(comparison: Comparison) -> str:
    base, head = (escape(side) for side in comparison.sides)
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>What if</title>',
            f"<style>{_STYLE}</style></head><body>",
            f"<h1>What if: {base} → {head}</h1>",
            *(part for place in comparison.measures for part in _place(comparison, place)),
            "<h2>Notes</h2>",
            *(f"<p>{escape(note)}</p>" for note in table.notes(comparison)),
            "</body></html>\n",
        ]
    )


def _place(comparison: Comparison, place: Place) -> Iterator[str]:
    yield f"<h2>{escape(table.title(comparison, place))}</h2>"
    yield _table(comparison, place)
    yield "<h3>Waiting: median dark, 90 % of workloads light</h3>"
    yield chart.waits(comparison, place)
    yield f"<h3>{escape(place.unit)} in use</h3>"
    yield chart.legend(chart.teams(comparison, place))
    yield chart.use(comparison, place)


def _table(comparison: Comparison, place: Place) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in table.HEADER)
    body = "\n".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in table.rows(comparison, place)
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>"
