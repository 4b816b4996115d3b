"""What the rules are, for readers: one of them in a terminal, all of them in docs/rules.md."""

import difflib
from itertools import groupby

from skyfleet.check.registry import DEFINITION_RULES, RULES, AnyRule

FAMILIES = {
    "NAME": "Names that are labels, queues and Kubernetes objects at once",
    "REF": "Names that a file mentions",
    "POOL": "Pools and their machines",
    "NEBIUS": "Nebius",
    "GKE": "Google Kubernetes Engine",
    "QUOTA": "Quotas",
    "PRIORITY": "Priorities",
    "PROFILE": "Profiles",
    "QUEUE": "Queueing",
    "ROUTING": "Routing",
    "PRICE": "Prices",
    "KUEUE": "Generated Kueue objects",
}


class UnknownRule(LookupError):  # noqa: N818 - it names what was asked for
    """There is no rule of this name; the message names the nearest."""


def explain(name: str) -> str:
    """A rule in a paragraph.

    Raises:
        UnknownRule: with the nearest name.
    """
    found = next((rule for rule in RULES if rule.name == name.upper()), None)
    if found is None:
        close = difflib.get_close_matches(name.upper(), [rule.name for rule in RULES], n=1, cutoff=0.4)
        raise UnknownRule(f"there is no rule '{name}'; {f'did you mean {close[0]}?' if close else 'see docs/rules.md'}")
    return f"{found.name}: {found.reason}.\nLooks at: {_looks_at(found)}\nSource: {found.source}\n"


def document() -> str:
    """docs/rules.md, without its stamp."""
    lines = [
        "# Rules",
        "",
        f"`skyfleet check` runs {len(RULES)} rules; `skyfleet check --explain RULE` prints one. Findings are errors unless they say",
        "`(warning)`: warnings are about what works but harms. Objects are looked at once the definition is without errors.",
    ]
    for family, rules in groupby(sorted(RULES, key=_place), key=lambda rule: rule.family):
        lines += ["", f"## {FAMILIES[family]}", "", "| rule | because | source |", "| --- | --- | --- |"]
        lines += [f"| {rule.name} | {rule.reason} | {rule.source} |" for rule in rules]
    return "\n".join(lines) + "\n"


def _place(rule: AnyRule) -> int:
    return list(FAMILIES).index(rule.family)


def _looks_at(rule: AnyRule) -> str:
    return "the definition" if rule in DEFINITION_RULES else "the generated Kueue objects"
