"""What a learner's process says its cells have shown, made fit to be stored and opened by an instructor.

HTML, scripts and vector graphics are left out: they would run in the browser of whoever reads the feedback.
"""

import re
from typing import Any

from nbformat import NotebookNode, from_dict

PLAIN, PICTURES = "text/plain", ("image/png", "image/jpeg")
_BASE64 = re.compile(r"[A-Za-z0-9+/]*={0,2}")
MOST_COUNT = 10**6
MOST_ITEMS = 200


def new_output(kind: str, **parts: Any) -> NotebookNode:
    """An output as nbformat stores it."""
    if kind in ("display_data", "execute_result"):
        parts = {"metadata": {}, "execution_count": None, **parts}
        if kind == "display_data":
            del parts["execution_count"]
    return from_dict({"output_type": kind, **parts})


MARKUP = {
    r"&(?=#|\w)": "&amp;",
    r"<(?=[a-zA-Z/!?])": "&lt;",
    r"\](?=[(:\[])": "] ",
    r"(?i)(https?):(?=//)": r"\1:\\",
    r"\\(?=(?:href|mmlToken|class|cssId|style|require)\b)": r"\\ ",
}
"""What of a learner's text a page would follow or run, and how it is shown instead: entities, which hide the
rest, tags, links, addresses that become links by themselves, and what formulas may bring beside signs."""


def without_markup(text: str) -> str:
    """A learner's text with its HTML tags and its links shown, not followed."""
    for pattern, shown in MARKUP.items():
        text = re.sub(pattern, shown, text)
    return text


def as_it_stands(html: str) -> str:
    """HTML in which MathJax takes no $ for a formula: what an answer says may stand in it."""
    return f'<div class="tex2jax_ignore mathjax_ignore">{html}</div>'


def count(number: Any) -> int | None:
    """An execution count, `None` where it is none."""
    whole = isinstance(number, int) and not isinstance(number, bool)
    return number if whole and 0 <= number <= MOST_COUNT else None


def clean(outputs: Any, most: int) -> list[Any]:
    """Outputs as nbformat stores them.

    Args:
        outputs: what came; anything.
        most: how many characters are kept.

    Raises:
        ValueError: when it is not a list of outputs.
    """
    if not isinstance(outputs, list):
        raise ValueError("its process sent outputs that are none")
    kept, left = [], most
    for output in outputs[:MOST_ITEMS]:
        made = _one(output)
        size = len(str(made))
        if size > left:
            kept.append(new_output("stream", name="stdout", text="... output cut ...\n"))
            break
        left -= size
        kept.append(made)
    return kept


def _one(output: Any) -> Any:
    try:
        kind = output["output_type"]
        if kind == "stream":
            name = "stderr" if output["name"] == "stderr" else "stdout"
            return new_output("stream", name=name, text=_text(output["text"]))
        if kind == "error":
            lines = [_text(line) for line in output["traceback"]]
            return new_output(
                "error", ename=_text(output["ename"]), evalue=_text(output["evalue"]), traceback=lines
            )
        if kind in ("display_data", "execute_result"):
            extra = {"execution_count": count(output["execution_count"])} if kind == "execute_result" else {}
            return new_output(kind, data=_data(output["data"]), **extra)
    except (KeyError, TypeError) as error:
        raise ValueError(f"its process sent an output that is none: {error!r:.100}") from None
    raise ValueError("its process sent an output of an unknown kind")


def _data(data: dict[str, Any]) -> dict[str, str]:
    if not isinstance(data, dict):
        raise TypeError(f"a dict was expected; got {type(data).__name__}")
    pictures = {mime: "".join(_text(data[mime]).split()) for mime in PICTURES if mime in data}
    kept = {mime: picture for mime, picture in pictures.items() if _BASE64.fullmatch(picture)}
    text = _text(data[PLAIN]) if PLAIN in data else ""
    return {PLAIN: text or "(left out while grading)", **kept}


def _text(text: Any) -> str:
    if not isinstance(text, str):
        raise TypeError(f"a text was expected; got {type(text).__name__}")
    return text.encode("utf-8", "replace").decode()
