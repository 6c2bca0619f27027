"""What the panels of a check share: the frame, and words of which code is set as code."""

import html
import re

WRONG, RIGHT = "#b3261e", "#3a9143"
"""Colours of the line at the left, which repeats what the first word says."""


def framed(inner: str, colour: str, more: str = "") -> str:
    """HTML with a coloured line at its left; `more` is added to its style."""
    style = f"border-left: 4px solid {colour}; padding: 2px 12px; max-width: 70em{more}"
    return f'<div style="{style}">{inner}</div>'


def in_html(text: str) -> str:
    """A sentence with what stands between backticks set as code."""
    return re.sub(r"`([^`\n]+)`", r"<code>\1</code>", html.escape(text))
