"""A wrapped line of code goes on further in than it began: in Python, where a line begins says something."""

import re

_CODE = re.compile(
    r'(?P<before><div class="cell_input docutils container">\s*<div class="highlight-[\w-]+ notranslate">'
    r'<div class="highlight"><pre>)(?:<span></span>)?(?P<code>.*?)(?P<after></pre>)',
    re.DOTALL,
)
_TAG = re.compile(r"<span[^>]*>|</span>")
_OPENED = re.compile(r"(?<=\w)([(\[])(?=[^)\]])")
_ENTITY_OR_TEXT = re.compile(r"(<[^>]*>)|([^<]+)")


def in_lines(page: str) -> str:
    """A page in whose cells each line of code is an element that knows how far in it begins."""
    return _CODE.sub(lambda found: found["before"] + _lines(found["code"]) + found["after"], page)


def _lines(code: str) -> str:
    """The lines, each with the spans closed that it leaves open, and opened again in the next."""
    made, still = [], []
    for line in code.removesuffix("\n").split("\n"):
        whole = "".join(still) + line
        still = _left_open(whole)
        inward = len(_TAG.sub("", line)) - len(_TAG.sub("", line).lstrip(" "))
        look = f' style="--in:{inward}"' if inward else ""
        made.append(f'<span class="line"{look}>{_breakable(whole)}{"</span>" * len(still)}\n</span>')
    return "".join(made)


def _left_open(line: str) -> list[str]:
    still: list[str] = []
    for tag in _TAG.findall(line):
        if tag == "</span>":
            still.pop()
        else:
            still.append(tag)
    return still


def _breakable(line: str) -> str:
    """A line that may be broken after an opened bracket, before any name is cut."""
    return _ENTITY_OR_TEXT.sub(lambda found: found[1] or _OPENED.sub(r"\1<wbr>", found[2]), line)
