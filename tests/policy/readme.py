"""The parts of policy/README.md that follow from the code."""

from __future__ import annotations

import re
from pathlib import Path

from skyfleet_policy.pods import FIELDS
from skyfleet_policy.rules import RULES

README = Path(__file__).parents[2] / "policy" / "README.md"


def current() -> str:
    """The page as it should be."""
    text = README.read_text()
    for name, table in (("rules", _rules()), ("fields", _fields())):
        text = re.sub(
            rf"(?s)<!-- {name} -->.*?<!-- end -->", lambda _, n=name, t=table: f"<!-- {n} -->\n{t}\n<!-- end -->", text
        )
    return text


def _rules() -> str:
    rows = [f"| {rule.name} | {rule.promise} | {', '.join(kind.value for kind in rule.kinds)} |" for rule in RULES]
    return "\n".join(["| rule | promise | requests |", "| --- | --- | --- |", *rows])


def _fields() -> str:
    rows = [f"| `{field.path}` | {field.action} | {field.reason} |" for field in FIELDS]
    return "\n".join(["| field | action | reason |", "| --- | --- | --- |", *rows])
