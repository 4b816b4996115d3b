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


def said(repository: Path, base: str = "main", form: str = "markdown") -> tuple[int, str]:
    result = CliRunner().invoke(
        app, ["preview", "--base", base, "--fleet", str(repository / "fleet"), "--format", form]
    )
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
