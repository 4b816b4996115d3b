"""From the definition to every file that must agree with it."""

from skyfleet.generate.artefacts import OWNED, artefacts
from skyfleet.generate.files import Difference, differences, write

__all__ = ["OWNED", "Difference", "artefacts", "differences", "write"]
