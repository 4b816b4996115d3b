"""Section: findings."""

from collections.abc import Iterable, Iterator

from skyfleet.finding import Finding
from skyfleet.preview.findings import Findings
from skyfleet.preview.markdown.text import MOST_ROWS, block, count, details


def section(findings: Findings) -> Iterator[str]:
    if not findings:
        return
    yield from ("### Findings", "")
    if findings.new:
        yield from (f"{count(len(findings.new), 'new finding')}:", "", *_block(findings.new), "")
    if findings.old:
        yield from details(f"{count(len(findings.old), 'finding')} that the base has too", _block(findings.old))
        yield ""
    if findings.fixed:
        yield from (
            f"{count(len(findings.fixed), 'finding')} of the base {'is' if len(findings.fixed) == 1 else 'are'} gone.",
            "",
        )


def _block(findings: Iterable[Finding]) -> list[str]:
    lines = [_line(finding) for finding in findings]
    more = [f"and {len(lines) - MOST_ROWS} more"] if len(lines) > MOST_ROWS else []
    return block([*lines[:MOST_ROWS], *more])


def _line(finding: Finding) -> str:
    warning = " (warning)" if finding.severity == "warning" else ""
    said = f"{finding.path}:{finding.line}: {finding.rule}{warning} {finding.message}; {finding.remedy}"
    return " ".join(said.split())
