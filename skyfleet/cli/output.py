"""Output: text for people, JSON for programs, colours only where they are wanted."""

import dataclasses
import json
from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from rich.console import Console
from rich.text import Text

from skyfleet.finding import Finding

out = Console(soft_wrap=True, highlight=False)
err = Console(stderr=True, soft_wrap=True, highlight=False)


class Format(StrEnum):
    """`text` is for people and editors, `json` for programs."""

    text = "text"
    json = "json"


class UnusableInput(Exception):  # noqa: N818 - it names what was given, not what went wrong in the program
    """Something given to a command cannot be used at all: exit code 2."""


def complain(message: str) -> None:
    err.print(Text.assemble(("error: ", "bold red"), message))


def print_json(content: Any) -> None:
    print(json.dumps(content, indent=2, ensure_ascii=False, default=str))


def print_findings(findings: Iterable[Finding], form: Format) -> None:
    if form is Format.json:
        print_json([dataclasses.asdict(finding) for finding in findings])
        return
    for finding in findings:
        out.print(_line(finding))


def _line(finding: Finding) -> Text:
    colour = "bold red" if finding.severity == "error" else "bold yellow"
    return Text.assemble(
        (f"{finding.path}:{finding.line}: ", "bold"),
        (finding.rule, colour),
        " " if finding.severity == "error" else " (warning) ",
        finding.message,
        ("; ", "dim"),
        (finding.remedy, "green"),
    )
