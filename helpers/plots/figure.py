"""A figure that says in words what it shows."""

import base64
import html
import io
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from helpers.plots.style import course_style

DPI = 144
"""Pixels an inch.  The picture is shown at half that, so it stays sharp on a dense screen."""


class DescribedFigure(Figure):
    """A Matplotlib figure with a text alternative.  It is unknown to pyplot, so nothing has to be closed.

    Attributes:
        description: what the picture shows, with its numbers, in one to four sentences.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"dpi": DPI, "facecolor": "white", "figsize": (10.0, 10.0), **options})
        FigureCanvasAgg(self)
        self.description = ""

    def png(self) -> bytes:
        """The picture as PNG, on white whatever the theme of the notebook."""
        buffer = io.BytesIO()
        with course_style():
            self.savefig(buffer, format="png", dpi=DPI, facecolor="white", transparent=False)
        return buffer.getvalue()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """What a notebook shows: the picture with its text alternative, or the text alone."""
        data = base64.b64encode(self.png()).decode()
        width = round(self.get_size_inches()[0] * DPI / 2)
        picture = (
            f'<figure style="margin:0"><img alt="{html.escape(self.description)}" width="{width}" '
            f'style="max-width:100%;height:auto;background:white" '
            f'src="data:image/png;base64,{data}"></figure>'
        )
        return {"text/html": picture, "text/plain": self.description}
