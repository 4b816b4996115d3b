"""What a reviewer must know, and how much it weighs."""

from dataclasses import dataclass
from enum import IntEnum


class Level(IntEnum):
    """How a change is met."""

    SAFE = 0
    """Merge it."""
    ATTENTION = 1
    """Somebody gets less, or something must be done beside merging."""
    DESTROYS = 2
    """Running work ends or data is lost."""


@dataclass(frozen=True)
class Concern:
    level: Level
    text: str
    """A clause that begins with what it is about."""
