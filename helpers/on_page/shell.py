"""What stands for IPython on a page: as much of its shell and of `display` as the helpers ask for."""

import itertools
import sys
import types
from collections.abc import Callable
from typing import Any

from helpers.on_page.outputs import bundle

Publish = Callable[[dict[str, Any], str | None, bool], None]
"""Takes an output by kinds, the id under which it may be shown anew, and whether it replaces that one."""


class Publisher:
    """Where `display` leads: to the page, or to nothing while a check runs.

    Attributes:
        outputs: what came while nobody looked.
    """

    def __init__(self, publish: Publish | None = None) -> None:
        self.outputs: list[Any] = []
        self._publish = publish

    def publish(
        self, data: dict[str, Any], metadata: Any = None, transient: Any = None, update: bool = False
    ) -> None:
        """Show an output; the names are IPython's."""
        if self._publish:
            self._publish(data, (transient or {}).get("display_id"), update)
        else:
            self.outputs.append(data)


class Shell:
    """The shell of the page's notebook.

    Attributes:
        user_ns: the notebook's names.
        display_pub: where `display` leads.
        watching: what is called after each cell.
    """

    kernel = "a page"

    def __init__(self, space: dict[str, Any], publish: Publish) -> None:
        self.user_ns, self.display_pub = space, Publisher(publish)
        self.watching: list[Callable[[Any], None]] = []
        self.compile, self.events = types.SimpleNamespace(flags=0), self

    def register(self, event: str, function: Callable[[Any], None]) -> None:
        """Call a function after each cell; no other event is asked for."""
        if event == "post_run_cell":
            self.watching.append(function)

    def ask_exit(self) -> None:
        """Do nothing: a page is not left from inside."""


class HTML:
    """IPython's, for readers who know it."""

    def __init__(self, data: str) -> None:
        self.data = data

    def _repr_html_(self) -> str:
        return self.data


class Handle:
    """What shows another output in the place of one that is there."""

    def __init__(self, display: Callable[..., Any], display_id: str) -> None:
        self._display, self.display_id = display, display_id

    def update(self, one: Any, **_: Any) -> None:
        """Show it there."""
        self._display(one, display_id=self.display_id, update=True)


def begin(shell: Shell) -> None:
    """Put the shell where the helpers look for IPython's, and let them watch cells from now on."""
    numbers = itertools.count(1)

    def display(
        *ones: Any, raw: bool = False, display_id: Any = None, update: bool = False, **_: Any
    ) -> Handle | None:
        place = f"shown-{next(numbers)}" if display_id is True else display_id
        for one in ones:
            shell.display_pub.publish(one if raw else bundle(one), None, {"display_id": place}, update)
        return Handle(display, place) if place else None

    parts = {
        "IPython": {"get_ipython": lambda: shell, "version_info": (9, 0, 0)},
        "IPython.display": {"display": display, "HTML": HTML, "clear_output": lambda *_, **__: None},
        "IPython.core": {},
        "IPython.core.displaypub": {"CapturingDisplayPublisher": Publisher},
    }
    for name, content in parts.items():
        module = types.ModuleType(name)
        module.__dict__.update(content)
        sys.modules[name] = module
        above, _, last = name.rpartition(".")
        if above:
            setattr(sys.modules[above], last, module)
    from helpers.beside import failed_cells

    failed_cells.watch()
