"""The sample pairs, through the rules alone and through SkyPilot."""

from __future__ import annotations

import pytest
from skyfleet_policy.rules import RULES

from tests.policy.sample import BLESS, Case, by_rules, by_skypilot, cases, part

CASES = cases()
EACH = pytest.mark.parametrize("case", CASES, ids=lambda case: case.sentence)
ACCEPT = f"if the new outcome is right, run `{BLESS}`"

CANNOT_REJECT = {
    "controller": "it takes any CPU pool there is",
    "idle": "it shortens what is too long",
    "infiniband": "it adds, and leaves an engineer's own settings",
    "stamp": "it overwrites whatever is there",
    "together": "the first candidate stays",
    "volumes": "it adds, and leaves an engineer's own mounts",
}


@EACH
def test_rules(case: Case) -> None:
    """The rules alone decide as the case says."""
    text = by_rules(case)

    assert text == part(case.expected, "message" if case.rejected else "decided"), ACCEPT


@EACH
def test_skypilot(case: Case) -> None:
    """SkyPilot's own entrance gives the same: what is decided is what is carried."""
    text = by_skypilot(case)

    assert text == part(case.expected, "message" if case.rejected else "admitted"), ACCEPT


def test_every_rule_has_samples() -> None:
    """Each rule has a case that it acts on and, where it can reject, one that it rejects."""
    acting: set[str] = set()
    rejecting: set[str] = set()
    for case in CASES:
        for decision in case.decisions():
            for step in decision.steps:
                if step.outcome and step.outcome.problems:
                    rejecting.add(step.rule.name)
                elif step.outcome and step.outcome.did and not decision.problems:
                    acting.add(step.rule.name)
    names = {rule.name for rule in RULES}

    assert names - acting == set(), f"no accepted sample in {BLESS}'s cases"
    assert names - rejecting == set(CANNOT_REJECT)


@EACH
def test_one_outcome(case: Case) -> None:
    """A case has either an expected result or a rejection, not both."""
    assert (case.folder / "expected.yaml").exists() != (case.folder / "rejected.txt").exists()
