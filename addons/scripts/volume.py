"""Keep a shared file system in order. Runs as root where anybody may write, so nothing here ever follows a link.

volume.py prepare ROOT --folder NAME...                       make folders in which every user may write
volume.py expire  ROOT --days N [--dry-run]                   delete what was not used for N days
volume.py trim    ROOT --folder NAME=DEPTH... --to-gib N [--dry-run]
                                                              delete the least recently used until N GiB are left

Exit status 1: something could not be deleted, or the file system is still too full.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import os
import shutil
import stat
import struct
import sys
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass

GIB = 1024**3
DAY_SECONDS = 86400
IN_USE_DAYS = 2
"""Used less than this ago is in use: file systems note a reading only once a day."""
TRASH = ".skyfleet-trash"
EVERYBODY = 0o777
EVERYBODY_BY_DEFAULT = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", who, 7, 0xFFFFFFFF) for who in (1, 4, 32))
"""A default access control list as Linux stores it: version 2; owner, group and others may all."""


@dataclass
class Report:
    """What was done; in a dry run what would be."""

    verb: str
    entries: int = 0
    size: int = 0
    problems: int = 0

    def deleted(self, path: str, size: int) -> None:
        self.entries += 1
        self.size += size
        print(f"{self.verb} {path} ({size / GIB:.3f} GiB)")

    def failed(self, path: str, error: OSError) -> None:
        self.problems += 1
        print(f"cannot delete {path}: {error.strerror}", file=sys.stderr)

    def summary(self, more: str = "") -> str:
        return f"{self.verb} {self.entries} entries, {self.size / GIB:.3f} GiB{more}; {self.problems} problems"


@dataclass(frozen=True)
class Unit:
    """What is deleted as a whole, since half of a package or of a model is worse than none."""

    parts: tuple[str, ...]
    """Names from the root down."""
    size: int
    last_used: float

    @property
    def path(self) -> str:
        return "/".join(self.parts)


def prepare(root: str, folders: list[str]) -> int:
    """Only root makes folders at the top: what is there can be trusted to be what it was."""
    top = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    os.fchmod(top, 0o755)
    for folder in folders:
        with contextlib.suppress(FileExistsError):
            os.mkdir(folder, dir_fd=top)
        with _opened(top, (folder,)) as made:
            os.fchmod(made, EVERYBODY)
            shared = _share_what_comes(made)
        print(f"{folder}: every user may write{', and change what others write' if shared else ''}")
    return 0


def _share_what_comes(folder: int) -> bool:
    """Open to everybody what will be made in a folder, whatever the maker's umask; not every file system can."""
    try:
        os.setxattr(folder, "system.posix_acl_default", EVERYBODY_BY_DEFAULT)
    except OSError as error:
        if error.errno != errno.EOPNOTSUPP:
            raise
        return False
    return True


def expire(root: str, days: float, *, dry_run: bool, now: float) -> int:
    """Files unused for so long, then folders that are empty and as old. Folders at the top are their teams' and stay."""
    report = Report("would delete" if dry_run else "deleted")
    oldest = now - days * DAY_SECONDS
    for path, folders, files, descriptor in os.fwalk(root, topdown=False, follow_symlinks=False):
        depth = 0 if path == root else os.path.relpath(path, root).count(os.sep) + 1
        for name in files:
            _expire(report, os.path.join(path, name), oldest, dry_run, lambda n=name, d=descriptor: _file(n, d))
        for name in folders if depth else []:
            _expire(report, os.path.join(path, name), oldest, dry_run, lambda n=name, d=descriptor: _folder(n, d))
    print(report.summary())
    return 1 if report.problems else 0


Removable = tuple[os.stat_result, Callable[[], None]]


def _file(name: str, parent: int) -> Removable:
    return os.stat(name, dir_fd=parent, follow_symlinks=False), lambda: os.unlink(name, dir_fd=parent)


def _folder(name: str, parent: int) -> Removable | None:
    """A folder, if it is empty; a link to one is a file."""
    found = os.stat(name, dir_fd=parent, follow_symlinks=False)
    if stat.S_ISLNK(found.st_mode):
        return found, lambda: os.unlink(name, dir_fd=parent)
    with _opened(parent, (name,)) as folder:
        return None if os.listdir(folder) else (found, lambda: os.rmdir(name, dir_fd=parent))


def _expire(report: Report, path: str, oldest: float, dry_run: bool, look: Callable[[], Removable | None]) -> None:
    try:
        found = look()
        if found is None or _last_used(found[0]) > oldest:
            return
        if not dry_run:
            found[1]()
        report.deleted(path, found[0].st_blocks * 512)
    except FileNotFoundError:
        return  # its owner was quicker
    except OSError as error:
        report.failed(path, error)


