"""A learner's own function, line by line, each with what it made: from a recording, which it only shows.

No picture is drawn and Matplotlib is not imported: a failing check shows it as well.
"""

from html import escape
from typing import Any

from helpers.views.script import as_json, shared
from helpers.views.trace_page import heading, in_words, note, reached, sent, thinner, title, told
from helpers.views.trace_words import Plain

FOLDED = 45_000
"""So many bytes a notebook keeps of it below a failing check."""
_CODE = 48
"""Letters of code beside which a terminal has room for what the line made."""


class Trace:
    """What a notebook shows, a terminal prints, and an exported page keeps.

    Args:
        recording: what `helpers/beside/tracing.py` wrote down.

    Attributes:
        data: what the script gets.
    """

    def __init__(self, recording: Plain) -> None:
        self.recording, self.data = recording, sent(recording)

    @property
    def html(self) -> str:
        """All of it in one piece: in words, which a script replaces by something to step through."""
        words, script = in_words(self.recording), _script("show", self.data)
        return f'<div class="attention-view">{words}{script}</div>'

    def __repr__(self) -> str:
        recording = self.recording
        parts = [title(recording), *filter(None, [note(recording)]), ""]
        for of in range(len(recording["functions"])):
            rows = told(recording, of)
            wide = min(_CODE, max((len(code) for _, code, _ in rows), default=0))
            parts += [f"{heading(recording, of)}:"] if of else []
            for line, code, words in rows:
                if words and len(code) > wide:
                    parts += [f"{line:4}  {code}", f"      {'':{wide}}  {words}"]
                else:
                    parts.append(f"{line:4}  {code:{wide}}  {words}".rstrip())
            parts.append("")
        stages = [f"{at}. {name} {line}".strip() for at, (name, line) in enumerate(reached(recording), 1)]
        parts += [f"The course's stages: {', '.join(stages)}."] if stages else []
        return "\n".join([*parts, *recording.get("facts", []), *recording.get("left_out", [])]).rstrip()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": repr(self)}


def traced(recording: Plain) -> Trace:
    """The view of a recording.

    Args:
        recording: plain data, as `helpers/beside/tracing.py` writes it.
    """
    return Trace(recording)


def folded_trace(recording: Plain, says: str) -> str:
    """HTML that folds a trace away under a sentence; empty where it would be too much for a failing check.

    Args:
        recording: plain data.
        says: the sentence that one presses.

    A long one has smaller maps, and then no table for pages without scripts.
    """
    press = f'<summary style="cursor:pointer;padding:4px 0">{escape(says)}</summary>'
    words, data = in_words(recording), sent(recording)
    for most, table in ((8, True), (4, True), (4, False), (2, False)):
        script = _script("unfold", thinner(data, most) | ({} if table else {"fixed": ""}))
        host = f'<div class="attention-view">{words if table else ""}{script}</div>'
        html = f'<details style="margin:4px 0 8px;padding-left:16px">{press}{host}</details>'
        if len(html.encode()) <= FOLDED:
            return html
    return ""


def _script(call: str, data: dict[str, Any]) -> str:
    run = f"{call}(document.currentScript, {as_json(data)})"
    return f'<script>(() => {{ "use strict";\n{shared("trace")}\n{run}; }})();</script>'
