"""One view: a picture for everybody, which a script replaces by something to touch."""

import base64
import html
import json
from functools import cache
from pathlib import Path
from typing import Any

from helpers.plots.figure import DescribedFigure, caption_html
from helpers.plots.style import heading

PAGE = Path(__file__).parent / "page"


class View:
    """What a notebook shows, an exported page keeps, and the site carries.

    Args:
        kind: the name of its script in `page/`.
        data: what the script gets; anything `json` can write.
        picture: stands in its place where scripts are stripped.

    Attributes:
        picture: the figure; its `description` is the view in words.
        caption: what to try; stands below.
    """

    def __init__(self, kind: str, data: dict[str, Any], picture: DescribedFigure) -> None:
        self.picture, self.caption = picture, ""
        code = f"{_read('view.js')}\n{_read(f'{kind}.js')}"
        call = f"show(document.currentScript, {_json(_read('view.css'))}, {_json(data)})"
        self._script = f'<script>(() => {{ "use strict";\n{code}\n{call}; }})();</script>'

    def captioned(self, caption: str) -> "View":
        """The same view with a caption: one or two sentences on what to try."""
        self.caption = heading(caption)
        return self

    @property
    def html(self) -> str:
        """All of it in one piece."""
        inside = f'<div class="attention-view">{self._image()}{self._script}</div>'
        return f'<figure style="margin:0.5em 0">{inside}{caption_html(self.caption)}</figure>'

    def _image(self) -> str:
        data = base64.b64encode(self.picture.png(small=True)).decode()
        alt = html.escape(self.picture.description)
        look = "max-width:100%;height:auto;background:white"
        return f'<img alt="{alt}" style="{look}" src="data:image/png;base64,{data}">'

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": f"{self.picture.description} {self.caption}".strip()}


@cache
def _read(name: str) -> str:
    """A file of the page, without comment lines and indentation, which every view would carry."""
    lines = (line.strip() for line in (PAGE / name).read_text(encoding="utf-8").splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def _json(data: Any) -> str:
    """JSON that may stand in a script: a token `</script>` ends nothing."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text
