"""The loader reports every mistake by file and line and keeps what can be used."""

from pathlib import Path

import pytest

from skyfleet.load import load
from tests import toy


def test_a_sound_definition_has_no_findings(tmp_path: Path) -> None:
    """Everything in the files is in the model, in the files' order."""
    fleet = toy.fleet(tmp_path)

    assert list(fleet.clusters) == ["central", "north"]
    assert fleet.clusters["central"].context == "gke_toys-1_us-central1_central"
    assert dict(fleet.teams["ants"].quota["central"]) == {"L4": 2, "cpu": 8}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            {"teams.ants.wieght": 2},
            "fleet/teams/ants.yaml:13: SCHEMA unknown key 'wieght'; did you mean 'weight'?",
        ),
        (
            {"teams.ants.weight": "two"},
            (
                "fleet/teams/ants.yaml:13: SCHEMA 'weight' is 'two'; it should be a valid integer "
                "(fair-sharing weight: twice the weight, twice the share of what is borrowed)"
            ),
        ),
        (
            {"teams.ants.cost_center": toy.GONE},
            "fleet/teams/ants.yaml:1: SCHEMA missing key 'cost_center'; add it (who pays; a label on every pod, quoted if it is a number)",
        ),
        (
            {"teams.ants.cost_center": 17},
            (
                "fleet/teams/ants.yaml:1: SCHEMA 'cost_center' is 17; it should be a valid string "
                "(who pays; a label on every pod, quoted if it is a number)"
            ),
        ),
        (
            {"teams.ants.name": "bees"},
            "fleet/teams/ants.yaml:13: SCHEMA has a key 'name', but the file's name is the name; remove the key",
        ),
        (
            {"clusters.north.provider": "aws"},
            "fleet/clusters/north.yaml:1: SCHEMA provider 'aws' is unknown; write one of nebius, gke, existing",
        ),
        (
            {"clusters.north.pools.0.nodes": "many"},
            (
                "fleet/clusters/north.yaml:10: SCHEMA 'pools.0.nodes' is 'many'; it should be a valid integer or an object "
                "(a fixed number, or {min, max} of an autoscaler)"
            ),
        ),
        (
            {"clusters.north.pools.0.nodes": {"min": 3, "max": 2}},
            "fleet/clusters/north.yaml:10: SCHEMA 'pools.0.nodes': min 3 is above max 2; swap them",
        ),
        (
            {"clusters.north.pools.1.presset": "x"},
            "fleet/clusters/north.yaml:15: SCHEMA unknown key 'pools.1.presset'; did you mean 'preset'?",
        ),
        (
            {"teams.ants.quota.north.H200": -1},
            "fleet/teams/ants.yaml:6: SCHEMA 'quota.north.H200' is -1; it should be greater than or equal to 0",
        ),
    ],
)
def test_a_mistake_is_told_with_line_and_remedy(tmp_path: Path, changes: dict[str, object], expected: str) -> None:
    """What, where, and what would be right."""
    definition = toy.loaded(tmp_path, changes)

    assert expected in [str(finding).removeprefix(f"{tmp_path}/") for finding in definition.findings]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "cost_center: 'a\n",
            "is not valid YAML (found unexpected end of stream); check indentation, quotes and brackets",
        ),
        ("a: &x 1\nb: *x\n", "uses the alias '*x'; write the value out"),
        ("a: 1\na: 2\n", "has the key 'a' twice; keep one of them"),
        ("- a\n", "is not a mapping of keys; start with `key: value`"),
        ("", "is not a mapping of keys; start with `key: value`"),
        ("a: !!python/object/apply:os.system [x]\n", "unknown key 'a'"),
        ("? [a]\n: 1\n", "has a key that is not text; write keys as plain words"),
        ("a: " + "[" * 3000 + "\n", "is nested too deep to read; flatten it"),
        ("a: " + "[" * 60 + "]" * 60 + "\n", "is nested more than 40 deep; flatten it"),
        ("a: 0x\nb: !!int x\n", "has a value that cannot be read"),
    ],
)
def test_a_file_that_is_no_plain_data_is_a_finding(tmp_path: Path, text: str, expected: str) -> None:
    """A stranger's file is data: nothing in it runs, loops or raises."""
    folder = toy.write(tmp_path)
    (folder / "teams" / "ants.yaml").write_text(text, encoding="utf-8")

    found = [str(finding) for finding in load(folder).findings]

    assert any(expected in line for line in found), found


def test_a_file_that_is_not_text_is_a_finding(tmp_path: Path) -> None:
    """Binary content is named, not decoded by luck."""
    folder = toy.write(tmp_path)
    (folder / "teams" / "ants.yaml").write_bytes(b"\xff\xfe\x00")

    assert [finding.message for finding in load(folder).findings] == ["is not UTF-8 text"]


def test_a_file_with_another_ending_is_a_finding(tmp_path: Path) -> None:
    """A team in ants.yml would be forgotten without a word."""
    folder = toy.write(tmp_path)
    (folder / "teams" / "ants.yaml").rename(folder / "teams" / "ants.yml")

    assert [finding.remedy for finding in load(folder).findings] == ["rename it to ants.yaml"]


def test_ten_mistakes_are_reported_in_one_run(tmp_path: Path) -> None:
    """Schema mistakes do not hide wrong quotas, and a broken file does not make its name unknown."""
    folder = toy.write(
        tmp_path,
        {
            "fleet.priorities.low": 1000,
            "fleet.routing.cpu": ["nowhere"],
            "fleet.colour": "red",
            "clusters.north.pools.0.nodes": 1,
            "clusters.north.pools.1.preset": "no-such",
            "clusters.central.kubernetes": "latest",
            "teams.ants.weight": "two",
            "teams.ants.cost_center": "Ants & Co",
            "teams.bees.priorities": ["lowest"],
        },
    )
    with (folder / "teams" / "wasps.yaml").open("w", encoding="utf-8") as file:
        file.write("cost_center: [\n")

    found = [f"{finding.path.rsplit('/', 1)[1]} {finding.rule}" for finding in toy.check(load(folder), toy.TODAY)]

    assert found == [
        "central.yaml SCHEMA",
        "north.yaml POOL-MACHINE",
        "fleet.yaml PRIORITY-DISTINCT",
        "fleet.yaml REF-CLUSTER",
        "fleet.yaml SCHEMA",
        "ants.yaml NAME-LABEL-VALUE",
        "ants.yaml QUOTA-CAPACITY",
        "ants.yaml SCHEMA",
        "bees.yaml REF-PRIORITY",
        "wasps.yaml YAML",
    ]
