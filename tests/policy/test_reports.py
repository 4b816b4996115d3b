"""The list of public reports that are covered names what there is."""

from __future__ import annotations

import re

import pytest
import yaml

from tests.policy.sample import HERE, cases

REPORTS: dict[str, list[str]] = yaml.safe_load((HERE / "reports.yaml").read_text())
SENTENCES = {case.sentence for case in cases()}


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.split(" ")[0])
def test_report_is_covered(report: str) -> None:
    """Each report has a case or a test that exists."""
    for name in REPORTS[report]:
        if name.startswith("test_"):
            module, _, function = name.partition(".")
            assert re.search(rf"^def {function}\(", (HERE / f"{module}.py").read_text(), re.MULTILINE), name
        else:
            assert name in SENTENCES
