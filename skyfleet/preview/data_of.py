"""The report as plain data, for programs."""

import dataclasses
from typing import Any

from skyfleet.preview.markdown.document import VERDICTS
from skyfleet.preview.report import Report


def data_of(report: Report) -> dict[str, Any]:
    """Verdict and concerns first, then every section as it is."""
    sections = dataclasses.asdict(report)
    for cluster, told in zip(report.clusters, sections["clusters"], strict=True):
        told["outcomes"] = [str(outcome) for outcome in cluster.outcomes]
    concerns = [{"level": VERDICTS[concern.level], "text": concern.text} for concern in report.concerns()]
    return {"verdict": VERDICTS[report.level], "exit_code": report.exit_code, "concerns": concerns, **sections}
