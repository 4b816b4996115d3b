"""What a user is told when a simulation cannot go on."""

from __future__ import annotations


class SimulationError(Exception):
    """A part did not start or answer; the message says which, where its log is and what to do."""


class MachineError(SimulationError):
    """This machine lacks something; each line of the message says what, and the command that helps."""
