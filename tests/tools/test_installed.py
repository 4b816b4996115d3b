"""What the machine has already, in the right version, is used as it is."""

from pathlib import Path

import pytest

from tools import build, installed, paths, placed, spec

KUBECTL = next(binary for binary in spec.binaries() if binary.name == "kubectl")
PULUMI = next(binary for binary in spec.binaries() if binary.name == "pulumi")
HOST = next(binary for binary in spec.binaries() if binary.name == "pulumi-language-python")
PROVIDER = next(binary for binary in spec.binaries() if binary.name == "pulumi-resource-kubernetes")


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with a PATH, a Pulumi home and a place for tools of its own."""
    monkeypatch.setenv("SKYFLEET_TOOLS", str(tmp_path / "tools"))
    monkeypatch.setenv("PATH", f"{tmp_path / 'path'}:/usr/bin:/bin")
    monkeypatch.setenv("PULUMI_HOME", str(tmp_path / "pulumi-home"))


def program(folder: Path, name: str, answer: str, status: int = 0) -> Path:
    """A program that only says its version."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\necho '{answer}'\nexit {status}\n")
    path.chmod(0o755)
    return path


def test_a_program_of_our_version_is_found(tmp_path: Path) -> None:
    """The version may stand anywhere in the answer, with or without its v."""
    found = program(tmp_path / "path", "kubectl", f"Client Version: {KUBECTL.version}")

    assert installed.find(KUBECTL, None) == found


@pytest.mark.parametrize("answer", [f"{KUBECTL.version}0", f"1{KUBECTL.number}", f"{KUBECTL.version}.1", "v1.20.2", ""])
def test_a_program_of_another_version_is_not(tmp_path: Path, answer: str) -> None:
    """A version that only begins or ends like ours is another one."""
    program(tmp_path / "path", "kubectl", answer)

    assert installed.find(KUBECTL, None) is None


def test_what_we_built_ourselves_is_not_found_as_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own folder may be on PATH; a link to itself would be the end of the tool."""
    monkeypatch.setenv("PATH", f"{paths.bin_dir()}:/usr/bin:/bin")
    program(paths.bin_dir(), "kubectl", KUBECTL.version)

    assert installed.find(KUBECTL, None) is None


def test_an_official_pulumi_brings_its_language_host(tmp_path: Path) -> None:
    """With a Pulumi of the machine's own, its host is used and none of ours is built; ours would come first on PATH."""
    official = program(tmp_path / "path", "pulumi", PULUMI.version)
    host = program(tmp_path / "path", "pulumi-language-python", "")
    wanted: list[spec.Item] = [PULUMI, HOST]

    build.use_installed(wanted)

    assert wanted == []
    assert paths.binary("pulumi").resolve() == official
    assert placed.source(HOST) == host
    assert not paths.binary("pulumi-language-python").exists()


def test_a_host_on_path_is_not_taken_for_a_pulumi_that_we_build(tmp_path: Path) -> None:
    """A host without its Pulumi is of unknown version."""
    program(tmp_path / "path", "pulumi-language-python", "")

    assert installed.find(HOST, None) is None


def test_an_installed_plugin_is_used(tmp_path: Path) -> None:
    """The version is in the name of its folder."""
    folder = tmp_path / "pulumi-home" / "plugins" / f"resource-kubernetes-{PROVIDER.version}"
    plugin = program(folder, "pulumi-resource-kubernetes", "")

    assert installed.find(PROVIDER, None) == plugin


def test_a_tool_that_was_taken_and_then_upgraded_is_looked_for_again(tmp_path: Path) -> None:
    """The record holds size and time of the program that it was made for."""
    program(tmp_path / "path", "pulumi", PULUMI.version)
    build.use_installed([PULUMI])
    assert placed.is_current(PULUMI)

    program(tmp_path / "path", "pulumi", "v9.9.9 of another day")

    assert not placed.is_current(PULUMI)


def test_a_tool_that_was_taken_and_then_removed_is_looked_for_again(tmp_path: Path) -> None:
    """A link to nothing is no tool."""
    taken = program(tmp_path / "path", "pulumi", PULUMI.version)
    build.use_installed([PULUMI])

    taken.unlink()

    assert not placed.is_current(PULUMI)
