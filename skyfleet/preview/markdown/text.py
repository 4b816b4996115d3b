"""Pieces of Markdown."""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

MOST_ROWS = 60
"""GitHub takes comments of 65,536 characters."""
_MOST_CHARACTERS = 120


def code(value: Any) -> str:
    """A code span, which may hold backticks and stand in a table."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    text = re.sub(r"\s+", " ", text)
    if len(text) > _MOST_CHARACTERS:
        text = f"{text[: _MOST_CHARACTERS - 1]}…"
    fence = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") or not text else ""
    return f"{fence}{pad}{text}{pad}{fence}".replace("|", "\\|")


def block(lines: Iterable[str]) -> list[str]:
    """A code block, which may hold code blocks."""
    lines = list(lines)
    fence = "`" * max(3, *(len(run) + 1 for line in lines for run in re.findall("`+", line)), 3)
    return [f"{fence}text", *lines, fence]


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    rows = list(rows)
    lines = [_row(header), _row(["---"] * len(header)), *map(_row, rows[:MOST_ROWS])]
    return [*lines, "", f"and {len(rows) - MOST_ROWS} more"] if len(rows) > MOST_ROWS else lines


def details(summary: str, body: Iterable[str]) -> list[str]:
    return [f"<details><summary>{summary}</summary>", "", *body, "", "</details>"]


def change(before: Any, after: Any) -> str:
    return f"{before}" if before == after else f"{before} → {after}"


def usd(amount: float, *, signed: bool = False) -> str:
    sign = "-" if amount <= -0.5 else "+" if signed and amount >= 0.5 else ""  # noqa: PLR2004 - rounds to nothing
    return f"{sign}${abs(amount):,.0f}"


def count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
