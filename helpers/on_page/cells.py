"""The code cells of a page, run where they are: a cell first runs what it needs of those above.

No IPython and no kernel (`shell.py` has what the helpers ask of one).  What each run has made is kept by
cell, so that a name which two cells make has the value of the one above the cell that runs.
"""

import ast
import contextlib
import json
import linecache
import os
import re
import sys
import time
import traceback
import types
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from helpers.beside import kernel
from helpers.in_browser.names import parsed
from helpers.on_page import outputs, record, shell
from helpers.on_page.needs import Cell, needed
from helpers.on_page.streams import Stream

Send = Callable[[dict[str, Any]], None]
"""Takes what the page shall show: the `cell`, the `kind` of message, and what belongs to that kind."""

_FRAME = re.compile(r'  File "<cell (?P<id>[^>]*)>", line (?P<line>\d+)(?:, in (?P<name>\S+))?')
_OURS = "<cell "


@dataclass(frozen=True)
class Ran:
    """A cell's last run.

    Attributes:
        number: in how manieth run of all.
        source: its code then.
        given: the runs of the cells that it needed, by id.
        made: the names that it made, with their values.
    """

    number: int
    source: str
    given: dict[str, int]
    made: dict[str, Any]


class Notebook:
    """The cells of a page that have run.

    Attributes:
        space: the names that there are.
        shell: what stands for IPython's.
    """

    def __init__(self, space: dict[str, Any]) -> None:
        self.space = space
        self.shell = shell.Shell(space, self._display)
        self._ran: dict[str, Ran] = {}
        self._count, self._now = 0, ""
        self._send: Send = lambda _: None
        self._streams = (Stream(self._printed("stdout")), Stream(self._printed("stderr")))

    def first(self, cells: Sequence[Cell], wanted: Cell, without: Collection[str] = ()) -> list[str]:
        """The ids of the cells that have to run before a cell, in order.

        Args:
            cells: all of them.
            wanted: the one that shall run.
            without: ids of cells that do not run, whatever they would give.
        """
        return [one.id for one, _, again in self._before(cells, wanted, without) if again]

    def _before(
        self, cells: Sequence[Cell], wanted: Cell, without: Collection[str]
    ) -> list[tuple[Cell, list[Cell], bool]]:
        """The cells that a cell needs, each with those that it needs itself and whether it has to run."""
        found, again = [], set()
        for one in needed(cells, wanted):
            if one.id in without:
                continue
            needs, ran = needed(cells, one), self._ran.get(one.id)
            old = ran is None or ran.source != one.source or ran.given != self._given(needs)
            if old or any(other.id in again for other in needs):
                again.add(one.id)
            found.append((one, needs, one.id in again))
        return found

    def _given(self, needs: Sequence[Cell]) -> dict[str, int]:
        return {one.id: self._ran[one.id].number for one in needs if one.id in self._ran}

    def run(
        self,
        cells: Sequence[Cell],
        wanted: Cell,
        send: Send,
        *,
        without: Collection[str] = (),
        alone: bool = False,
    ) -> dict[str, Any]:
        """Run a cell, and before it what it needs.

        Args:
            cells: all of them.
            wanted: the one to run.
            send: takes what the page shall show, while it comes.
            without: ids of cells that do not run.
            alone: those above have run already, one after the other.

        Returns:
            `first`, the ids of cells that ran before; `error`, the name of what a cell stopped with, and its
            `text`; `stopped`, the id of that cell when it is another.
        """
        self._send = send
        first = []
        for one, needs, again in () if alone else self._before(cells, wanted, without):
            if again:
                first.append(one.id)
                if error := self._one(cells, one, needs):
                    return {"first": first[:-1], "stopped": one.id, **error}
            else:
                self.space.update(self._ran[one.id].made)
        return {"first": first, **self._one(cells, wanted, needed(cells, wanted))}

    def _one(self, cells: Sequence[Cell], cell: Cell, needs: Sequence[Cell]) -> dict[str, Any]:
        """Run one cell; gives its error, if there is one."""
        self._now, self._count = cell.id, self._count + 1
        self._import(cells[: cell.place], cell)
        self._post("begin")
        begun = time.perf_counter()
        error = self._watched(cell)
        seconds = time.perf_counter() - begun
        if error is None:
            made = {name: self.space[name] for name in cell.facts.made if name in self.space}
            self._ran[cell.id] = Ran(self._count, cell.source, self._given(needs), made)
            self._post("end", seconds=seconds)
            return {}
        self._ran.pop(cell.id, None)
        lines, kind = _told(error, cell.id), type(error).__name__
        self._post("error", name=kind, text="\n".join(lines))
        self._post("end", seconds=seconds, failed=True)
        return {"error": kind, "text": lines[-1] if lines else kind}

    def _watched(self, cell: Cell) -> BaseException | None:
        """Run the code of a cell, and tell those who watch; gives what it stopped with."""
        self.space.setdefault("In", [""]).append(cell.source)
        info = types.SimpleNamespace(raw_cell=cell.source, cell_id=cell.id)
        result = types.SimpleNamespace(
            error_before_exec=None, error_in_exec=None, info=info, execution_count=self._count
        )
        error = None
        out, err = self._streams
        for one in self._streams:
            one.begin()
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                self._execute(cell, result)
        except BaseException as its:  # whatever a reader's code does, the page goes on
            error = its
        self._flush()
        for watcher in self.shell.watching:
            watcher(result)
        return error

    def _execute(self, cell: Cell, result: Any) -> None:
        file = f"{_OURS}{cell.id}>"
        linecache.cache[file] = (len(cell.source), None, cell.source.splitlines(keepends=True), file)
        try:
            tree = parsed(cell.source, file)
        except (SyntaxError, ValueError) as error:
            result.error_before_exec = error
            raise
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        try:
            exec(compile(tree, file, "exec", dont_inherit=True), self.space)
            if isinstance(last, ast.Expr):
                code = compile(ast.Expression(last.value), file, "eval", dont_inherit=True)
                value = eval(code, self.space)
                if value is not None and not cell.source.rstrip().endswith(";"):
                    self.shell.display_pub.publish(outputs.bundle(value))
            if pyplot := sys.modules.get("matplotlib.pyplot"):
                for number in pyplot.get_fignums():
                    self.shell.display_pub.publish(outputs.of_pyplot(number, pyplot))
        except BaseException as error:
            result.error_in_exec = error
            raise

    def _import(self, above: Sequence[Cell], cell: Cell) -> None:
        """Import what the cell reads and a cell above imports: that is no reason to run all of it."""
        for name in cell.facts.read - self.space.keys():
            for other in reversed(above[1:]):
                if name in other.facts.imported:
                    lines = [
                        one
                        for one in ast.walk(parsed(other.source))
                        if isinstance(one, ast.Import | ast.ImportFrom)
                    ]
                    with contextlib.suppress(Exception):  # the cell will say what is missing
                        exec(compile(ast.Module([*lines], []), "<imports>", "exec"), self.space)
                    break

    # What the page hears

    def _post(self, kind: str, **words: Any) -> None:
        self._send({"cell": self._now, "kind": kind, **words})

    def _printed(self, name: str) -> Callable[[str], None]:
        def printed(text: str) -> None:
            for other in self._streams:  # what came before is shown before
                other.flush()
            self._post("stream", name=name, text=text)

        return printed

    def _flush(self) -> None:
        for one in self._streams:
            one.flush()

    def _display(self, data: dict[str, Any], place: str | None, update: bool) -> None:
        self._flush()
        self._post("update" if update else "data", data=outputs.for_page(data), display=place)


