"""What a newcomer does: a copy of the repository, `make demo`, `make demo-down`; nothing else was prepared."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tools import paths

pytestmark = pytest.mark.e2e

_OF_PIP = {".rustup"}
"""pip asks rustc for its version; where that is rustup's stand-in, it makes its folder."""
_TABLE = re.compile(r"^request .*?(?=^```)", re.MULTILINE | re.DOTALL)


def test_make_demo_works_from_a_copy_and_leaves_nothing_behind(tmp_path: Path) -> None:
    """Environment, clusters, stacks, server, table; then no process and no file but what git ignores."""
    checkout = _copy(tmp_path / "skyfleet")
    home = tmp_path / "home"
    home.mkdir()

    demo = _make(checkout, home, "demo")
    down = _make(checkout, home, "demo-down")

    assert demo.returncode == 0, demo.stdout + demo.stderr
    assert _programme((checkout / "README.md").read_text(encoding="utf-8")) == _programme(f"{demo.stdout}\n```")
    assert down.returncode == 0, down.stdout + down.stderr
    assert not (checkout / ".sim").exists()
    assert {path.name for path in home.iterdir()} <= _OF_PIP
    assert _processes_in(checkout) == []


def _programme(text: str) -> list[list[str]]:
    """The table's rows, as words; what follows it ends at an empty line."""
    found = _TABLE.search(text)
    assert found, text
    rows = [line.split() for line in found.group().splitlines()]
    return rows[: rows.index([])] if [] in rows else rows


def _copy(target: Path) -> Path:
    """The files that git tracks, as they are now."""
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=paths.REPOSITORY, capture_output=True, check=True).stdout
    for name in filter(None, tracked.decode().split("\0")):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(paths.REPOSITORY / name, target / name, follow_symlinks=False)
    return target


def _make(checkout: Path, home: Path, target: str) -> subprocess.CompletedProcess[str]:
    """With the tools of this checkout, so that they are not built again, and a home in which nothing is."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("VIRTUAL_ENV", "SKYFLEET_SIM"))}
    env |= {"HOME": str(home), "SKYFLEET_TOOLS": str(paths.root()), "COLUMNS": "120", "UV_CACHE_DIR": _uv_cache()}
    return subprocess.run(["make", target], cwd=checkout, env=env, capture_output=True, text=True, check=False)


def _uv_cache() -> str:
    """The installer's cache may be shared: what is proven is that nothing else is needed."""
    return os.environ.get("UV_CACHE_DIR") or str(Path.home() / ".cache" / "uv")


def _processes_in(checkout: Path) -> list[str]:
    """Command lines that name the copy."""
    lines: list[str] = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = process.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue  # it ended while we looked
        if str(checkout) in command:
            lines.append(command)
    return lines
