"""A machine that cannot run the simulation is told so before any work."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from sim import cli, preflight
from sim.errors import MachineError
from sim.state import State
from tests.sim.clusters import cluster
from tools import prerequisites


def test_tools_that_are_not_built_are_named_with_the_command(
    state: State, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`sim up` ends with exit status 2, names them and starts nothing."""
    monkeypatch.setenv("SKYFLEET_TOOLS", str(tmp_path / "none"))
    monkeypatch.setenv("SKYFLEET_SIM_STATE", str(state.root))

    result = CliRunner().invoke(cli.build(lambda _: [cluster("north")]), ["up"])

    assert result.exit_code == 2
    assert "not built yet: etcd, kube-apiserver, " in result.stderr
    assert "run `make tools`" in result.stderr
    assert [folder for folder in state.folders if folder.exists()] == []


def test_too_little_memory_is_told_with_figures() -> None:
    """More clusters than any machine could hold."""
    with pytest.raises(MachineError, match=r"about 7000000 MiB of memory are needed, \d+ MiB are available; end other"):
        preflight.check(10_000)


def test_a_machine_without_unshare_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty PATH has neither unshare nor mount."""
    monkeypatch.setenv("PATH", "/nonexistent")

    assert prerequisites.mount_lacks() == [
        "unshare and mount are not on PATH; Debian, Ubuntu: `sudo apt-get install util-linux mount`"
    ]
