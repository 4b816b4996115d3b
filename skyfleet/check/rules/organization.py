"""fleet.yaml: priorities, profiles and routing that mean what they say."""

from collections.abc import Iterator
from typing import get_args

from skyfleet.check.rule import Problem, Subject, rule
from skyfleet.model.fleet import RequestKind

_LARGEST_PRIORITY = 1_000_000_000
"""Kubernetes keeps what is above for itself."""


@rule(
    "PRIORITY-DISTINCT",
    "two priorities of one value cannot preempt each other: the names would promise what is not so",
    "Kueue 0.19.2, pkg/scheduler/preemption",
)
def distinct_priorities(subject: Subject) -> Iterator[Problem]:
    seen: dict[int, str] = {}
    for name, value in subject.fleet.organization.priorities.items():
        if value in seen:
            message = f"priorities '{seen[value]}' and '{name}' are both {value}"
            yield Problem(("organization", "priorities", name), message, "give each its own value")
        seen.setdefault(value, name)


@rule(
    "PRIORITY-RANGE",
    "the API server refuses what is above 1,000,000,000, and below 0 loses even to pods without priority",
    "Kubernetes, PriorityClass",
)
def priorities_in_range(subject: Subject) -> Iterator[Problem]:
    for name, value in subject.fleet.organization.priorities.items():
        if not 0 < value <= _LARGEST_PRIORITY:
            message = f"priority '{name}' is {value}"
            yield Problem(("organization", "priorities", name), message, f"choose 1 to {_LARGEST_PRIORITY}")


@rule(
    "PROFILE-DEFAULT",
    "a request without a workload label needs exactly one profile",
    "this repository, policy/skyfleet_policy/rules/profile.py",
)
def one_default_each(subject: Subject) -> Iterator[Problem]:
    profiles = subject.fleet.organization.profiles
    for kind in get_args(RequestKind):
        claiming = [name for name, profile in profiles.items() if kind in profile.default_for]
        if len(claiming) != 1:
            said = "no profile is" if not claiming else f"profiles {', '.join(claiming)} are all"
            message = f"{said} the default for requests of kind '{kind}'"
            yield Problem(("organization", "profiles"), message, f"list '{kind}' in default_for of exactly one profile")
