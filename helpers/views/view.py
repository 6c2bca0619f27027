"""One view: a picture for everybody, which a script replaces by something to touch."""

import base64
import html
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from helpers.text import caption_html, heading
from helpers.views.script import as_json, shared

if TYPE_CHECKING:  # a page shows a view without its picture, and does not wait for Matplotlib
    from helpers.plots.figure import DescribedFigure


@dataclass(frozen=True, repr=False)
class Drawing:
    """A picture that is written as SVG, with its words.

    Attributes:
        text: an `<svg>` element.
        description: the picture in words.
        below: sentences that stand under it where scripts are stripped.
    """

    text: str
    description: str
    below: tuple[str, ...] = ()


class View:
    """What a notebook shows, an exported page keeps, and the site carries.

    Args:
        kind: one of `PARTS` in `script.py`.
        data: what the script gets; anything `json` can write.
        draw: makes the picture that stands in its place where scripts are stripped.

    Attributes:
        data: what the script gets.
        caption: what to try; stands below.
    """

    def __init__(
        self, kind: str, data: dict[str, Any], draw: "Callable[[], DescribedFigure | Drawing]"
    ) -> None:
        self._draw, self.data, self.caption = draw, data, ""
        call = f"show(document.currentScript, {as_json(data)})"
        self._script = f'<script>(() => {{ "use strict";\n{shared(kind)}\n{call}; }})();</script>'

    @cached_property
    def picture(self) -> "DescribedFigure | Drawing":
        """The picture; its `description` is the view in words."""
        return self._draw()

    def captioned(self, caption: str) -> "View":
        """The same view with a caption: one or two sentences on what to try."""
        self.caption = heading(caption)
        return self

    @property
    def html(self) -> str:
        """All of it in one piece."""
        return self._around(self._image())

    def _around(self, image: str) -> str:
        inside = f'<div class="attention-view">{image}{self._script}</div>'
        return f'<figure style="margin:0.5em 0">{inside}{caption_html(self.caption)}</figure>'

    def _image(self) -> str:
        drawn = isinstance(self.picture, Drawing)
        kind, picture = (
            ("svg+xml", self.picture.text.encode()) if drawn else ("png", self.picture.png(small=True))
        )
        data = base64.b64encode(picture).decode()
        alt = html.escape(self.picture.description)
        look = "max-width:100%;height:auto;background:white"
        below = "".join(f"<p>{html.escape(one)}</p>" for one in self.picture.below) if drawn else ""
        return f'<img alt="{alt}" style="{look}" src="data:image/{kind};base64,{data}">{below}'

    def _repr_page_(self) -> dict[str, str]:
        """What a page shows, where scripts run: the same without the picture."""
        return {"text/html": self._around(""), "text/plain": f"A view. {self.caption}".strip()}

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": f"{self.picture.description} {self.caption}".strip()}
