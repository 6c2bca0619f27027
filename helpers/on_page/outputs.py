"""What a value looks like on a page: by kinds, as in a notebook, with drawings for light and dark."""

import base64
import pprint
import re
from collections.abc import Callable, Iterable, Mapping
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
    """The same as a page of the site has it."""
    if "text/html" not in data:
        return dict(data)
    return {**data, "text/html": on_site(data["text/html"], _address, _dark)}


def on_site(text: str, address: Callable[[str], str], dark: Callable[[str], str]) -> str:
    """HTML as the site has it: each drawing twice, for light and dark, and links that lead to pages.

    Args:
        text: of a notebook.
        address: gives where a drawing is found.
        dark: gives a drawing in the dark's colours.
    """

    def drawn(found: re.Match[str]) -> str:
        light = base64.b64decode(found["svg"]).decode()
        about = f"{found['about']}--wide:{found['width']}px;{found['style']}"
        return f'<div class="drawing">{in_both(about, map(address, (light, dark(light))))}</div>'

    return _UNIT.sub(r'\1.html"', _DRAWING.sub(drawn, text))


def in_both(about: str, files: Iterable[str]) -> str:
    """A drawing as two pictures, of which the theme shows the one for the light or the one for the dark.

    Args:
        about: the attributes of both.
        files: the one for the light, the one for the dark; that which is not shown is not loaded.
    """
    named = zip(("light", "dark"), files, strict=True)
    return "".join(f'<img class="only-{one}" {about} loading="lazy" src="{file}">' for one, file in named)


def _address(svg: str) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"


def _dark(light: str) -> str:
    from helpers.plots.dark import in_the_dark

    try:
        return in_the_dark(light)
    except ValueError:  # a colour of the reader's own
        return light
