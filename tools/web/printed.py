"""What cells print fits into a page: a sentence is wrapped, and a table gets smaller signs."""

import html
import re

COLUMNS = 74
"""Signs of a line that fit into an exercise."""
MOST = 100
"""Signs of the longest line that is made smaller; of a longer one the rest goes on below."""

_PRINTED = re.compile(
    r'(?P<before><div class="output [^"]*\bhighlight-[^"]*"><div class="highlight">)<pre>(?:<span></span>)?'
    r"(?P<text>.*?)</pre>",
    re.DOTALL,
)
_TAG = re.compile(r"<[^>]*>")


def fitting(page: str) -> str:
    """A page whose outputs know their width where that is more than the page's."""
    return _PRINTED.sub(_fitted, page)


def _fitted(found: re.Match[str]) -> str:
    text = found["text"].removesuffix("\n")
    lines = text.split("\n")
    widths = [len(html.unescape(_TAG.sub("", line))) for line in lines]
    if max(widths) <= COLUMNS or "<span" in text:  # a colour may go over several lines
        return found[0]
    if _is_table(lines) and max(widths) <= MOST:
        return f'{found["before"]}<pre class="wide-of" style="--long: {max(widths)}">{text}\n</pre>'
    told = [
        f'<span class="told">{line}\n</span>' if width > COLUMNS else f"{line}\n"
        for line, width in zip(lines, widths, strict=True)
    ]
    return f"{found['before']}<pre>{''.join(told)}</pre>"


def _is_table(lines: list[str]) -> bool:
    """Whether several lines have columns: two spaces or more between words."""
    return sum(bool(re.search(r"\S {2,}\S", line)) for line in lines) > 1
