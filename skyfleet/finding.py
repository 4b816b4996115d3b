"""A finding: what is wrong, where, and the remedy."""

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, order=True)
class Finding:
    path: str
    line: int
    rule: str
    message: str
    remedy: str
    severity: Severity = "error"

    def __str__(self) -> str:
        """As compilers print it, so that editors and CI can jump to the line."""
        return f"{self.path}:{self.line}: {self.rule} {self.message}; {self.remedy}"


Where = tuple[str | int, ...]
"""A place in the definition: ("teams", "search", "quota", "gke-us-central1")."""
