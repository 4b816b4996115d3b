"""One simulation for all rehearsals; nothing of it remains."""

from collections.abc import Iterator

import pytest

from sim import simulation
from sim.state import State
from tests.clouds.clouds import QUIET, Operator


@pytest.fixture(scope="package")
def operator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Operator]:
    operator = Operator(State(tmp_path_factory.mktemp("clouds") / "sim"))
    try:
        operator.prepare()
        yield operator
    finally:
        simulation.down(operator.state, QUIET)
