"""`python -m tests.preview.bless`: accept the reports as they are now; review them with git diff."""

import tests.preview.conftest  # noqa: F401  # pyright: ignore[reportUnusedImport]  # a home of its own for SkyPilot
from skyfleet.preview.markdown import markdown
from tests.preview.cases import CASES, GOLDEN, report_of

if __name__ == "__main__":
    for file in GOLDEN.glob("*.md"):
        if file.stem not in CASES:
            file.unlink()
            print(f"removed {file.stem}")
    for name in CASES:
        file = GOLDEN / f"{name}.md"
        text = markdown(report_of(name))
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
            print(name)
