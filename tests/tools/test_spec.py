"""tools.toml and the go.mod files say together what is built."""

import dataclasses
import shutil
from pathlib import Path

import pytest

from tools import spec


def test_versions_come_from_go_mod() -> None:
    """A version is pinned in one place; binaries of one module agree."""
    versions = {binary.name: binary.version for binary in spec.binaries()}

    assert versions["kube-apiserver"] == versions["kubectl"] == spec.Module("kubernetes").required("k8s.io/kubernetes")
    assert versions["pulumi"] == spec.Module("pulumi").required("github.com/pulumi/pulumi/pkg/v3")


def test_kubernetes_says_the_version_it_was_built_from() -> None:
    """Major and minor in the linker flags follow the pinned version, or clients would be told another one."""
    for binary in spec.binaries():
        if binary.provided_by == "k8s.io/kubernetes":
            major, minor, _ = binary.number.split(".")
            assert f"gitVersion={binary.version} " in binary.ldflags
            assert f"gitMajor={major} " in binary.ldflags
            assert binary.ldflags.endswith(f"gitMinor={minor}")


def test_kubernetes_modules_are_replaced_by_the_release_of_the_same_minor() -> None:
    """k8s.io/kubernetes v1.X.Y needs each of its staging modules at v0.X.Y."""
    number = spec.Module("kubernetes").required("k8s.io/kubernetes").removeprefix("v1.")
    lines = (spec.Module("kubernetes").folder / "go.mod").read_text().splitlines()
    replaced = [line.split() for line in lines if "=>" in line]

    assert len(replaced) == 33
    assert {(old, new, version) for old, _, new, version in replaced} == {
        (old, old, f"v0.{number}") for old, *_ in replaced
    }


def test_the_language_host_runs_the_script_of_the_clis_own_sdk() -> None:
    """The script that runs the program belongs to the CLI's release, not to the old host's."""
    (script,) = (entry for entry in spec.data() if entry.name == "pulumi-language-python-exec")

    assert script.module.required(script.provided_by) == spec.Module("pulumi").required(
        "github.com/pulumi/pulumi/pkg/v3"
    )


def test_nothing_is_placed_over_something_else() -> None:
    """Two entries with one place would undo each other at every run."""
    places = [item.place for item in (*spec.binaries(), *spec.data())]

    assert len(places) == len(set(places))


def test_a_version_that_is_not_required_is_named(tmp_path: Path) -> None:
    """The message says which go.mod lacks which module."""
    (tmp_path / "go.mod").write_text("module example\n\ngo 1.26\n")

    with pytest.raises(LookupError) as told:
        spec.Module(str(tmp_path)).required("k8s.io/kubernetes")

    assert told.value.args == (f"{tmp_path / 'go.mod'}: requires no version of k8s.io/kubernetes",)


@pytest.mark.parametrize("changed", ["go.mod", "go.sum", "main.go"])
def test_a_stamp_changes_with_every_file_of_the_module(tmp_path: Path, changed: str) -> None:
    """What was built from other sources is out of date."""
    folder = tmp_path / "module"
    shutil.copytree(spec.Module("pulumi-kubernetes").folder, folder)
    binary = dataclasses.replace(spec.binaries()[-1], module=spec.Module(str(folder)))
    before = spec.stamp(binary)
    with (folder / changed).open("a") as file:
        file.write("\n")

    assert spec.stamp(binary) != before


def test_a_stamp_changes_with_the_flags() -> None:
    """Other linker flags make another binary."""
    binary = spec.binaries()[0]

    assert spec.stamp(dataclasses.replace(binary, ldflags="-X main.version=2")) != spec.stamp(binary)
