"""How a simulated cloud says no."""

from __future__ import annotations

from typing import Literal

Reason = Literal["invalid", "already-exists", "not-found", "quota", "protected", "internal"]


class Refused(Exception):  # noqa: N818 - it says what happened
    """A request that the cloud does not carry out; the message is what a user reads."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason: Reason = reason
