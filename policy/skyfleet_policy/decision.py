"""What a rule answers, and what all rules together answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from skyfleet_policy.contract import Routes
from skyfleet_policy.request import Kind, Request


@dataclass(frozen=True)
class Problem:
    """Why a request cannot be accepted: what, where, and the remedy."""

    field: str
    what: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.field}: {self.what}; {self.remedy}"


class Outcome(NamedTuple):
    """One rule's answer."""

    request: Request
    """The request as the rule leaves it."""
    did: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rule:
    """A named promise and the function that keeps it."""

    name: str
    promise: str
    kinds: tuple[Kind, ...]
    """A tuple, since hashing a member of an enumeration is dearer than comparing it with five."""
    decide: Callable[[Request, Routes], Outcome]
    saw: Callable[[Request, Routes], str]
    """What the rule looks at, in words; only an explanation asks."""


class Step(NamedTuple):
    """A rule and what it answered; None where it has nothing to say about this kind of request."""

    rule: Rule
    outcome: Outcome | None


@dataclass(frozen=True)
class Decision:
    """All rules' answers to one request."""

    request: Request
    steps: tuple[Step, ...]

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Why the request is rejected; empty where it is accepted."""
        return tuple(problem for step in self.steps if step.outcome for problem in step.outcome.problems)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the engineer should know though the request is accepted."""
        return tuple(warning for step in self.steps if step.outcome for warning in step.outcome.warnings)

    def rejection(self) -> str:
        """The message of the rejection: every problem in one go."""
        task = f"task `{self.request.task}`" if self.request.task else "the task"
        lines = "\n".join(f"  - {problem}" for problem in self.problems)
        return f"Skyfleet cannot accept {task}:\n{lines}"


def decide(request: Request, routes: Routes, rules: tuple[Rule, ...]) -> Decision:
    """Ask each rule in turn; a later one sees what the earlier ones made of the request."""
    steps: list[Step] = []
    for rule in rules:
        if request.kind not in rule.kinds:
            steps.append(Step(rule, None))
            continue
        outcome = rule.decide(request, routes)
        request = outcome.request
        steps.append(Step(rule, outcome))
    return Decision(request, tuple(steps))
