"""Rules about the data and about what is generated from it: named functions in lists, all run, all findings reported."""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import TypeVar

from skyfleet.check.manifests.objects import Objects
from skyfleet.check.registry import DEFINITION_RULES, MANIFEST_RULES, RULES
from skyfleet.check.rule import Problem, Rule, Subject
from skyfleet.finding import Finding
from skyfleet.load import Definition
from skyfleet.model import Fleet

S = TypeVar("S")


def check(definition: Definition, today: date) -> list[Finding]:
    """What loading and every rule found, by file and line. Ages are counted from `today`."""
    found = list(definition.findings)
    if definition.fleet is not None:
        found.extend(_examine(definition, definition.fleet, today))
    return sorted(found)


def _examine(definition: Definition, fleet: Fleet, today: date) -> Iterator[Finding]:
    """Objects are generated only from a definition without errors: from another they would be those of nobody."""
    subject = Subject.of(definition, fleet, today)
    found = [*_findings(definition, DEFINITION_RULES, subject)]
    yield from found
    if any(finding.severity == "error" for finding in (*definition.findings, *found)):
        return
    for cluster in fleet.clusters.values():
        yield from _findings(definition, MANIFEST_RULES, Objects.of(fleet, cluster))


def _findings(definition: Definition, rules: Iterable[Rule[S]], subject: S) -> Iterator[Finding]:
    for rule in rules:
        for problem in rule.examine(subject):
            path, line = definition.locate(problem.at)
            yield Finding(path, line, rule.name, problem.message, problem.remedy, problem.severity)


__all__ = ["DEFINITION_RULES", "MANIFEST_RULES", "RULES", "Objects", "Problem", "Rule", "Subject", "check"]
