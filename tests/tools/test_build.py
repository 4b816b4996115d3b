"""`make tools` says what is missing, can be interrupted, and two runs do not disturb each other."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tools import build, go, paths, prerequisites, progress, spec

BUILD = [sys.executable, "-m", "tools.build"]


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command or BUILD,
        cwd=paths.REPOSITORY,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_go_it_says_which_to_install(tmp_path: Path) -> None:
    """Exit status 2, before anything is built."""
    done = run(SKYFLEET_TOOLS=str(tmp_path), PATH="/nonexistent")

    assert (done.returncode, done.stdout, done.stderr) == (
        2,
        "",
        "error: go is not on PATH; install Go 1.26.6 or later from https://go.dev/dl/ and run again\n",
    )


def test_the_first_lack_is_told_before_the_environment_is_made(tmp_path: Path) -> None:
    """`make setup` asks first; every lack is listed with its remedy."""
    done = run(sys.executable, "-m", "tools.prerequisites", SKYFLEET_TOOLS=str(tmp_path), PATH="/nonexistent")

    assert (done.returncode, done.stderr.splitlines()) == (
        2,
        [
            "This machine lacks what Skyfleet needs; nothing was started:",
            "- go is not on PATH; install Go 1.26.6 or later from https://go.dev/dl/ and run again",
            "- unshare and mount are not on PATH; Debian, Ubuntu: `sudo apt-get install util-linux mount`",
        ],
    )


@pytest.mark.skipif(shutil.which("go") is None, reason="asks the go command")
def test_a_go_that_is_too_old_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where go may not fetch a newer toolchain, the message says which file asks for which version."""
    monkeypatch.setenv("GOTOOLCHAIN", "local")
    (tmp_path / "go.mod").write_text("module example\n\ngo 1.99.0\n")

    with pytest.raises(
        go.GoMissingError, match=r"go\.mod: go: go\.mod requires go >= 1\.99\.0 .*; install Go 1\.99\.0"
    ):
        go.check([spec.Module(str(tmp_path))])


def test_enough_memory_is_no_lack() -> None:
    """This machine has at least a MiB."""
    assert prerequisites.memory_lacks(1, "total") == prerequisites.memory_lacks(1, "available") == []


@pytest.fixture
def hello(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> spec.Binary:
    """A tool that is built in a second: one main package that needs nothing."""
    folder = tmp_path / "module"
    folder.mkdir()
    (folder / "go.mod").write_text("module example/hello\n\ngo 1.26.0\n")
    (folder / "go.sum").touch()
    (folder / "main.go").write_text("package main\n\nvar version string\n\nfunc main() { println(version) }\n")
    monkeypatch.setenv("SKYFLEET_TOOLS", str(tmp_path / "tools"))
    flags = "-X main.version=v1.2.3"
    return spec.Binary(
        "hello", spec.Module(str(folder)), ".", "example/hello", "v1.2.3", "bin/hello", 0.1, ldflags=flags
    )


@pytest.mark.skipif(shutil.which("go") is None, reason="builds with go")
class TestBuilding:
    def test_a_binary_is_built_with_its_flags(self, hello: spec.Binary) -> None:
        """It stands in its place, and says the version that the linker was given."""
        build.build_one(hello, 1, [hello])

        said = subprocess.run([paths.root() / "bin" / "hello"], capture_output=True, text=True, check=True)
        assert said.stderr == "v1.2.3\n"

    def test_a_failed_build_leaves_what_was_there(self, hello: spec.Binary) -> None:
        """The compiler's words are told; the binary of yesterday is still there."""
        build.build_one(hello, 1, [hello])
        (hello.module.folder / "main.go").write_text("package main\n\nfunc main() { nonsense }\n")

        with pytest.raises(go.GoError, match="undefined: nonsense"):
            build.build_one(hello, 1, [hello])
        assert (paths.root() / "bin" / "hello").exists()

    def test_progress_outside_a_terminal_is_whole_lines(
        self, hello: spec.Binary, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """It says which binary of how many it is at, and what is left; no control characters."""
        build.build_one(hello, 1, [hello, hello])

        first, last = capsys.readouterr().out.splitlines()
        assert first == "[1/2] hello v1.2.3 0:00  started; 1 left after it, up to 0 min"
        assert last.startswith("[1/2] hello v1.2.3 done in 0:0")


def test_minutes_and_seconds_are_read_at_a_glance() -> None:
    """Two digits for seconds, and minutes that may pass sixty."""
    assert [progress.clock(seconds) for seconds in (0, 9.9, 61, 3725)] == ["0:00", "0:09", "1:01", "62:05"]


def test_a_second_run_waits_for_the_first(tmp_path: Path) -> None:
    """It says for which process it waits, and goes on when that one is done."""
    hold = (
        "import os, time\n"
        "from tools import build\n"
        "with build._only_one():\n"
        "    print(os.getpid(), flush=True)\n"
        "    time.sleep(300)\n"
    )
    environment = os.environ | {"SKYFLEET_TOOLS": str(tmp_path), "PATH": "/nonexistent"}
    with subprocess.Popen(
        [sys.executable, "-c", hold], cwd=paths.REPOSITORY, env=environment, stdout=subprocess.PIPE, text=True
    ) as first:
        pid = int((first.stdout or sys.exit(1)).readline())
        with subprocess.Popen(
            BUILD, cwd=paths.REPOSITORY, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as second:
            waiting = (second.stdout or sys.exit(1)).readline()
            first.kill()
            rest = second.communicate()[1]

    assert waiting == f"Another `make tools` (process {pid}) is at work in {tmp_path}; waiting for it.\n"
    assert rest.startswith("error: go is not on PATH")


@pytest.mark.e2e
@pytest.mark.parametrize("name", [binary.name for binary in spec.binaries() if binary.probe])
def test_a_built_tool_answers_with_its_version(name: str) -> None:
    """The question that finds it on another machine's PATH is answered by what we build, so the flags are right."""
    (binary,) = (entry for entry in spec.binaries() if entry.name == name)

    said = subprocess.run([paths.binary(name), *binary.probe], capture_output=True, text=True, check=True).stdout

    assert binary.number in said


@pytest.mark.e2e
def test_with_everything_in_place_it_only_says_so() -> None:
    """A second run does nothing."""
    done = run(PATH="/nonexistent")

    assert (done.returncode, done.stdout) == (0, f"All 11 tools are in place in {paths.root()}.\n")


@pytest.mark.e2e
def test_an_interrupted_build_goes_on_from_there(tmp_path: Path) -> None:
    """Ctrl-C is answered with what to do; what was begun is not in its place."""
    with subprocess.Popen(
        BUILD,
        cwd=paths.REPOSITORY,
        env=os.environ | {"SKYFLEET_TOOLS": str(tmp_path), "GOCACHE": str(tmp_path / "go-cache")},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as building:
        time.sleep(4)
        os.killpg(building.pid, signal.SIGINT)
        said = building.communicate()[0].splitlines()

    assert building.returncode == 130
    assert said[-1] == "Interrupted. What is built is kept; `make tools` goes on from here."
    assert not (tmp_path / "bin" / "etcd").exists()
