"""The command line as people and CI use it: output, exit codes, and never a traceback."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests import toy


def test_a_sound_definition_exits_0(tmp_path: Path) -> None:
    """Nothing on standard output, the count of rules on standard error."""
    done = _skyfleet("check", "--fleet", str(toy.write(tmp_path)))

    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.strip().endswith("0 errors, 0 warnings")


def test_findings_exit_1_and_read_as_compilers_print_them(tmp_path: Path) -> None:
    """`path:line: RULE message; remedy`, one a line however narrow the terminal."""
    folder = toy.write(tmp_path, {"teams.ants.quota.north.H200": 40})

    done = _skyfleet("check", "--fleet", str(folder))

    assert done.returncode == 1
    assert done.stdout == (
        f"{folder}/teams/ants.yaml:6: QUOTA-CAPACITY team 'ants' is guaranteed 40 H200 on north, whose pools have 32; "
        "lower the quota or add nodes to pool 'h200'\n"
    )


def test_findings_as_json_carry_every_field(tmp_path: Path) -> None:
    """Programs read path, line, rule, message, remedy and severity."""
    folder = toy.write(tmp_path, {"fleet.priorities.low": 1000})

    done = _skyfleet("check", "--fleet", str(folder), "--format", "json")

    assert (done.returncode, json.loads(done.stdout)) == (
        1,
        [
            {
                "path": f"{folder}/fleet.yaml",
                "line": 4,
                "rule": "PRIORITY-DISTINCT",
                "message": "priorities 'high' and 'low' are both 1000",
                "remedy": "give each its own value",
                "severity": "error",
            }
        ],
    )


def test_a_broken_fleet_file_exits_2(tmp_path: Path) -> None:
    """What cannot be used at all is told apart from what is wrong."""
    folder = toy.write(tmp_path)
    (folder / "fleet.yaml").write_text("organization: [\n", encoding="utf-8")

    done = _skyfleet("check", "--fleet", str(folder))

    assert done.returncode == 2
    assert "fleet.yaml:2: YAML is not valid YAML" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", [["check"], ["generate"], ["explain", "task.yaml"]])
def test_a_folder_without_a_definition_exits_2(tmp_path: Path, command: list[str]) -> None:
    """A sentence with the remedy."""
    done = _skyfleet(*command, "--fleet", str(tmp_path))

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (f"error: {tmp_path} holds no fleet.yaml; name the definition's folder with --fleet DIR\n")


def test_generate_writes_once_and_check_then_finds_nothing(tmp_path: Path) -> None:
    """The second run has nothing to do, and says so."""
    folder = str(toy.write(tmp_path))

    first = _skyfleet("generate", "--fleet", folder)
    second = _skyfleet("generate", "--fleet", folder)
    checked = _skyfleet("generate", "--fleet", folder, "--check")

    assert "create kueue/manifests/north.yaml" in first.stdout
    assert (first.returncode, second.returncode, checked.returncode) == (0, 0, 0)
    assert second.stdout == checked.stdout == ""


def test_generate_check_reports_differences_and_strays_and_writes_nothing(tmp_path: Path) -> None:
    """A manifest that somebody edited, one of a cluster that is gone, one that is missing: exit 1."""
    folder = str(toy.write(tmp_path))
    _skyfleet("generate", "--fleet", folder)
    manifests = tmp_path / "kueue" / "manifests"
    (manifests / "north.yaml").write_text("edited\n", encoding="utf-8")
    (manifests / "south.yaml").write_text("left over\n", encoding="utf-8")
    (manifests / "central.yaml").unlink()

    done = _skyfleet("generate", "--fleet", folder, "--check")

    assert (done.returncode, done.stdout.splitlines()) == (
        1,
        [
            "create kueue/manifests/central.yaml",
            "update kueue/manifests/north.yaml",
            "delete kueue/manifests/south.yaml",
        ],
    )
    assert (manifests / "north.yaml").read_text(encoding="utf-8") == "edited\n"


def test_generate_refuses_a_definition_with_mistakes(tmp_path: Path) -> None:
    """Nothing is written from a definition that cannot work."""
    folder = toy.write(tmp_path, {"teams.ants.quota.north.H200": 40})

    done = _skyfleet("generate", "--fleet", str(folder))

    assert done.returncode == 1
    assert done.stderr == "error: the definition has 1 mistakes; nothing was written\n"
    assert not (tmp_path / "kueue").exists()


def test_generate_writes_no_file_if_one_cannot_be_written(tmp_path: Path) -> None:
    """Whole or not at all: a folder in the place of a file leaves the others as they were."""
    folder = str(toy.write(tmp_path))
    (tmp_path / "policy" / "server-config.yaml").mkdir(parents=True)

    done = _skyfleet("generate", "--fleet", folder)

    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert [path for path in tmp_path.rglob("*") if path.is_file() and "fleet" not in path.parts] == []


def test_schema_prints_what_editors_use() -> None:
    """A team's file is an object without unknown keys, and without `name`."""
    schema = json.loads(_skyfleet("schema", "team").stdout)

    assert schema["additionalProperties"] is False
    assert "name" not in schema["properties"]
    assert schema["properties"]["weight"]["minimum"] == 1


def test_an_unknown_schema_exits_2() -> None:
    """The choices are named."""
    done = _skyfleet("schema", "colour")

    assert (done.returncode, done.stderr) == (
        2,
        "error: there is no schema 'colour'; choose one of fleet, cluster, team, prices\n",
    )


@pytest.mark.parametrize(
    "module", ["skyfleet.load", "skyfleet.check", "skyfleet.generate", "kueue.manifest", "skyfleet.cli"]
)
def test_the_typed_core_imports_nothing_heavy(module: str) -> None:
    """Neither pulumi nor sky is loaded by any of these."""
    program = f"import sys, {module}; print(sorted({{'pulumi', 'sky', 'kubernetes'}} & set(sys.modules)))"

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout == "[]\n"


def _skyfleet(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "skyfleet", *arguments], capture_output=True, text=True, check=False)
