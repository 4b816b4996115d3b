"""The README says what is so: its commands exist or run, its YAML is accepted."""

import re
import shutil
import subprocess
from datetime import date
from pathlib import Path

import pytest
import yaml

from skyfleet.check import check
from skyfleet.load import load
from tools import paths

_README = (paths.REPOSITORY / "README.md").read_text(encoding="utf-8")
_COMMANDS = [line for block in re.findall(r"```sh\n(.*?)```", _README, re.DOTALL) for line in block.splitlines()]
_MAKE = [command for command in _COMMANDS if command.startswith("make ")]
_OTHER = [command for command in _COMMANDS if not command.startswith("make ")]
_YAML = re.findall(r"```yaml\n(.*?)```", _README, re.DOTALL)


@pytest.mark.parametrize("command", _MAKE)
def test_a_make_command_exists(command: str) -> None:
    """`make -n` knows the target; the two commands themselves are run by the end-to-end tests and by CI."""
    done = subprocess.run(
        [*command.split(), "--dry-run"], cwd=paths.REPOSITORY, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", _OTHER)
def test_a_command_runs(command: str) -> None:
    """As it is written, from the root of the repository."""
    done = subprocess.run(command.split(), cwd=paths.REPOSITORY, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr


def test_every_make_target_that_is_named_exists() -> None:
    """In the running text too."""
    named = set(re.findall(r"`make ([a-z-]+)", _README))
    targets = set(re.findall(r"^([a-z-]+):", (paths.REPOSITORY / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))

    assert named <= targets


def test_the_pool_and_the_team_of_the_readme_are_accepted(tmp_path: Path) -> None:
    """Added to the shipped definition as the README says, nothing is found but the new accelerator's missing price."""
    pool, team, _task = _YAML
    fleet = tmp_path / "fleet"
    shutil.copytree(paths.REPOSITORY / "fleet", fleet)
    cluster = fleet / "clusters" / "nebius-eu-north1.yaml"
    content = yaml.safe_load(cluster.read_text(encoding="utf-8"))
    content["pools"] += yaml.safe_load(pool)
    cluster.write_text(yaml.safe_dump(content), encoding="utf-8")
    (fleet / "teams" / "vision.yaml").write_text(team, encoding="utf-8")

    found = [(finding.rule, finding.severity) for finding in check(load(fleet), date(2026, 12, 1))]

    assert ("PRICE-MISSING", "warning") in found
    assert [rule for rule, severity in found if severity == "error"] == []
