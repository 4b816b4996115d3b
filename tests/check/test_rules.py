"""Every rule accepts the toy definition and rejects its sample, with the whole message."""

import copy
from pathlib import Path

import pytest

from skyfleet.check import DEFINITION_RULES, MANIFEST_RULES, RULES, Objects
from tests import toy
from tests.check import manifest_samples, samples


def test_every_rule_has_a_rejected_sample() -> None:
    """A rule without a sample is a rule that nobody has seen at work."""
    assert {rule.name for rule in DEFINITION_RULES} == set(samples.REJECTED)
    assert {rule.name for rule in MANIFEST_RULES} == set(manifest_samples.REJECTED)


def test_rule_names_are_distinct() -> None:
    """A finding's rule can be looked up."""
    assert len({rule.name for rule in RULES}) == len(RULES)


def test_the_toy_is_accepted_by_every_rule(tmp_path: Path) -> None:
    """The accepted sample: nothing is found where nothing is wrong, neither in the definition nor in what is generated."""
    assert toy.said(tmp_path) == []


@pytest.mark.parametrize("name", sorted(samples.REJECTED))
def test_the_rule_reports_its_sample(name: str, tmp_path: Path) -> None:
    """The message names what, where and the remedy."""
    changes, expected = samples.REJECTED[name]

    found = [line for line in toy.said(tmp_path, changes) if f" {name} " in line]

    assert found == expected


@pytest.mark.parametrize("name", sorted(manifest_samples.REJECTED))
def test_the_rule_about_objects_reports_its_sample(name: str, tmp_path: Path) -> None:
    """The message names the object, its cluster and the remedy."""
    change, expected = manifest_samples.REJECTED[name]
    fleet = toy.fleet(tmp_path)
    objects = copy.deepcopy(Objects.of(fleet, fleet.clusters["north"]))
    change(objects)
    rule = next(rule for rule in MANIFEST_RULES if rule.name == name)

    found = [f"{problem.message}; {problem.remedy}" for problem in rule.examine(objects)]

    assert found == expected


def test_objects_of_a_definition_with_errors_are_not_looked_at(tmp_path: Path) -> None:
    """A machine without accelerators has no share to give: the mistake is reported, no arithmetic breaks over it."""
    found = toy.findings(tmp_path, {"clusters.central.pools.0.machine_type": "e2-standard-8"})

    assert {finding.rule for finding in found if finding.severity == "error"} == {"POOL-ACCELERATOR", "QUOTA-CAPACITY"}


def test_the_teams_together_may_not_exceed_a_pool(tmp_path: Path) -> None:
    """No team alone is above the pool, but all of them are: the finding lists them and stands at the largest."""
    found = toy.said(tmp_path, {"teams.bees.quota.north.H200": 24})

    assert found == [
        (
            "fleet/teams/bees.yaml:6: QUOTA-CAPACITY teams are guaranteed 40 H200 on north (ants 16, bees 24), whose pools have 32; "
            "lower the quota or add nodes to pool 'h200'"
        )
    ]
