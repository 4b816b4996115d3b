"""Rules as readers meet them."""

from pathlib import Path

import pytest

from skyfleet.check import RULES
from skyfleet.check.guide import FAMILIES, UnknownRule, document, explain

ROOT = Path(__file__).resolve().parents[2]


def test_a_rule_is_explained_by_its_name_in_any_case() -> None:
    """What it is about, why it is a rule and where that is known from."""
    assert explain("quota-capacity") == (
        "QUOTA-CAPACITY: quota above the nodes admits pods that then stay Pending.\n"
        "Looks at: the definition\n"
        "Source: kubernetes-sigs/kueue#2665\n"
    )


def test_an_unknown_rule_is_answered_with_the_nearest() -> None:
    """A slip of the pen finds its way."""
    with pytest.raises(UnknownRule, match="there is no rule 'QUOTA-CAPACTIY'; did you mean QUOTA-CAPACITY\\?"):
        explain("QUOTA-CAPACTIY")


def test_every_rule_is_in_the_document_once() -> None:
    """docs/rules.md is made from the registry: none is missing, none is of an unnamed family."""
    lines = document().splitlines()

    assert sorted(line.split(" | ")[0] for line in lines if line.startswith("| ") and line[2].isupper()) == sorted(
        f"| {rule.name}" for rule in RULES
    )
    assert {rule.family for rule in RULES} == set(FAMILIES)


def test_reasons_are_one_line_and_break_no_table() -> None:
    """A pipe would end a cell."""
    assert [rule.name for rule in RULES if "|" in rule.reason + rule.source or "\n" in rule.reason] == []
