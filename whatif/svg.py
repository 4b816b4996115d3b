"""The little of SVG that the charts need."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

COLOURS = ("#3266ad", "#d9822b", "#3d9970", "#8e5ea2", "#b5403a", "#6b7780")
"""Told apart by people who do not see red and green as different, too, by their lightness."""


def drawing(width: float, height: float, parts: Iterable[str], label: str) -> str:
    inside = "\n".join(parts)
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" width="{width:g}" role="img" aria-label="{escape(label)}" '
        f'xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" font-size="12">\n{inside}\n</svg>'
    )


def bar(x: float, y: float, width: float, height: float, colour: str, *, opacity: float = 1, told: str = "") -> str:
    """A rectangle; `told` shows when the pointer is over it."""
    title = f"<title>{escape(told)}</title>" if told else ""
    size = f'width="{max(width, 0):.1f}" height="{max(height, 0):.1f}"'
    return f'<rect x="{x:.1f}" y="{y:.1f}" {size} fill="{colour}" opacity="{opacity:g}">{title}</rect>'


def text(x: float, y: float, words: str, *, anchor: str = "start", bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{weight} fill="currentColor">{escape(words)}</text>'


def line(x: float, y: float, to_x: float, to_y: float, *, dashed: bool = False) -> str:
    dash = ' stroke-dasharray="4 3"' if dashed else ""
    return f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" stroke="currentColor" stroke-width="0.7"{dash}/>'


def area(points: Iterable[tuple[float, float]], colour: str) -> str:
    """A filled polygon."""
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polygon points="{corners}" fill="{colour}" opacity="0.85"/>'
