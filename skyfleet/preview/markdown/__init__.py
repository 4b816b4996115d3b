"""The report as GitHub shows it: a verdict, then only what there is to say, details folded.

Names come from a definition that a stranger may have written: they stand in code spans and code blocks, where nothing of them is markup, a
link or a mention.
"""

from skyfleet.preview.markdown.document import markdown

__all__ = ["markdown"]
