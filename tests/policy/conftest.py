"""SkyPilot writes into the home directory as soon as it is imported: it gets one of its own here."""

import atexit
import os
import shutil
import tempfile

import pytest

HOME = tempfile.mkdtemp(prefix="skyfleet-policy-home-")
atexit.register(shutil.rmtree, HOME, ignore_errors=True)

_users_home = os.environ.get("HOME")
os.environ["HOME"] = HOME
import sky  # noqa: E402, F401  # pyright: ignore[reportUnusedImport]  # imported while HOME is ours

if _users_home is None:
    del os.environ["HOME"]
else:
    os.environ["HOME"] = _users_home


@pytest.fixture(autouse=True)
def _home(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]  # pytest uses it
    monkeypatch.setenv("HOME", HOME)
