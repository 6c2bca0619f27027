"""Show something below the cell, and ask the page around it to do what a kernel cannot."""

import html
import json
import secrets
from collections.abc import Sequence
from typing import Any

CHANNEL = "attention-course-notebook"
"""Where the page hears of it: `tools/lite/page/asked.js`."""


def ask(lines: Sequence[str], **asked: Any) -> None:
    """Show lines of text, and ask the page that shows them: other tabs hear it too, and know it by a mark.

    Args:
        lines: what the learner reads.
        asked: what the page shall do, as JSON has it.
    """
    import js
    from IPython.display import display

    mark = secrets.token_hex(8)
    shown = f'<p data-asked="{mark}">{"<br>".join(map(html.escape, lines))}</p>'
    display({"text/plain": "\n".join(lines), "text/html": shown}, raw=True)
    channel = js.BroadcastChannel.new(CHANNEL)
    channel.postMessage(json.dumps({**asked, "mark": mark}))
    channel.close()
