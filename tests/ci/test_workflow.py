"""The workflow: what it may, what it runs."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PREVIEW = yaml.safe_load((ROOT / ".github/workflows/preview.yml").read_text(encoding="utf-8"))


def steps(workflow: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_and_permissions_start_at_none(path: Path) -> None:
    """A tag can be moved; a token may only what a job says."""
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    used = [step["uses"] for step in steps(workflow) if "uses" in step]

    assert workflow["permissions"] == {}
    assert [each for each in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", each)] == []


def test_every_target_exists() -> None:
    """CI runs what a person runs."""
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    run = [step["run"] for step in steps(PREVIEW) if step.get("run", "").startswith("make ")]
    wanted = {
        word
        for command in run
        for word in re.findall(r"(?<=\s)[a-z-]+(?=\s|$)", command.split("FLEET=")[0].split("PULL=")[0])
    }

    assert len(run) > 4
    assert wanted <= targets


def test_nothing_of_an_event_is_pasted_into_a_script() -> None:
    """A branch called `$(...)` would be run; values go through the environment."""
    assert [step["run"] for step in steps(PREVIEW) if "${{" in step.get("run", "")] == []


def test_the_pull_request_is_data_where_a_stranger_may_have_written_it() -> None:
    """The first job checks out the base and puts the pull request beside it; only branches of this repository run."""
    fleet, engine = PREVIEW["jobs"]["fleet"], PREVIEW["jobs"]["engine"]
    checkouts = [step["with"] for step in fleet["steps"] if step.get("uses", "").startswith("actions/checkout@")]

    assert [(each.get("ref"), each.get("path")) for each in checkouts] == [
        (None, None),
        ("refs/pull/${{ github.event.pull_request.number }}/head", "head"),
    ]
    assert "id-token" not in fleet["permissions"]
    assert "github.event.pull_request.head.repo.full_name == github.repository" in engine["if"]
