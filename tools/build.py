"""Build the tools that are missing or out of date: `python3 -m tools.build [GROUP]`."""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import os
import shutil
import signal
import sys
import time
from collections.abc import Generator
from pathlib import Path

from tools import go, installed, paths, placed, progress, spec

MACHINE = "on 2 cores with an empty build cache"
DISK_GIB = 13
"""Measured: 8 for Go's build cache, 4 for its modules, 1 for the tools."""


def main() -> int:
    """Exit status: 0 all tools are in place, 1 a build failed, 2 the machine lacks something, 130 interrupted."""
    # stated for Ctrl-C too: who is started in the background by a shell inherits that it be ignored
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    group = _asked()
    try:
        if not _wanted(group):  # without the lock: the folder may be another user's, to read only
            print(f"{_whole(group)}.")
            return 0
        with _only_one():
            return _bring_up_to_date(group)
    except PermissionError as error:
        print(f"error: {error.filename} cannot be written; name a folder of yours with SKYFLEET_TOOLS", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("Interrupted. What is built is kept; `make tools` goes on from here.")
        return 130


def _asked() -> str:
    parser = argparse.ArgumentParser(
        prog="python3 -m tools.build", description="Build tools that are missing or out of date."
    )
    parser.add_argument(
        "group", nargs="?", default="", choices=["", *spec.groups()], help="else those that everybody needs"
    )
    return parser.parse_args().group


def _bring_up_to_date(group: str) -> int:
    """What another run built while we waited for it is not wanted any more."""
    wanted = _wanted(group)
    began = time.monotonic()
    use_installed(wanted)
    building = [item for item in wanted if isinstance(item, spec.Binary)]
    try:
        go.check([item.module for item in wanted])
        _announce(building)
        for number, binary in enumerate(building, 1):
            build_one(binary, number, building)
        for item in wanted:
            if isinstance(item, spec.Data):
                _copy(item)
    except go.GoError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2 if isinstance(error, go.GoMissingError) else 1
    print(f"{_whole(group)}; this took {progress.clock(time.monotonic() - began)}.")
    return 0


def _wanted(group: str) -> list[spec.Item]:
    return [item for item in spec.items(group) if not placed.is_current(item)]


def _whole(group: str) -> str:
    return f"All {len(spec.binaries(group))} tools {f'of {group} ' if group else ''}are in place in {paths.root()}"


def use_installed(wanted: list[spec.Item]) -> None:
    """Link what the machine has already, and strike it off the list."""
    for item in list(wanted):
        found = installed.find(item, _bundle(item))
        if found is not None:
            print(f"{item.name}: using {found}")
            _link(item, found)
            placed.note(item, found)
            wanted.remove(item)


def _bundle(item: spec.Item) -> Path | None:
    """The program found on this machine (not built here) that may bring `item` along."""
    for owner in spec.binaries():
        if owner.name == item.bundled_with and placed.is_current(owner):
            source = placed.source(owner)
            return None if source == paths.root() / owner.place else source
    return None


def _announce(building: list[spec.Binary]) -> None:
    if building:
        minutes = sum(binary.minutes for binary in building)
        print(
            f"Building {len(building)} tools from Go modules into {paths.root()}: about {minutes:.0f} minutes {MACHINE}, "
            f"plus the download of the modules; about {DISK_GIB} GiB of disk. It may be interrupted and run again.",
            flush=True,
        )


def build_one(binary: spec.Binary, number: int, building: list[spec.Binary]) -> None:
    """Build and place the tool that is `number` (from 1) of those in `building`, showing progress."""
    left = building[number:]
    rest = (
        f"{len(left)} left after it, up to {sum(other.minutes for other in left):.0f} min" if left else "the last one"
    )
    target = paths.root() / binary.place
    unfinished = paths.root() / "unfinished" / binary.name
    unfinished.parent.mkdir(parents=True, exist_ok=True)
    with progress.Progress(f"[{number}/{len(building)}] {binary.name} {binary.version}", rest) as shown:
        go.build(binary, unfinished, shown.step)
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished.replace(target)
    placed.note(binary, target)


def _copy(item: spec.Data) -> None:
    source = go.module_folder(item.module, item.provided_by) / item.path
    target = paths.root() / item.place
    _remove(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, copy_function=shutil.copyfile)
        for folder in (target, *(path for path in target.rglob("*") if path.is_dir())):
            folder.chmod(0o755)  # Go's module cache is read-only, folders too
    else:
        shutil.copyfile(source, target)
        target.chmod(0o755)
    placed.note(item, target)


def _link(item: spec.Item, found: Path) -> None:
    target = paths.root() / item.place
    _remove(target)
    if not item.bundled_with:  # what is bundled is found beside its owner
        target.parent.mkdir(parents=True, exist_ok=True)
        target.symlink_to(found)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


@contextlib.contextmanager
def _only_one() -> Generator[None]:
    """Let a second run wait for the first, so that both end with the same whole files."""
    paths.root().mkdir(parents=True, exist_ok=True)
    with (paths.root() / "lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            print(
                f"Another `make tools` (process {lock.read().strip()}) is at work in {paths.root()}; waiting for it.",
                flush=True,
            )
            fcntl.flock(lock, fcntl.LOCK_EX)
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


if __name__ == "__main__":
    sys.exit(main())
