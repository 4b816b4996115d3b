"""From files to the model, with file:line for every mistake."""

from skyfleet.load.loader import Definition, load

__all__ = ["Definition", "load"]
