"""From a folder and a revision to a report: git, bad input and exit codes, through the command line."""

import json
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from skyfleet.cli.app import app
from tests import toy


def git(root: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", str(root), *identity, *arguments], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """The toy, committed as `main`."""
    toy.write(tmp_path)
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "--quiet", "--message=toy")
    return tmp_path


def said(
    repository: Path, base: str = "main", form: str = "markdown", options: tuple[str, ...] = ()
) -> tuple[int, str]:
    arguments = ["preview", "--base", base, "--fleet", str(repository / "fleet"), "--format", form, *options]
    result = CliRunner().invoke(app, arguments)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout


def reasons(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("- ")]


def test_an_unchanged_working_tree(repository: Path) -> None:
    """Nothing is said but that, and that it is safe."""
    code, text = said(repository)

    assert code == 0
    assert text.splitlines()[0] == "## Fleet preview: safe"
    assert text.splitlines()[-1] == "Nothing of the definition changes."


def test_uncommitted_changes_are_seen(repository: Path) -> None:
    """The working tree is what is compared, as an engineer who has not committed expects."""
    toy.write(repository, {"teams.ants.quota.north.H200": 8})

    code, text = said(repository)

    assert code == 1
    assert reasons(text)[0] == "- ants loses 8 guaranteed H200 on north"


def test_a_revision_that_does_not_exist(repository: Path) -> None:
    """What is wrong and what to do; findings of the working tree are shown all the same."""
    toy.write(repository, {"teams.ants.weight": "two"})

    code, text = said(repository, "no-such")

    assert code == 2
    assert text.splitlines()[0] == "## Fleet preview: nothing to compare"
    assert reasons(text)[0] == "- revision 'no-such' does not exist; fetch it, or name another one with --base"
    assert "fleet/teams/ants.yaml:" in text


def test_an_option_in_place_of_a_revision(repository: Path) -> None:
    """A name that git would take for an option is none."""
    code, text = said(repository, "--output=/tmp/x")

    assert code == 2
    assert "does not exist" in text


def test_a_base_without_a_definition(repository: Path) -> None:
    """The first pull request of a fleet: everything is new."""
    git(repository, "checkout", "--quiet", "--orphan", "empty")
    git(repository, "rm", "--quiet", "-r", "--cached", "fleet")
    git(repository, "commit", "--quiet", "--allow-empty", "--message=empty")
    git(repository, "tag", "empty-base")

    code, text = said(repository, "empty-base")

    assert code == 1
    assert reasons(text)[0].endswith(" has no fleet/")
    assert "| `north` | creates the cluster |" in text


def test_a_folder_outside_git(tmp_path: Path) -> None:
    """The definition is checked; there is nothing to compare it with."""
    toy.write(tmp_path)

    code, text = said(tmp_path)

    assert code == 2
    assert "is in no git repository; a comparison needs one" in text


def test_a_symbolic_link_is_not_followed(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A stranger's link to a file of the machine that makes the report would show it in an error message."""
    secret = tmp_path_factory.mktemp("secret") / "token"
    secret.write_text("token: very-secret\n", encoding="utf-8")
    (repository / "fleet" / "teams" / "wasps.yaml").symlink_to(secret)

    code, text = said(repository)

    assert code == 2
    assert "fleet/teams/wasps.yaml:1: LINK is a symbolic link; write the file itself" in text
    assert "very-secret" not in text


def test_json_is_for_programs(repository: Path) -> None:
    """The same report as data."""
    toy.write(repository, {"teams.ants.quota.north.H200": 8})

    code, text = said(repository, form="json")
    data = json.loads(text)

    assert code == data["exit_code"] == 1
    assert data["verdict"] == "needs attention"
    assert data["quotas"]["grants"][0]["after"]["guaranteed"] == 8


PROGRAM = """
import json, sys
inputs = {"version": "VERSION"}
group = {"type": "nebius:index/mk8sV1NodeGroup:Mk8sV1NodeGroup", "name": "own", "inputs": inputs, "options": {}}
told = [{name: [group] for name in each.rpartition(":")[2].split(",")} for each in sys.argv[1:]]
json.dump(told, sys.stdout)
"""
"""A program of somebody else's, in the place of ours."""


def own_program(repository: Path, version: str) -> None:
    folder = repository / "infra"
    folder.mkdir(exist_ok=True)
    (folder / "__init__.py").touch()
    (folder / "graph.py").write_text(PROGRAM.replace("VERSION", version), encoding="utf-8")


def test_code_of_the_change_is_not_run(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where somebody stands in the checkout: the program is the one that is installed."""
    own_program(repository, "1")
    monkeypatch.chdir(repository)
    toy.write(repository, {"clusters.north.pools.0.nodes": 5})

    _, text = said(repository)

    assert "| `Mk8sV1NodeGroup north-h200` | is changed in place | `fixedNodeCount` | `4` | `5` |" in text
    assert "NodeGroup own" not in text


def test_programs_are_compared_where_it_is_asked_for(repository: Path) -> None:
    """Each side's own, for people who trust both."""
    own_program(repository, "1")
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message=program")
    own_program(repository, "2")

    code, text = said(repository, "HEAD", options=("--run-program",))

    assert code == 1
    assert "| `Mk8sV1NodeGroup own` | re-creates its nodes | `version` | `1` | `2` |" in text
