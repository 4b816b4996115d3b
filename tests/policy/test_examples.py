"""The files that engineers copy."""

from __future__ import annotations

from pathlib import Path

import pytest
from skyfleet_policy import explain_task

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.yaml"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_example(path: Path) -> None:
    """An example is accepted by the table that is shipped, unless its name begins with `rejected-`."""
    explanation = explain_task(path)

    assert explanation.accepted != path.name.startswith("rejected-"), explanation.tasks