def _told(error: BaseException, cell: str) -> list[str]:
    """An error as lines: the course's own sentence, or the lines of the reader's cells on its way."""
    if render := getattr(error, "_render_traceback_", None):
        return list(render())
    tree = traceback.TracebackException.from_exception(error)
    for one in _chain(tree):
        one.stack = traceback.StackSummary.from_list(
            [frame for frame in one.stack if frame.filename.startswith(_OURS)]
        )

    def place(found: re.Match[str]) -> str:
        where = "This cell" if found["id"] == cell else "An earlier cell"
        inside = f", in {found['name']}" if found["name"] not in (None, "<module>") else ""
        return f"  {where}, line {found['line']}{inside}"

    return _FRAME.sub(place, "".join(tree.format()).rstrip()).split("\n")


def _chain(tree: traceback.TracebackException | None) -> Iterator[traceback.TracebackException]:
    while tree:
        yield tree
        tree = tree.__cause__ or (None if tree.__suppress_context__ else tree.__context__)


# What the worker calls: JSON goes in and comes out

_notebook: list[Notebook] = []


def begin(lines: str, unit: str = "") -> None:
    """Make the page's notebook.

    Args:
        lines: the reader's record, as the page has kept it.
        unit: whose page it is.
    """
    if unit:
        os.makedirs(unit, exist_ok=True)
        os.chdir(unit)  # as a notebook runs in its unit's folder
    os.environ |= {kernel.AS_SVG: "yes", "MPLBACKEND": "agg"}
    one = Notebook(sys.modules["__main__"].__dict__)
    shell.begin(one.shell)
    _notebook.append(one)
    record.put_back(lines)


def _cells(texts: str) -> list[Cell]:
    return [Cell(place, one["id"], one["source"]) for place, one in enumerate(json.loads(texts))]


def first(texts: str, wanted: str) -> str:
    """The ids of the cells that have to run before a cell, as JSON.

    Args:
        texts: JSON of all cells in order, each with `id` and `source`.
        wanted: the id of the one that shall run.
    """
    cells = _cells(texts)
    return json.dumps(_notebook[0].first(cells, next(one for one in cells if one.id == wanted)))


def run(texts: str, wanted: str, send: Callable[[str], None], how: str = "{}") -> str:
    """Run a cell, and before it what it needs.

    Args:
        texts: as above.
        wanted: its id.
        send: takes what the page shall show, as JSON.
        how: JSON, `without` and `alone` of `Notebook.run`.

    Returns:
        JSON: what `Notebook.run` gives, and `record`, what is new in the reader's record.
    """
    cells = _cells(texts)
    cell = next(one for one in cells if one.id == wanted)
    said = _notebook[0].run(cells, cell, lambda one: send(json.dumps(one)), **json.loads(how))
    return json.dumps({**said, "record": record.news()})


def checked(exercise: str, passed: bool) -> str:
    """Keep what the check of a card came to; gives JSON of what is new in the reader's record."""
    record.checked(exercise, passed=passed)
    return json.dumps(record.news())
