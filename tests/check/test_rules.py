"""Every rule accepts the toy definition and rejects its sample, with the whole message."""

from pathlib import Path

import pytest

from skyfleet.check import RULES
from tests import toy
from tests.check.samples import REJECTED


def test_every_rule_has_a_rejected_sample() -> None:
    """A rule without a sample is a rule that nobody has seen at work."""
    assert {rule.name for rule in RULES} == set(REJECTED)


def test_rule_names_are_distinct() -> None:
    """A finding's rule can be looked up."""
    assert len({rule.name for rule in RULES}) == len(RULES)


def test_the_toy_is_accepted_by_every_rule(tmp_path: Path) -> None:
    """The accepted sample: nothing is found where nothing is wrong."""
    assert toy.said(tmp_path) == []


@pytest.mark.parametrize("name", sorted(REJECTED))
def test_the_rule_reports_its_sample(name: str, tmp_path: Path) -> None:
    """The message names what, where and the remedy."""
    changes, expected = REJECTED[name]

    found = [line for line in toy.said(tmp_path, changes) if f" {name} " in line]

    assert found == expected


def test_the_teams_together_may_not_exceed_a_pool(tmp_path: Path) -> None:
    """No team alone is above the pool, but all of them are: the finding lists them and stands at the largest."""
    found = toy.said(tmp_path, {"teams.bees.quota.north.H200": 24})

    assert found == [
        (
            "fleet/teams/bees.yaml:6: QUOTA-CAPACITY teams are guaranteed 40 H200 on north (ants 16, bees 24), whose pools have 32; "
            "lower the quota or add nodes to pool 'h200'"
        )
    ]
