"""The one comment of a pull request: a hidden marker, then sections, each of which a job replaces on its own."""

import re
from collections.abc import Mapping

MARKER = "<!-- skyfleet-preview -->"
SECTIONS = ("fleet", "engine")
"""In the order in which they are shown."""
MOST_CHARACTERS = 65_536
"""Of a comment on GitHub."""
CUT = "\n\n_Details were left out: GitHub's comments end at 65,536 characters. The job's summary has all of them._\n"

_SECTION = re.compile(r"<!-- section (\w+) -->\n(.*?)\n<!-- end \1 -->", re.DOTALL)
_DETAILS = re.compile(r"<details>(?:(?!<details>).)*?</details>\n*", re.DOTALL)


def compose(sections: Mapping[str, str]) -> str:
    """The comment; its longest details are left out first where it would be too long."""
    kept = dict(sections)
    body = _joined(kept)
    while len(body) > MOST_CHARACTERS:
        longest = max(kept, key=lambda name: len(kept[name]))
        shorter = _shorter(kept[longest], len(body) - MOST_CHARACTERS)
        if shorter == kept[longest]:
            break
        kept[longest] = shorter
        body = _joined(kept)
    return body


def sections_of(body: str) -> dict[str, str]:
    return dict(_SECTION.findall(body))


def _joined(sections: Mapping[str, str]) -> str:
    parts = [
        f"<!-- section {name} -->\n{_inert(sections[name])}\n<!-- end {name} -->"
        for name in SECTIONS
        if name in sections
    ]
    return "\n".join((MARKER, *parts)) + "\n"


def _inert(text: str) -> str:
    """A report cannot end its own section: our comments are the only ones."""
    return text.strip("\n").replace("<!-- section", "<!-- -- section").replace("<!-- end", "<!-- -- end")


def _shorter(text: str, excess: int) -> str:
    text = text.removesuffix(CUT)
    details = _DETAILS.findall(text)
    if details:
        return text.replace(max(details, key=len), "", 1).rstrip("\n") + CUT
    return text[: max(len(text) - excess - len(CUT), 0)] + CUT