def _last_used(found: os.stat_result) -> float:
    """A file by reading or writing. A folder only when something in it is made or removed, and a link when it is made:
    to look at them, as we do, is noted as reading.
    """
    return max(found.st_atime, found.st_mtime) if stat.S_ISREG(found.st_mode) else found.st_mtime


def trim(root: str, depths: dict[str, int], limit: int, *, dry_run: bool, now: float) -> int:
    """`depths`: folder at the top -> how far down its units stand."""
    report = Report("would delete" if dry_run else "deleted")
    top = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    _empty_trash(top, report, dry_run)
    found = [unit for folder, depth in depths.items() for unit in _units(top, (folder,), depth)]
    used = sum(unit.size for unit in found)
    for unit in sorted(found, key=lambda unit: unit.last_used):
        if used - report.size <= limit or now - unit.last_used < IN_USE_DAYS * DAY_SECONDS:
            break
        _discard(unit, top, report, dry_run)
    left = used - report.size
    print(report.summary(f", {left / GIB:.3f} GiB left of {limit / GIB:.3f} GiB"))
    if left > limit:
        print(f"{root} is still too full: what is left is in use; make the volume larger", file=sys.stderr)
    return 1 if report.problems or left > limit else 0


def _units(top: int, parts: tuple[str, ...], depth: int) -> Iterator[Unit]:
    """What stands `depth` levels below a folder, and every file above."""
    try:
        with _opened(top, parts) as folder:
            for name in os.listdir(folder):
                found = os.stat(name, dir_fd=folder, follow_symlinks=False)
                if stat.S_ISDIR(found.st_mode) and depth > 1:
                    yield from _units(top, (*parts, name), depth - 1)
                else:
                    yield Unit((*parts, name), *_measure(name, folder, found))
    except FileNotFoundError:
        return  # its owner was quicker


@contextlib.contextmanager
def _opened(top: int, parts: tuple[str, ...]) -> Generator[int]:
    """The folder at `parts` below `top`, step by step: a link on the way is an error."""
    folder = os.dup(top)
    try:
        for part in parts:
            below = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = below
        yield folder
    finally:
        os.close(folder)


def _measure(name: str, parent: int, found: os.stat_result) -> tuple[int, float]:
    """Bytes on disk, a file with several names counted once; and when anything of it was last used."""
    if not stat.S_ISDIR(found.st_mode):
        return found.st_blocks * 512, _last_used(found)
    seen: dict[tuple[int, int], int] = {}
    last_used = found.st_mtime
    for _, _, files, descriptor in os.fwalk(name, dir_fd=parent, follow_symlinks=False):
        for file in files:
            try:
                status = os.stat(file, dir_fd=descriptor, follow_symlinks=False)
            except FileNotFoundError:
                continue
            seen[status.st_dev, status.st_ino] = status.st_blocks * 512
            last_used = max(last_used, _last_used(status))
    return sum(seen.values()), last_used


def _discard(unit: Unit, top: int, report: Report, dry_run: bool) -> None:
    """Out of sight first, in one step: nobody must find half of it."""
    *folders, name = unit.parts
    try:
        if not dry_run:
            with contextlib.suppress(FileExistsError):
                os.mkdir(TRASH, 0o700, dir_fd=top)
            with _opened(top, tuple(folders)) as folder, _opened(top, (TRASH,)) as trash:
                os.rename(name, str(time.time_ns()), src_dir_fd=folder, dst_dir_fd=trash)
            shutil.rmtree(TRASH, dir_fd=top)
        report.deleted(unit.path, unit.size)
    except FileNotFoundError:
        return  # its owner was quicker
    except OSError as error:
        report.failed(unit.path, error)


def _empty_trash(top: int, report: Report, dry_run: bool) -> None:
    """What a run that was cut short left."""
    if dry_run or TRASH not in os.listdir(top):
        return
    try:
        shutil.rmtree(TRASH, dir_fd=top)
    except OSError as error:
        report.failed(TRASH, error)


def main(arguments: list[str] | None = None, now: float | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["prepare", "expire", "trim"])
    parser.add_argument("root")
    parser.add_argument("--folder", action="append", default=[])
    parser.add_argument("--days", type=float)
    parser.add_argument("--to-gib", type=float)
    parser.add_argument("--dry-run", action="store_true")
    said = parser.parse_args(arguments)
    moment = time.time() if now is None else now
    if said.command == "prepare":
        return prepare(said.root, said.folder)
    if said.command == "expire":
        if said.days is None:
            parser.error("expire needs --days")
        return expire(said.root, said.days, dry_run=said.dry_run, now=moment)
    if said.to_gib is None:
        parser.error("trim needs --to-gib")
    depths = {name: int(depth) for name, _, depth in (folder.partition("=") for folder in said.folder)}
    return trim(said.root, depths, int(said.to_gib * GIB), dry_run=said.dry_run, now=moment)


if __name__ == "__main__":
    sys.exit(main())
