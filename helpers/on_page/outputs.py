"""What a value looks like on a page: by kinds, as in a notebook, with drawings for light and dark."""

import base64
import pprint
import re
from collections.abc import Mapping
from typing import Any

WIDTH = 79
"""So long is a line before a list or a dict goes over several."""

_UNIT = re.compile(r'(<a href="\.\./\d\d_\w+/\d\d_\w+)\.ipynb"')
_DRAWING = re.compile(
    r'<img (?P<about>[^>]*width="(?P<width>\d+)"[^>]*style=")(?P<style>[^">]*"[^">]*) '
    r'src="data:image/svg\+xml;base64,(?P<svg>[^"]+)">'
)


def bundle(one: Any) -> dict[str, Any]:
    """What a value looks like, by kinds."""
    if isinstance(one, type):
        return {"text/plain": repr(one)}
    if make := getattr(one, "_repr_page_", None):
        return make()
    if make := getattr(one, "_repr_mimebundle_", None):
        data = make(None, None)
        return data[0] if isinstance(data, tuple) else data
    data = {"text/plain": _text(one)}
    if make := getattr(one, "_repr_html_", None):
        data["text/html"] = make()
    return data


def _text(one: Any) -> str:
    said = repr(one)
    if len(said) > WIDTH and type(one) in (dict, list, tuple, set):
        return pprint.pformat(one, width=WIDTH + 1, sort_dicts=False)
    return said


def of_pyplot(number: int, pyplot: Any) -> dict[str, Any]:
    """A figure of the reader's own, which is closed then: pixels on white, since its colours are unknown."""
    import io

    buffer = io.BytesIO()
    pyplot.figure(number).savefig(buffer, format="png", dpi=144, bbox_inches="tight")
    pyplot.close(number)
    data = base64.b64encode(buffer.getvalue()).decode()
    look = "max-width:100%;background:white"
    shown = f'<img alt="Your figure" style="{look}" src="data:image/png;base64,{data}">'
    return {"text/plain": "Your figure", "text/html": shown}


def for_page(data: Mapping[str, Any]) -> dict[str, Any]:
    """The same as `tools/web/outputs.py` makes it: each drawing twice, and links that lead to pages."""
    if "text/html" not in data:
        return dict(data)
    return {**data, "text/html": _UNIT.sub(r'\1.html"', _DRAWING.sub(_in_both, data["text/html"]))}


def _in_both(found: re.Match[str]) -> str:
    from helpers.plots.dark import in_the_dark

    light = base64.b64decode(found["svg"]).decode()
    try:
        dark = in_the_dark(light)
    except ValueError:  # a colour of the reader's own
        dark = light
    drawn = (
        f'<img class="only-{name}" {found["about"]}--wide:{found["width"]}px;{found["style"]} '
        f'src="data:image/svg+xml;base64,{base64.b64encode(text.encode()).decode()}">'
        for name, text in (("light", light), ("dark", dark))
    )
    return f'<div class="drawing">{"".join(drawn)}</div>'
