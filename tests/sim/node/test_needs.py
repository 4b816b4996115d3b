"""Where no real node can run, everything that is lacking is said at once, each with its remedy."""

import os
import platform
import shutil
import sys
from pathlib import Path

import pytest

from sim.node import needs


def test_all_that_is_lacking_is_said_in_one_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine that has nothing of it."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    monkeypatch.setattr(needs, "TUNNEL", Path("/nowhere/tun"))
    monkeypatch.setattr(needs, "KEYRING", Path("/nowhere/keyring.gpg"))
    monkeypatch.setattr(shutil, "which", _nowhere)

    assert needs.lacks() == [
        "a real node needs root, since a kubelet mounts volumes; leave out --real-node: all else works without it",
        "a real node is built for x86_64 only, this is aarch64; leave out --real-node",
        "/nowhere/tun is missing, through which a real node has its network; `modprobe tun`",
        "a real node needs `apt-get install apt debian-archive-keyring dpkg perl util-linux`",
    ]


def test_elsewhere_than_on_linux_that_is_all_there_is_to_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the machine lacks besides would not help."""
    monkeypatch.setattr(sys, "platform", "darwin")

    assert needs.lacks() == [
        "a real node needs Linux, this is darwin; everything but --real-node works without it",
    ]


def _nowhere(program: str) -> None:
    """As shutil.which says it."""
    del program
