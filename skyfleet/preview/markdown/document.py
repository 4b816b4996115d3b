"""The whole report."""

import re
from collections.abc import Iterator

from skyfleet.preview.concern import Concern, Level
from skyfleet.preview.markdown import clusters, costs, findings, quotas, routing
from skyfleet.preview.markdown.text import code, count, details, table
from skyfleet.preview.report import Report

VERDICTS = {
    Level.SAFE: "safe",
    Level.ATTENTION: "needs attention",
    Level.DESTROYS: "destroys or interrupts",
}
_MOST_REASONS = 12


def markdown(report: Report) -> str:
    lines = [
        *_verdict(report),
        *clusters.section(report.clusters),
        *quotas.section(report.quotas),
        *routing.section(report.routing),
        *costs.section(report.costs),
        *findings.section(report.findings),
        *_fields(report),
    ]
    return "\n".join(lines).rstrip("\n") + "\n"


def _verdict(report: Report) -> Iterator[str]:
    verdict = "nothing to compare" if report.unusable else VERDICTS[report.level]
    yield from (f"## Fleet preview: {verdict}", "", f"The definition against {code(report.base)}.", "")
    concerns = report.concerns()
    if not concerns and not report.fields:
        yield "Nothing of the definition changes."
        yield ""
    for concern in concerns[:_MOST_REASONS]:
        yield _reason(concern)
    if len(concerns) > _MOST_REASONS:
        yield f"- and {len(concerns) - _MOST_REASONS} more below"
    if concerns:
        yield ""


def _reason(concern: Concern) -> str:
    text = _plain(concern.text)
    return f"- **{text}**" if concern.level is Level.DESTROYS else f"- {text}"


def _plain(text: str) -> str:
    """Names in a sentence, with nothing left that Markdown or GitHub would read as markup."""
    escaped = re.sub(r"([\\`*_\[\]<>|#~])", r"\\\1", " ".join(text.split()))
    return escaped.replace("@", "@\u200b").replace("://", ":\u200b//")


def _fields(report: Report) -> Iterator[str]:
    if not report.fields:
        return
    rows = (
        (
            code(change.file),
            code(change.field) if change.field else "the file",
            _value(change.before),
            _value(change.after),
        )
        for change in report.fields
    )
    yield from details(
        f"What was edited ({count(len(report.fields), 'field')})", table(("file", "field", "before", "after"), rows)
    )
    yield ""


def _value(value: object) -> str:
    return "-" if value is None else code(value)
