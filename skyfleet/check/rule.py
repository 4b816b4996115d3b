"""What a rule is: a named function over the definition, with its reason."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from skyfleet.finding import Severity, Where
from skyfleet.load import Definition
from skyfleet.model import Fleet


@dataclass(frozen=True)
class Problem:
    """What a rule found, at a place of the definition."""

    at: Where
    message: str
    remedy: str
    severity: Severity = "error"


@dataclass(frozen=True)
class Subject:
    """What rules look at: the fleet, and every name that has a file even if the file is broken."""

    fleet: Fleet
    clusters: frozenset[str]
    teams: frozenset[str]

    @classmethod
    def of(cls, definition: Definition, fleet: Fleet) -> "Subject":
        return cls(fleet, definition.names("clusters"), definition.names("teams"))


Examine = Callable[[Subject], Iterator[Problem]]


@dataclass(frozen=True)
class Rule:
    name: str
    reason: str
    examine: Examine


def rule(name: str, reason: str) -> Callable[[Examine], Rule]:
    """Make a function a rule: `@rule("QUOTA-CAPACITY", "why it is one")`."""
    return lambda examine: Rule(name, reason, examine)
