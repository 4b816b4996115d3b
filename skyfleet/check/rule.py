"""What a rule is: a named function with its reason and the source of the fact behind it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Generic, TypeVar

from skyfleet.finding import Severity, Where
from skyfleet.load import Definition
from skyfleet.model import Fleet

S = TypeVar("S")


@dataclass(frozen=True)
class Problem:
    """What a rule found, at a place of the definition."""

    at: Where
    message: str
    remedy: str
    severity: Severity = "error"


@dataclass(frozen=True)
class Subject:
    """What rules about the definition look at: the fleet, and every name that has a file even if the file is broken."""

    fleet: Fleet
    clusters: frozenset[str]
    teams: frozenset[str]
    today: date
    """Ages are counted from here: a rule reads no clock."""

    @classmethod
    def of(cls, definition: Definition, fleet: Fleet, today: date) -> "Subject":
        return cls(fleet, definition.names("clusters"), definition.names("teams"), today)


@dataclass(frozen=True)
class Rule(Generic[S]):
    """`S` is what it looks at: the definition (`Subject`) or the objects generated for one cluster (`Objects`)."""

    name: str
    reason: str
    source: str
    examine: Callable[[S], Iterator[Problem]]

    @property
    def family(self) -> str:
        return self.name.partition("-")[0]


def rule(name: str, reason: str, source: str) -> Callable[[Callable[[S], Iterator[Problem]]], Rule[S]]:
    """Make a function a rule: `@rule("QUOTA-CAPACITY", "why it is one", "where that is known from")`."""
    return lambda examine: Rule(name, reason, source, examine)
