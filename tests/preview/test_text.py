"""Names of a stranger in Markdown: shown, and nothing else."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from skyfleet.preview.markdown.text import block, code

MARKDOWN = MarkdownIt("gfm-like", {"linkify": False})


@settings(max_examples=40, deadline=None)
@given(st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=60))
def test_whatever_stands_in_a_code_span_stays_in_it(name: str) -> None:
    """One code span and nothing beside it: no mention, no link, no HTML."""
    tokens = MARKDOWN.parseInline(code(name).replace("\\|", "|"))[0].children or []

    assert [token.type for token in tokens] == ["code_inline"]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text("`~ ab\n", max_size=12).map(lambda text: text.replace("\n", " ")), min_size=1, max_size=5))
def test_whatever_stands_in_a_block_stays_in_it(lines: list[str]) -> None:
    """A fence in a message does not end the block."""
    tokens = MARKDOWN.parse("\n".join(block(lines)))

    assert [token.type for token in tokens] == ["fence"]


@pytest.mark.parametrize(
    ("given", "shown"), [("plain", "`plain`"), ("a|b", "`a\\|b`"), ("a`b", "``a`b``"), ("`", "`` ` ``")]
)
def test_code_spans_as_a_reader_types_them(given: str, shown: str) -> None:
    """Backticks need a longer fence, pipes a backslash since spans stand in tables."""
    assert code(given) == shown
