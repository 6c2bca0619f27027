"""The one extension that `docs/conf.py` names."""

from sphinx.application import Sphinx

from tools.web import exercises, formulas, head, impostor, outputs, workplaces
from tools.web.answer import cards, cells
from tools.web.review import page as review


def setup(app: Sphinx) -> dict[str, bool]:
    """What Sphinx calls; units are executed side by side, so all of it can be."""
    for one in (cards, cells, exercises, formulas, head, impostor, outputs, review, workplaces):
        one.setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
