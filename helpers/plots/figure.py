"""A figure that says in words what it shows."""

import base64
import html
import io
import os
from typing import Any

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from helpers.beside.kernel import AS_SVG
from helpers.plots.drawing import terse
from helpers.plots.style import course_style
from helpers.text import caption_html, heading

DPI = 144
"""Pixels an inch.  The picture is shown at half that, so it stays sharp on a dense screen."""


class DescribedFigure(Figure):
    """A Matplotlib figure with a text alternative.  It is unknown to pyplot, so nothing has to be closed.

    Attributes:
        description: what the picture shows, with its numbers, in one to four sentences.
        caption: what to see in it; stands below it.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"dpi": DPI, "facecolor": "white", "figsize": (10.0, 10.0), **options})
        FigureCanvasAgg(self)
        self.description = self.caption = ""

    def captioned(self, caption: str) -> "DescribedFigure":
        """The same figure with a caption: one or two sentences on what to see."""
        self.caption = heading(caption)
        return self

    def png(self, *, small: bool = False) -> bytes:
        """The picture as PNG, on white whatever the theme of the notebook.

        Args:
            small: half as sharp and in 64 colours, a fifth of the bytes.
        """
        buffer = io.BytesIO()
        with course_style():
            dpi = DPI // 2 if small else DPI
            self.savefig(buffer, format="png", dpi=dpi, facecolor="white", transparent=False)
        return _in_few_colours(buffer) if small else buffer.getvalue()

    def svg(self) -> bytes:
        """The picture as SVG, on no ground of its own; text stays text, and equal figures are equal bytes."""
        buffer = io.BytesIO()
        look = {"svg.fonttype": "none", "svg.hashsalt": "course"}
        with course_style(), matplotlib.rc_context(look):
            self.savefig(buffer, format="svg", dpi=DPI, facecolor="none", metadata={"Date": None})
        return terse(buffer.getvalue().decode()).encode()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """What a notebook shows: the picture with its text alternative, or the text alone."""
        kind, picture = ("svg+xml", self.svg()) if os.environ.get(AS_SVG) else ("png", self.png())
        width, height = (round(inches * DPI / 2) for inches in self.get_size_inches())
        ground = "" if kind == "svg+xml" else ";background:white"
        picture = (
            f'<figure style="margin:0"><img alt="{html.escape(self.description)}" width="{width}" '
            f'height="{height}" style="max-width:100%;height:auto{ground}" '
            f'src="data:image/{kind};base64,{base64.b64encode(picture).decode()}">'
            f"{caption_html(self.caption)}</figure>"
        )
        return {"text/html": picture, "text/plain": f"{self.description} {self.caption}".strip()}


def _in_few_colours(png: io.BytesIO) -> bytes:
    from PIL import Image  # comes with Matplotlib

    buffer = io.BytesIO()
    with Image.open(png) as picture:
        picture.convert("RGB").quantize(64, dither=Image.Dither.NONE).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()
