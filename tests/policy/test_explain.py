"""The explanation: what engineers and `skyfleet explain` print."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from skyfleet_policy import cli, explain_task
from skyfleet_policy.explain import TaskFileError
from skyfleet_policy.render import as_text

from tests.policy.sample import CASES, HERE, sample_routes

TEXT = """\
task.yaml, submitted with launch by ada@search.acme.example

train: rejected
  client      the engineer's SkyPilot is new enough, and both sides have one definition
              saw SkyPilot not known, definition not stamped yet
  settings    SkyPilot's configuration opens no second way to a queue or a pod
              saw nothing
  uniform     all candidates of a task have one configuration
              saw 1 candidate
              -> one configuration
  labels      Kueue's and SkyPilot's labels are not among a task's
              saw nothing
  ownership   every task has one known team, which pays; the user is a member
              saw team=search, user ada@search.acme.example
              -> owner search, cost centre 4711
"""


def test_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The text says for each rule what it promises, saw and did, and ends with the rejection."""
    monkeypatch.chdir(tmp_path)
    _ = Path("task.yaml").write_text("name: train\nresources: {accelerators: A100:8, labels: {team: search}}\nrun: x\n")

    text = as_text(explain_task("task.yaml", user="ada@search.acme.example", routes=sample_routes()))

    assert text.startswith(TEXT)
    assert text.splitlines()[-1].startswith(
        "  - resources.accelerators: no cluster of the fleet has A100; the fleet has H200 on"
    )


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    """`--format json` carries the verdict, the rules and the pods; the exit code is 0."""
    task = CASES / "two-h200-nodes-go-to-nebius-as-one-gang" / "task.yaml"

    code = cli.main(["explain", str(task), "--routes", str(HERE / "routes.json"), "--format", "json"])

    explained = json.loads(capsys.readouterr().out)
    assert (code, explained["accepted"], explained["tasks"][0]["pods"]["queue"]) == (0, True, "search")


def test_rejected_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    """A rejected task ends with 1."""
    task = CASES / "a-task-without-team-is-rejected" / "task.yaml"

    assert cli.main(["explain", str(task), "--routes", str(HERE / "routes.json")]) == 1
    assert "is missing, and every task needs an owner" in capsys.readouterr().out


@pytest.mark.parametrize(
    "text", ["resources: {accelerators: [}", "resources: {no_such_field: 1}", "just text", "num_nodes: many"]
)
def test_bad_task_file(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that SkyPilot does not accept ends with 2 and one line that names it."""
    file = tmp_path / "task.yaml"
    _ = file.write_text(text)

    assert cli.main(["explain", str(file)]) == 2
    assert capsys.readouterr().err.startswith(f"error: {file}: ")


def test_missing_task_file(tmp_path: Path) -> None:
    """A file that is not there is named."""
    with pytest.raises(TaskFileError, match=r"nothing\.yaml"):
        _ = explain_task(tmp_path / "nothing.yaml")


def test_job_group_apart(tmp_path: Path) -> None:
    """Tasks of a job group that go to different clusters are pointed out, with the label that keeps them together."""
    file = tmp_path / "group.yaml"
    tasks = "".join(
        f"---\nname: {name}\nresources: {{accelerators: {what}, labels: {{team: search}}}}\nrun: x\n"
        for name, what in (("train", "H200"), ("rollout", "L4"))
    )
    _ = file.write_text(f"name: group\nexecution: parallel\n{tasks}")

    explanation = explain_task(file, request="jobs", routes=sample_routes())

    (warning,) = explanation.warnings
    assert warning == (
        "the tasks of this job group go apart, train to nebius-eu-north1 and rollout to gke-us-central1: where they talk to "
        "each other, give each the label `force_provider_selection` with one place"
    )


def test_json_of_a_job_group(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing but JSON is on standard output, whatever SkyPilot says while it reads the file."""
    task = CASES / "the-tasks-of-a-job-group-are-routed-one-by-one" / "task.yaml"

    _ = cli.main(["explain", str(task), "--routes", str(HERE / "routes.json"), "--format", "json", "--request", "jobs"])

    assert len(json.loads(capsys.readouterr().out)["tasks"]) == 2
