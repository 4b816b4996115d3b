"""`python -m tests.policy.bless`: accept what the policy now does with the sample tasks; review it with git diff."""

from __future__ import annotations

import tests.policy.conftest  # noqa: F401  # pyright: ignore[reportUnusedImport]  # a home of its own for SkyPilot
from tests.policy.readme import README, current
from tests.policy.sample import Case, cases, outcome


def bless(case: Case) -> bool:
    """Write the outcome of a case; whether it changed."""
    text = outcome(case)
    rejected = "decided:" not in text
    right, wrong = ("rejected.txt", "expected.yaml") if rejected else ("expected.yaml", "rejected.txt")
    (case.folder / wrong).unlink(missing_ok=True)
    file = case.folder / right
    changed = not file.exists() or file.read_text() != text
    file.write_text(text)
    return changed


if __name__ == "__main__":
    changed = [case.sentence for case in cases() if bless(case)]
    _ = README.write_text(current())
    print("\n".join(changed) or "nothing changed")
