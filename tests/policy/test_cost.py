"""What a decision does not do: copy twice, read, write, or talk. How long it takes is measured in bench.py."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import pytest
import sky
from sky.utils import config_utils
from skyfleet_policy import admission

from tests.policy.sample import Case, cases, sample_routes

ACCEPTED = [case for case in cases() if not case.rejected]
EACH = pytest.mark.parametrize("case", ACCEPTED, ids=lambda case: case.sentence)

INPUT_AND_OUTPUT = ("open", "os.", "socket.", "subprocess.", "urllib.", "tempfile.", "shutil.")
"""Beginnings of the audit events of whatever reaches out of the process."""


class Ear:
    """Hears audit events; Python never lets go of a hook, so there is one, which mostly does not listen."""

    def __init__(self) -> None:
        self._heard: list[str] | None = None
        sys.addaudithook(self._hear)

    def _hear(self, event: str, _arguments: tuple[object, ...]) -> None:
        if self._heard is not None and event.startswith(INPUT_AND_OUTPUT):
            self._heard.append(event)

    @contextmanager
    def listening(self) -> Generator[list[str]]:
        self._heard = heard = []
        try:
            yield heard
        finally:
            self._heard = None


EAR = Ear()


def requests(case: Case) -> list[sky.UserRequest]:
    """What SkyPilot asks the policy about a case."""
    around = config_utils.Config(case.config)
    return [sky.UserRequest(task, around, case.request, at_client_side=True) for task in case.dag().tasks]


@EACH
def test_no_input_or_output(case: Case) -> None:
    """A decision needs nothing but the request and the table."""
    asked = requests(case)
    _ = [admission.admit(one, sample_routes()) for one in asked]

    with EAR.listening() as heard:
        _ = [admission.admit(one, sample_routes()) for one in asked]

    assert heard == []


def test_the_ear_hears() -> None:
    """The test above could fail."""
    with EAR.listening() as heard, open(__file__, "rb"):  # noqa: PTH123  # the plainest way to open a file
        pass

    assert heard == ["open"]


@EACH
def test_one_copy_for_each_candidate(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """A candidate is copied once, and not at all where nothing is to change: a copy is what a policy costs."""
    copies: list[sky.Resources] = []
    copy = sky.Resources.copy

    def counted(self: sky.Resources, **changes: Any) -> sky.Resources:
        copies.append(self)
        return copy(self, **changes)

    monkeypatch.setattr(sky.Resources, "copy", counted)
    for asked in requests(case):
        copies.clear()
        admitted = admission.admit(asked, sample_routes())
        once = list(copies)
        copies.clear()
        _ = admission.admit(
            sky.UserRequest(admitted.task, admitted.skypilot_config, asked.request_name), sample_routes()
        )

        assert len(once) <= len(admitted.task.resources)
        assert copies == []
