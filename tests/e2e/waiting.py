"""Waiting for a cluster to come to a state, with what it is instead when it does not."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE_SECONDS = 120
"""On an idle machine nothing here takes ten; a loaded one may."""


def until(look: Callable[[], T], enough: Callable[[T], bool], patience_seconds: float = PATIENCE_SECONDS) -> T:
    """What was seen when it was enough."""
    give_up = time.monotonic() + patience_seconds
    while not enough(seen := look()):
        assert time.monotonic() < give_up, f"after {patience_seconds} s the clusters have {seen}"
        time.sleep(0.3)
    return seen
