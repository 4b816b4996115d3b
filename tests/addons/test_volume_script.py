"""The clean-up of shared volumes, on real folders."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from addons.scripts import volume

NOW = time.time()
DAY = volume.DAY_SECONDS
KIB = 1024


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "volume"
    folder.mkdir()
    return folder


def test_every_user_may_write_into_prepared_folders(root: Path) -> None:
    """Whatever the user of an image is; only the top stays root's."""
    assert volume.main(["prepare", str(root), "--folder", "packages", "--folder", "models"]) == 0

    assert {path.name: path.stat().st_mode & 0o7777 for path in root.iterdir()} == {"packages": 0o777, "models": 0o777}
    assert root.stat().st_mode & 0o7777 == 0o755


def test_what_one_user_makes_another_may_change(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Images run as different users, with a umask that shuts others out: a cache would belong to whoever filled it first."""
    volume.main(["prepare", str(root), "--folder", "packages"])
    if "and change what others write" not in capsys.readouterr().out:
        pytest.skip("this file system has no access control lists")
    before = os.umask(0o077)
    try:
        (root / "packages" / "uv" / "archive").mkdir(parents=True)
        (root / "packages" / "uv" / "archive" / "wheel").write_text("x")
    finally:
        os.umask(before)

    modes = {path.name: path.stat().st_mode & 0o777 for path in (root / "packages").rglob("*")}

    assert modes == {"uv": 0o777, "archive": 0o777, "wheel": 0o666}


def test_a_file_system_without_access_control_lists_is_prepared_too(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """NFS has none of this kind; it is said, since there a task's umask decides."""

    def refuse(*_: object) -> None:
        raise OSError(errno.EOPNOTSUPP, "Operation not supported")

    monkeypatch.setattr(os, "setxattr", refuse)

    assert volume.main(["prepare", str(root), "--folder", "packages"]) == 0
    assert capsys.readouterr().out == "packages: every user may write\n"


def test_preparing_twice_changes_nothing(root: Path) -> None:
    """What is in the folders stays."""
    volume.main(["prepare", str(root), "--folder", "packages"])
    _write(root / "packages" / "wheel", days=0)

    assert volume.main(["prepare", str(root), "--folder", "packages"]) == 0
    assert _names(root) == ["packages", "packages/wheel"]


def test_a_link_in_place_of_a_folder_is_not_prepared(root: Path, tmp_path: Path) -> None:
    """Its target's mode would become everybody's."""
    (root / "packages").symlink_to(tmp_path)
    before = tmp_path.stat().st_mode

    with pytest.raises(OSError, match="packages"):
        volume.main(["prepare", str(root), "--folder", "packages"])
    assert tmp_path.stat().st_mode == before


def test_scratch_older_than_its_retention_is_deleted(root: Path) -> None:
    """By last use, reading or writing; what is younger stays, and so do the teams' own folders."""
    _write(root / "search" / "old", days=8)
    _write(root / "search" / "young", days=6)
    _write(root / "search" / "read-lately", days=30, read_days=1)
    _write(root / "research" / "run-7" / "old", days=8)

    assert _expire(root, 7) == 0

    assert _names(root) == ["research", "research/run-7", "search", "search/read-lately", "search/young"]


def test_an_emptied_folder_goes_when_it_is_old_itself(root: Path) -> None:
    """Deleting what was in it made it young: it goes one retention later, unless it is used again."""
    _write(root / "search" / "run" / "old", days=8)
    _expire(root, 7)
    _age(root / "search" / "run", 8)

    _expire(root, 7)

    assert _names(root) == ["search"]


def test_a_dry_run_deletes_nothing_and_says_what_it_would(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same list, in the conditional."""
    _write(root / "search" / "old", days=8, size=512 * KIB)

    assert _expire(root, 7, "--dry-run") == 0

    assert _names(root) == ["search", "search/old"]
    assert capsys.readouterr().out == (
        f"would delete {root}/search/old (0.000 GiB)\nwould delete 1 entries, 0.000 GiB; 0 problems\n"
    )


def test_links_are_deleted_and_never_followed(root: Path, tmp_path: Path) -> None:
    """A link to a file, a link to a folder, and a folder that somebody turned into a link."""
    elsewhere = tmp_path / "elsewhere"
    _write(elsewhere / "precious", days=90)
    (root / "search").mkdir()
    for name, target in (("file", elsewhere / "precious"), ("folder", elsewhere), ("gone", elsewhere / "missing")):
        _link(root / "search" / name, target, days=8)

    assert _expire(root, 7) == 0

    assert _names(root) == ["search"]
    assert (elsewhere / "precious").exists()


def test_the_least_recently_used_is_trimmed_first(root: Path) -> None:
    """Until the caches are below their size, and no further."""
    for name, days in (("oldest", 30), ("older", 20), ("newer", 10)):
        _write(root / "models" / "hub" / name / "weights", days=days, size=400 * KIB)

    assert _trim(root, 900 * KIB) == 0

    assert _names(root / "models" / "hub") == ["newer", "newer/weights", "older", "older/weights"]


def test_a_model_goes_as_a_whole_or_not_at_all(root: Path) -> None:
    """One file that was read lately keeps all of them."""
    _write(root / "models" / "hub" / "a" / "blobs" / "old", days=30, size=400 * KIB)
    _write(root / "models" / "hub" / "a" / "blobs" / "read", days=30, read_days=3, size=400 * KIB)
    _write(root / "models" / "hub" / "b" / "blobs" / "old", days=20, size=400 * KIB)

    assert _trim(root, 900 * KIB) == 0

    assert _names(root / "models" / "hub") == ["a", "a/blobs", "a/blobs/old", "a/blobs/read"]


def test_all_caches_share_one_size(root: Path) -> None:
    """The oldest goes first whichever cache it is in, each at its own depth."""
    _write(root / "models" / "hub" / "model" / "weights", days=10, size=400 * KIB)
    _write(root / "packages" / "uv" / "archive-v0" / "torch" / "lib", days=20, size=400 * KIB)
    _write(root / "packages" / "uv" / "archive-v0" / "numpy" / "lib", days=5, size=400 * KIB)

    assert _trim(root, 900 * KIB) == 0

    assert _names(root / "packages" / "uv" / "archive-v0") == ["numpy", "numpy/lib"]
    assert (root / "models" / "hub" / "model" / "weights").exists()


def test_a_file_with_two_names_is_counted_once(root: Path) -> None:
    """Packages of uv are links, not copies."""
    _write(root / "models" / "hub" / "a" / "weights", days=10, size=800 * KIB)
    os.link(root / "models" / "hub" / "a" / "weights", root / "models" / "hub" / "a" / "again")
    _age(root / "models" / "hub" / "a", 10)

    assert _trim(root, 900 * KIB) == 0
    assert _names(root / "models" / "hub") == ["a", "a/again", "a/weights"]


def test_what_is_in_use_stays_even_if_the_volume_is_full(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The job fails and says what to do, instead of pulling files from under a task."""
    _write(root / "models" / "hub" / "a" / "weights", days=1, size=800 * KIB)

    assert _trim(root, 100 * KIB) == 1

    assert (root / "models" / "hub" / "a" / "weights").exists()
    assert capsys.readouterr().err == (f"{root} is still too full: what is left is in use; make the volume larger\n")


def test_trimming_dry_deletes_nothing(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And counts as if it had."""
    _write(root / "models" / "hub" / "a" / "weights", days=10, size=1024 * KIB)

    assert _trim(root, 100 * KIB, "--dry-run") == 0

    assert (root / "models" / "hub" / "a" / "weights").exists()
    assert "would delete models/hub/a (0.001 GiB)" in capsys.readouterr().out


def test_a_link_inside_a_cache_is_not_followed(root: Path, tmp_path: Path) -> None:
    """Neither when sizes are counted nor when a unit is deleted."""
    elsewhere = tmp_path / "elsewhere"
    _write(elsewhere / "precious", days=90, size=800 * KIB)
    _write(root / "models" / "hub" / "a" / "weights", days=10, size=400 * KIB)
    _link(root / "models" / "hub" / "a" / "link", elsewhere, days=10)
    _link(root / "models" / "linked", elsewhere, days=99)
    _age(root / "models" / "hub" / "a", 10)

    assert _trim(root, 100 * KIB) == 0

    assert _names(root) == ["models", "models/hub"]
    assert (elsewhere / "precious").exists()


def test_what_an_interrupted_run_left_is_removed(root: Path) -> None:
    """Its trash is at the top, where only root writes."""
    _write(root / volume.TRASH / "1" / "weights", days=0, size=400 * KIB)
    (root / "models").mkdir()

    assert _trim(root, 100 * KIB) == 0
    assert _names(root) == ["models"]


def test_one_file_that_cannot_be_deleted_does_not_stop_the_rest(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is told, and the job fails so that somebody looks."""
    _write(root / "search" / "stuck", days=8)
    _write(root / "search" / "old", days=8)
    unlink = os.unlink

    def refuse(name: str, *, dir_fd: int) -> None:
        if name == "stuck":
            raise PermissionError(1, "Operation not permitted")
        unlink(name, dir_fd=dir_fd)

    monkeypatch.setattr(os, "unlink", refuse)

    assert _expire(root, 7) == 1
    assert _names(root) == ["search", "search/stuck"]
    assert capsys.readouterr().err == f"cannot delete {root}/search/stuck: Operation not permitted\n"


def test_it_runs_alone_with_the_standard_library(root: Path) -> None:
    """As the image runs it: one file, no package of ours in reach."""
    command = [sys.executable, "-I", "-S", volume.__file__, "prepare", str(root), "--folder", "scratch"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("scratch: every user may write")


def _expire(root: Path, days: int, *more: str) -> int:
    return volume.main(["expire", str(root), "--days", str(days), *more], now=NOW)


def _trim(root: Path, size: int, *more: str) -> int:
    folders = ["--folder", "models=2", *(["--folder", "packages=3"] if (root / "packages").exists() else [])]
    return volume.main(["trim", str(root), *folders, "--to-gib", str(size / volume.GIB), *more], now=NOW)


def _write(path: Path, *, days: float, read_days: float | None = None, size: int = 16) -> None:
    """A file of so many bytes that was written, and read, so many days ago; its new folders are as old."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x" * size)
    _age(path, days, read_days)
    for folder in path.parents[:2]:
        _age(folder, days)


def _link(path: Path, target: Path, *, days: float) -> None:
    path.symlink_to(target)
    os.utime(path, (NOW - days * DAY, NOW - days * DAY), follow_symlinks=False)


def _age(path: Path, days: float, read_days: float | None = None) -> None:
    os.utime(path, (NOW - (days if read_days is None else read_days) * DAY, NOW - days * DAY))


def _names(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*"))
