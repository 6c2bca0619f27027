"""A bank of damaged and hostile submissions: what learners hand in by accident, or only testers do.

Most hold right answers, so that they deserve full marks. `python -m tests.faults` grades them all in one
class and prints a table: fault, expected, got, what was said. Words after it choose faults by their names.
"""

import copy
import gzip
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import nbformat

from grading.summary import plain
from helpers.units import tested_by
from tests import classroom, sample_learners
from tools.patience import LONGEST

UNIT = "05_softmax"
FILE = f"{UNIT}.ipynb"
ALONE = "softmax_backward"
"""The exercise that no other answer of the unit calls: the one to break."""

SECRET = "the-instructor's-secret"
LIMITS = "\nc.SandboxExecute.cell_seconds = 0.5\nc.SandboxExecute.call_seconds = 0.3\n"
"""Added to nbgrader's settings: a loop without end must not take minutes here."""

TEST = ("test_softmax", "test_attention", "faulty_map")
"""Exercises that the class does not have: they take longer than the five others, as many impostors run."""

FULL = {name: number for name, number in sample_learners.points(UNIT).items() if name not in TEST}
NO_MARK = None


@dataclass(frozen=True)
class Fault:
    """One submission.

    Attributes:
        name: also the student's, unless that is the fault.
        hand_in: fills the empty folder `submitted/<student>/<unit>`.
        expected: points by exercise; `NO_MARK` where nothing can be graded, and the report says why.
        says: what the report must hold (reason, flags, remarks), as a regular expression.
        plain: whether `nbgrader autograde` finds it too (it looks for `*.ipynb`, and only there).
        slow: whether it takes seconds.
        reaches: whether it could harm other submissions, so that it is also graded apart from the others.
        who: the student's id, if not the name.
    """

    name: str
    hand_in: Callable[[Path], object]
    expected: dict | None
    says: str = ""
    plain: bool = True
    slow: bool = False
    reaches: bool = False
    who: str = ""

    @property
    def student(self):
        return self.who or self.name


def without(*exercises):
    """Full marks but for these."""
    return {name: 0 if name in exercises else number for name, number in FULL.items()}


# Notebooks with right answers, as plain data: what nbformat would not write must be possible here


def short(made):
    """A notebook of the unit without the exercises that the class does not have."""
    made = copy.deepcopy(made)
    made["cells"] = [cell for cell in made["cells"] if tested_by(grade_id(cell) or "") not in TEST]
    return made


@cache
def _right():
    made = nbformat.from_dict(whole())
    made.cells = [
        cell for cell in made.cells if sample_learners.grader(cell)
    ]  # the demonstrations only take time
    return json.dumps(made)


def right(**answers):
    """A notebook with right answers, but for those given."""
    made = json.loads(_right())
    for name, source in answers.items():
        cell_of(made, name)["source"] = source
    return made


def whole():
    """The same with all that the unit shows in between."""
    made = sample_learners.answered(classroom.released(UNIT), classroom.solved(UNIT))
    return json.loads(json.dumps(short(made)))


def grade_id(cell):
    noted = cell.get("metadata", {}).get("nbgrader")
    return noted.get("grade_id") if isinstance(noted, dict) else None


def cell_of(made, name):
    return next(cell for cell in made["cells"] if grade_id(cell) == name)


def place_of(made, name):
    return made["cells"].index(cell_of(made, name))


def code(source, **metadata):
    return {
        "cell_type": "code",
        "metadata": metadata,
        "source": source,
        "outputs": [],
        "execution_count": None,
    }


def answers_of(made):
    return [cell for cell in made["cells"] if grade_id(cell) in FULL]


def tests_of(made):
    return [cell for cell in made["cells"] if (grade_id(cell) or "").endswith("-test")]


def encode(made):
    return made if isinstance(made, bytes) else json.dumps(made).encode()


# Ways to hand in


def put(made=None, name=FILE, **files):
    """Hand in a notebook (or bytes), and files beside it."""

    def hand_in(folder):
        write(folder, name, encode(right() if made is None else made))
        for other, data in files.items():
            write(folder, other, data)

    return hand_in


def put_files(files, made=None):
    """`put`, with names that are no keywords; a file can be a function of its path, too."""

    def hand_in(folder):
        put(made)(folder)
        for name, data in files.items():
            write(folder, name, data)

    return hand_in


def write(folder, name, data):
    path = Path(folder, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    if callable(data):
        data(path)
    else:
        path.write_bytes(data if isinstance(data, bytes) else data.encode())


def edited(change):
    """Hand in the notebook with right answers after a change to its data."""

    def hand_in(folder):
        made = right()
        change(made)
        put(made)(folder)

    return hand_in


def first(source):
    """A cell before all others."""
    return edited(lambda made: made["cells"].insert(0, code(source)))


def early(source):
    """A cell after the set-up."""
    return edited(lambda made: made["cells"].insert(1, code(source)))


def last(source):
    """A cell after all others."""
    return edited(lambda made: made["cells"].append(code(source)))


def answer(source, name=ALONE):
    """Another answer to one exercise."""
    return edited(lambda made: cell_of(made, name).update(source=source))


def dying(body, name=ALONE):
    """An answer that does something else."""
    body = body.replace("\n", "\n    ")
    return answer(f"def {name}(*args, **options):\n    {body}", name)


def nothing(folder):
    """Hand in an empty folder."""


def sparse(size):
    """A file that is large and takes no room."""

    def make(path):
        path.touch()
        os.truncate(path, size)

    return make


def link(target):
    """A link to a file or folder of the course, or to nothing."""

    def make(path):
        root = path.parents[len(path.parts) - path.parts.index("submitted") - 1]
        (root / "secret.txt").write_text(SECRET)
        path.symlink_to(target.format(course=root) if "{" in target else target)

    return make


# What learner code can do to its process

EXIT = "import ctypes\nctypes.CDLL(None)._exit(0)"  # os._exit is only a SystemExit here
SEGFAULT = "import ctypes\nctypes.string_at(0)"
NO_FILES = "import os\nos.closerange(0, 4096)"
STUBBORN = """while True:
    try:
        while True:
            pass
    except BaseException:
        pass"""
DEAF = f"""import signal, sys
signal.setitimer(signal.ITIMER_PROF, 0)
signal.setitimer(signal.ITIMER_REAL, 0)
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
{STUBBORN}"""
SLEEP = "import time\nwhile True:\n    time.sleep(1000)"
HOARD = "hoard = []\nwhile True:\n    hoard.append(bytearray(10**7))"
THREADS = """import threading, time
while True:
    threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()"""
OPEN_FILES = "opened = []\nwhile True:\n    opened.append(open('/dev/null'))"
FULL_DISK = "with open('full', 'wb') as file:\n    while True:\n        file.write(bytes(2**20))"
LATER = """import ctypes, threading
threading.Timer(0.3, ctypes.CDLL(None)._exit, [0]).start()"""
VANDAL = """import builtins, os, signal, sys
os.environ.clear()
os.chdir('/')
sys.stdout = sys.stderr = None
sys.path.clear()
sys.modules.clear()
builtins.len = builtins.print = builtins.isinstance = None"""
NEIGHBOURS = "import os, signal, time\ntime.sleep(0.2)\n"  # so that others are at work

DEATHS = {
    "os-exit": "import os\nos._exit(0)",
    "os-abort": "import os\nos.abort()",
    "real-exit": EXIT,
    "segfault": SEGFAULT,
    "kill-itself": "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)",
    "closed-files": NO_FILES,
    "deep-recursion": "import sys\nsys.setrecursionlimit(10**9)\ndef deep():\n    return deep()\ndeep()",
}
LEAVING = {
    "sys-exit": "import sys\nsys.exit(1)",
    "quit": "quit()",
    "keyboard-interrupt": "raise KeyboardInterrupt",
    "generator-exit": "raise GeneratorExit",
    "fork-bomb": "import os\nwhile True:\n    os.fork()",
    "subprocess": "import subprocess\nsubprocess.run(['ls'], check=True)",
    "multiprocessing": "import multiprocessing\nmultiprocessing.Pool(2).map(abs, [1])",
    "thread-bomb": THREADS,
    "opened-files": OPEN_FILES,
    "full-disk": FULL_DISK,
    "bash-and-pip": "!pip install numpy\n!ls -l\nfiles = !ls\n%pip install torch",
    "bash-cell": "%%bash\necho hello\nexit 1",
    "input": "name = input('Your name: ')",
    "raised-error": "raise SyntaxError",
    "broken-syntax": "def broken(:\n    '''",
}
"""Plain cells that end otherwise, or that need what they cannot have; the answers are right."""

NEIGHBOURLY = {
    "kill-group": NEIGHBOURS + "os.kill(0, signal.SIGKILL)",
    "kill-all": NEIGHBOURS + "os.kill(-1, signal.SIGKILL)",
    "kill-parent": NEIGHBOURS + "os.kill(os.getppid(), signal.SIGKILL)",
    "terminate-group": NEIGHBOURS + "os.killpg(0, signal.SIGTERM)",
    "stop-group": NEIGHBOURS + "os.kill(0, signal.SIGSTOP)",
}

PROCESS = [
    *(Fault(f"{name}-before", early(source), FULL) for name, source in DEATHS.items()),
    *(
        Fault(f"{name}-after", last(source), FULL)
        for name, source in DEATHS.items()
        if name in ("real-exit", "segfault")
    ),
    *(Fault(f"{name}-in-answer", dying(source), without(ALONE)) for name, source in DEATHS.items()),
    *(Fault(f"{name}-cell", early(source), FULL) for name, source in LEAVING.items()),
    *(Fault(name, early(source), FULL, reaches=True) for name, source in NEIGHBOURLY.items()),
    *(Fault(f"{name}-in-answer", dying(LEAVING[name]), without(ALONE)) for name in ("sys-exit", "input")),
    Fault("hoard-cell", early(HOARD), FULL),
    Fault("hoard-in-answer", dying(HOARD), without(ALONE)),
    Fault("reset-first", first("%reset -f"), FULL),
    Fault("three-deaths", edited(lambda made: _deaths(made, 3)), FULL),
    # somewhere there must be an end; the instructor is told
    Fault("six-deaths", edited(lambda made: _deaths(made, 6)), without(*FULL), "too often"),
    Fault(
        "four-dying-answers",
        edited(lambda made: _dying_answers(made)),
        without(*(FULL.keys() - {ALONE})),
    ),
    Fault("death-later", early(LATER), FULL),
    Fault("vandal-after", last(VANDAL), FULL),
    Fault("endless-cell", early("while True:\n    pass"), FULL, slow=True),
    Fault("endless-in-answer", dying("while True:\n    pass"), without(ALONE), slow=True),
    Fault("stubborn-cell", early(DEAF), FULL, slow=True),
    Fault("stubborn-in-answer", dying(STUBBORN), without(ALONE), slow=True),
    Fault("deaf-in-answer", dying(DEAF), without(ALONE), slow=True),
    Fault("sleeping-cell", early(SLEEP), FULL, slow=True),
    Fault("sleeping-in-answer", dying(SLEEP), without(ALONE), slow=True),
]


def _dying_answers(made):
    for name in FULL.keys() - {ALONE}:
        cell_of(made, name)["source"] = (
            f"def {name}(*args, **options):\n    import ctypes\n    ctypes.string_at(0)"
        )


def _deaths(made, count):
    made["cells"][1:1] = [code(EXIT) for _ in range(count)]


# Files that are no notebook, or hardly one


def _zip():
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as file:
        file.writestr(FILE, encode(right()))
    return made.getvalue()


HTML = "<!DOCTYPE html>\n<html><head><title>05_softmax</title></head><body>Sign in</body></html>"
NO_NOTEBOOKS = {
    "empty-file": b"",
    "spaces": b"  \n\n ",
    "prose": b"My answer: the softmax.\n",
    "truncated": lambda: encode(right())[:-500],
    "truncated-early": lambda: encode(right())[:20],
    "two-in-one": lambda: encode(right()) * 2,
    "merge-conflict": lambda: b"<<<<<<< HEAD\n" + encode(right()) + b"\n=======\n>>>>>>> mine\n",
    "null-bytes": lambda: encode(right()) + bytes(1000),
    "all-null": bytes(5000),
    "zip": _zip,
    "gzip": lambda: gzip.compress(encode(right())),
    "utf-16": lambda: json.dumps(right()).encode("utf-16"),
    "latin-1": lambda: json.dumps({**right(), "note": "für Zoë"}, ensure_ascii=False).encode("latin-1"),
    "random-bytes": bytes(range(256)) * 40,
    "html": HTML.encode(),
    "python-script": lambda: "\n".join(classroom.solved(UNIT).values()).encode(),
    "json-list": b"[]",
    "json-string": b'"notebook"',
    "json-null": b"null",
    "json-number": b"13",
    "json-empty": b"{}",
    "cells-dict": b'{"cells": {}, "nbformat": 4}',
    "cells-text": b'{"cells": "all right", "nbformat": 4}',
    "worksheets-number": b'{"worksheets": 3, "nbformat": 3}',
    "worksheets-list": b'{"worksheets": [[]], "nbformat": 3}',
    "deep-list": b"[" * 100_000 + b"]" * 100_000,
    "deep-cut": b'{"cells":' * 50_000,
    "long-number": b'{"cells": [' + b"9" * 5000 + b"]}",
}


def _lazily(data):
    return lambda folder: put(data() if callable(data) else data)(folder)


DAMAGED = [
    *(Fault(name, _lazily(data), NO_MARK, "05_softmax") for name, data in NO_NOTEBOOKS.items()),
    Fault("large-file", put_files({FILE: sparse(200 * 2**20)}), NO_MARK, "MB"),
    Fault("no-file", nothing, NO_MARK, "05_softmax", plain=False),
    Fault("only-timestamp", lambda folder: write(folder, "timestamp.txt", ""), NO_MARK, plain=False),
    Fault(
        "only-zip", lambda folder: write(folder, "homework.zip", _zip()), NO_MARK, "homework.zip", plain=False
    ),
    Fault("only-text", lambda folder: write(folder, "answer.docx", "x"), NO_MARK, "answer.docx", plain=False),
    Fault("cells-empty", put({"cells": [], "nbformat": 4}), without(*FULL)),
    Fault("cells-rubbish", put({"cells": [1, None, "x", [], {}, {"source": 3}]}), without(*FULL)),
]

# Right notebooks under other names


def named(name):
    return put(name=name)


def _two(folder):
    blank = short(classroom.released(UNIT))
    write(folder, "Untitled.ipynb", encode({"cells": [code("1 + 1")], "metadata": {}, "nbformat": 4}))
    write(folder, "softmax final.ipynb", encode(right()))
    write(folder, "05_softmax (old).ipynb", encode({"cells": blank.cells[:9], "metadata": {}, "nbformat": 4}))


def _untouched_too(folder):
    write(folder, FILE, encode(short(classroom.released(UNIT))))
    write(folder, "05_softmax (1).ipynb", encode(right()))


def _damaged_too(folder):
    write(folder, FILE, b"")
    write(folder, "05_softmax (1).ipynb", encode(right()))


def _with_module(inside):
    """A notebook whose answer needs a module beside it, both in a folder of the submission."""

    def hand_in(folder):
        write(folder, f"{inside}{FILE}", encode(right(**{ALONE: USES_TOOLS})))
        write(folder, f"{inside}my_tools.py", TOOLS)

    return hand_in


def _folder_named_so(folder):
    write(folder, f"{FILE}/{FILE}", encode(right()))


def _file_for_folder(folder):
    folder.rmdir()
    folder.write_bytes(encode(right()))


TOOLS = f"import numpy as np\n\n{classroom.solved(UNIT)[ALONE]}\n"
USES_TOOLS = f"from my_tools import {ALONE}"

NAMES = [
    Fault("downloaded-twice", named("05_softmax (1).ipynb"), FULL, r"05_softmax \(1\)"),
    Fault("final", named("homework final.ipynb"), FULL, "homework final"),
    Fault("subfolder", named(f"homework/{FILE}"), FULL, "homework", plain=False),
    Fault("same-subfolder", named(f"{UNIT}/{FILE}"), FULL, "05_softmax", plain=False),
    Fault("deep-subfolder", named("a/b/c d/é/mine.ipynb"), FULL, "mine", plain=False),
    Fault("txt-ending", named(f"{FILE}.txt"), FULL, "txt", plain=False),
    Fault("capital-ending", named("05_softmax.IPYNB"), FULL, "IPYNB", plain=False),
    Fault("capital-name", named("05_Softmax.ipynb"), FULL, "05_Softmax"),
    Fault("json-ending", named("05_softmax.json"), FULL, "json", plain=False),
    Fault("no-ending", named("05_softmax"), FULL, "05_softmax", plain=False),
    Fault("other-unit-name", named("04_masking.ipynb"), FULL, "04_masking"),
    Fault("odd-name", named("mine\n'\"$(ls)`[1]*.ipynb"), FULL, "mine"),
    Fault("renamed-damaged", put(b"{", "my softmax.ipynb"), NO_MARK, "softmax"),
    Fault("two-other-names", _two, FULL, "softmax final"),
    Fault("untouched-too", _untouched_too, FULL, r"05_softmax \(1\)"),
    Fault("damaged-too", _damaged_too, FULL, r"05_softmax \(1\)"),
    Fault("checkpoints", put_files({f".ipynb_checkpoints/{FILE}": b"{"}), FULL),
    Fault("folder-named-so", _folder_named_so, NO_MARK, plain=False),
    Fault("file-for-folder", _file_for_folder, NO_MARK, plain=False),
    Fault("subfolder-with-module", _with_module("homework/"), FULL, "homework", plain=False),
]

# nbgrader's notes


def _all_notes(value):
    def change(made):
        for cell in made["cells"]:
            cell["metadata"].pop("nbgrader", None)
            if value is not None:
                cell["metadata"]["nbgrader"] = value

    return edited(change)


def _some_notes(made):
    for cell in made["cells"][::2]:
        del cell["metadata"]["nbgrader"]


def _notes(**changes):
    def change(made):
        for cell in made["cells"]:
            cell["metadata"]["nbgrader"].update(changes)

    return edited(change)


def _swap(one, other):
    def change(made):
        a, b = cell_of(made, one), cell_of(made, other)
        a["metadata"], b["metadata"] = b["metadata"], a["metadata"]

    return edited(change)


def _own_notes(made):
    noted = {"grade": True, "grade_id": "bonus", "points": 100, "locked": True, "solution": False}
    made["cells"].append(code("pass", nbgrader={**noted, "schema_version": 3, "task": False}))
    noted = {**noted, "grade_id": "mine", "grade": False, "solution": True}
    made["cells"].insert(0, code("x = 1", nbgrader=noted))


def _nested(depth):
    """A notebook with a note that holds itself, so often."""
    made = right()
    made["cells"].append(code("1", nbgrader="HERE"))
    return encode(made).replace(b'"HERE"', b'{"a":' * depth + b"1" + b"}" * depth)


def _number_for_id(made):
    for cell in answers_of(made):
        cell["metadata"]["nbgrader"]["grade_id"] = 7


METADATA = [
    Fault("notes-gone", _all_notes(None), FULL, "nbgrader's notes"),
    Fault("some-notes-gone", edited(_some_notes), FULL),
    Fault("notes-text", _all_notes("softmax"), FULL),
    Fault("notes-list", _all_notes([1, {"grade_id": "softmax"}]), FULL),
    Fault("notes-number", _all_notes(3), FULL),
    Fault("notes-null", _all_notes({"grade_id": None, "points": None}), FULL),
    Fault("notes-id-number", edited(_number_for_id), FULL),
    Fault("notes-old-version", _notes(schema_version=1), FULL),
    Fault("notes-new-version", _notes(schema_version=99), FULL),
    Fault("notes-all-solution", _notes(solution=True, grade=True, locked=False, task=True), FULL),
    Fault("more-points", _notes(points=100), FULL),
    Fault("negative-points", _notes(points=-1e308), FULL),
    Fault("points-text", _notes(points="many", checksum=[]), FULL),
    Fault("swapped-answers", _swap("softmax", "masked_softmax"), FULL),
    Fault("swapped-tests", _swap("softmax-test", "attention-test"), FULL),
    Fault("swapped-answer-and-test", _swap(ALONE, f"{ALONE}-test"), FULL),
    Fault("own-notes", edited(_own_notes), FULL),
    Fault("notes-nested", lambda folder: put(_nested(600))(folder), FULL),
    Fault("notes-nested-renamed", lambda folder: put(_nested(600), "deep.ipynb")(folder), FULL, reaches=True),
    Fault("metadata-gone", edited(lambda made: made.pop("metadata")), FULL),
    Fault("metadata-list", edited(lambda made: made.update(metadata=[])), FULL),
]

# Cells


def _double(name, count=1, at_end=False):
    def change(made):
        place = len(made["cells"]) if at_end else place_of(made, name)
        made["cells"][place:place] = [copy.deepcopy(cell_of(made, name)) for _ in range(count)]

    return edited(change)


def _delete(wanted):
    def change(made):
        made["cells"] = [cell for cell in made["cells"] if not wanted(grade_id(cell) or "", cell)]

    return edited(change)


def _to_kind(kind):
    def change(made):
        for cell in answers_of(made):
            cell["cell_type"] = kind
            del cell["outputs"], cell["execution_count"]

    return edited(change)


def _move_tests_up(made):
    moved = tests_of(made)
    made["cells"] = moved + [cell for cell in made["cells"] if cell not in moved]


def _each(wanted, **changes):
    def change(made):
        for cell in wanted(made):
            cell.update(changes)

    return edited(change)


def _every(made):
    return made["cells"]


def _drop(*keys):
    def change(made):
        for cell in made["cells"]:
            for key in keys:
                cell.pop(key, None)

    return edited(change)


def _answers_below(made):
    """Answers in cells that were added below the answer cells, which stay as they were."""
    blank = {grade_id(cell): cell["source"] for cell in classroom.released(UNIT).cells}
    for cell in answers_of(made):
        made["cells"].insert(made["cells"].index(cell) + 1, code(cell["source"]))
        cell["source"] = blank[grade_id(cell)]


def _experiment_after(made):
    """The learner tries something else below, after the test has passed."""
    made["cells"].append(code(f"def {ALONE}(weights, grad):\n    return weights * grad  # why not so?"))


def _other_name_after(made):
    made["cells"].append(code("attention = 'the paper is called: Attention is all you need'"))


def _helper_in_copy(made):
    """Code that an answer needs, written in a copy of the test cell, above the test."""
    place = place_of(made, f"{ALONE}-test")
    copied = copy.deepcopy(made["cells"][place])
    copied["source"] = "def mean(weights, grad):\n    return np.sum(weights * grad, axis=-1, keepdims=True)"
    made["cells"].insert(place, copied)
    cell_of(made, ALONE)["source"] = (
        f"def {ALONE}(weights, grad):\n    return weights * (grad - mean(weights, grad))"
    )


def _import_in_set_up(made):
    cell_of(made, "set-up")["source"] += "\nimport math"
    cell = cell_of(made, ALONE)
    cell["source"] = "one = math.exp(0)\n\n" + cell["source"].replace("return ", "return one * ")


def _split_source(made):
    for cell in made["cells"]:
        cell["source"] = cell["source"].splitlines(keepends=True)


def _windows_lines(made):
    for cell in made["cells"]:
        cell["source"] = cell["source"].replace("\n", "\r\n")


def _surrogates(made):
    made["cells"].insert(1, code("text = '\ud800 \udcff'  # \udfff"))
    made["cells"][0]["metadata"]["\ud800"] = "\udcff"
    cell_of(made, ALONE)["source"] += "\n    # \ud83d"


def _duplicate_ids(made):
    for cell in made["cells"]:
        cell["id"] = "same"


def _odd_kinds(made):
    made["cells"][1:1] = [{**code("1"), "cell_type": kind} for kind in ("heading", "html", None, 3, [], {})]


def _set_up_last(made):
    made["cells"].append(made["cells"].pop(0))


CELLS = [
    Fault("answer-twice", _double(ALONE), FULL, "2 times"),
    Fault("answer-again-at-end", _double(ALONE, at_end=True), FULL),
    Fault("test-ten-times", _double(f"{ALONE}-test", 10), FULL, "11 times"),
    Fault("test-again-at-end", _double("softmax-test", at_end=True), FULL),
    Fault("all-twice", edited(lambda made: made["cells"].extend(copy.deepcopy(made["cells"]))), FULL),
    Fault("tests-deleted", _delete(lambda name, _: name.endswith("-test")), FULL, "missing"),
    Fault("one-answer-deleted", _delete(lambda name, _: name == ALONE), without(ALONE)),
    Fault("answer-and-test-deleted", _delete(lambda name, _: name.startswith(ALONE)), without(ALONE)),
    Fault("set-up-deleted", _delete(lambda name, _: name == "set-up"), FULL, "missing"),
    Fault("text-deleted", _delete(lambda _, cell: cell["cell_type"] == "markdown"), FULL),
    Fault("all-deleted", _delete(lambda *_: True), without(*FULL), "missing"),
    Fault("tests-pass", _each(tests_of, source="pass"), FULL),
    Fault("tests-empty", _each(tests_of, source=""), FULL),
    Fault("tests-raise", _each(tests_of, source="raise SystemExit"), FULL),
    Fault("tests-markdown", _each(tests_of, cell_type="markdown"), FULL),
    Fault("tests-on-top", edited(_move_tests_up), FULL, "before"),
    # answers that call the one before them meet it too late, as in the learner's own notebook
    Fault("reversed", edited(lambda made: made["cells"].reverse()), without("attention")),
    Fault("set-up-last", edited(_set_up_last), FULL),
    Fault("answers-markdown", _to_kind("markdown"), FULL),
    Fault("answers-raw", _to_kind("raw"), FULL),
    Fault("answers-below", edited(_answers_below), FULL),
    Fault("experiment-after", edited(_experiment_after), FULL),
    Fault("name-used-after", edited(_other_name_after), FULL),
    Fault("helper-in-copy-of-test", edited(_helper_in_copy), FULL),
    Fault("import-in-set-up", edited(_import_in_set_up), FULL),
    Fault("ids-the-same", edited(_duplicate_ids), FULL),
    Fault("ids-gone", _drop("id"), FULL),
    Fault("ids-numbers", _each(_every, id=3), FULL),
    Fault("ids-long", _each(_every, id="ä" * 1000), FULL),
    Fault("no-outputs", _drop("outputs", "execution_count"), FULL),
    Fault("no-metadata", _drop("metadata"), FULL),
    Fault("no-kind", _drop("cell_type"), FULL),
    Fault("odd-kinds", edited(_odd_kinds), FULL),
    Fault("outputs-text", _each(_every, outputs="none", execution_count="[*]"), FULL),
    Fault("source-list", edited(_split_source), FULL),
    Fault("source-gone", edited(lambda made: cell_of(made, ALONE).pop("source")), without(ALONE)),
    Fault("source-number", edited(lambda made: cell_of(made, ALONE).update(source=3.5)), without(ALONE)),
    Fault("source-null", edited(lambda made: cell_of(made, ALONE).update(source=None)), without(ALONE)),
    Fault("source-dict", edited(lambda made: cell_of(made, ALONE).update(source={"a": 1})), without(ALONE)),
    Fault("surrogates", edited(_surrogates), FULL),
    Fault("null-characters", answer(classroom.solved(UNIT)[ALONE] + "\n    # \x00"), FULL),
    Fault(
        "windows-lines",
        edited(_windows_lines),
        FULL,
    ),
    Fault(
        "many-cells",
        edited(lambda made: made["cells"].extend(code("") for _ in range(3000))),
        NO_MARK,
        r"3,0\d\d cells",
    ),
    Fault("1500-cells", edited(lambda made: made["cells"].extend(code("0") for _ in range(1500))), FULL),
    Fault("long-line", early(f"text = '{'x' * 2**20}'"), FULL),
    Fault("very-long-line", early(f"text = '{'x' * 6 * 2**20}'"), NO_MARK, "05_softmax"),
    Fault("brackets", early("(" * 5000 + ")" * 5000), FULL),
    Fault("minuses", early("-" * 100_000 + "1"), FULL),
    Fault("attributes", early("x" + ".a" * 50_000), FULL),
    Fault("600-shell-lines", early("!pip install numpy\n" * 600), FULL),
    # IPython reads such a cell again for every such line: minutes, where nobody looks at the clock
    Fault("long-shell-cell", early("x = 1\n" * 15_000 + "!ls\n" * 400), FULL, reaches=True),
    Fault(
        "empty-notebook", lambda folder: put(dict(short(classroom.released(UNIT))))(folder), without(*FULL)
    ),
    Fault("whole", lambda folder: put(whole())(folder), FULL),
]

# The file around the cells


def _version_3(by_hand):
    def hand_in(folder):
        if not by_hand:
            made = nbformat.convert(nbformat.from_dict(right()), 3)
            return put(dict(made))(folder)
        cells = []
        for cell in right()["cells"]:
            source = cell.pop("source")
            if cell["cell_type"] == "code":
                cell |= {"input": source.splitlines(keepends=True), "language": "python", "collapsed": False}
                cell["prompt_number"] = cell.pop("execution_count")
            else:
                cell["source"] = source
            cells.append(cell)
        return put({"metadata": {"name": ""}, "nbformat": 3, "worksheets": [{"cells": cells}]})(folder)

    return hand_in


def _kernel(value):
    return edited(lambda made: made["metadata"].update(kernelspec=value, language_info=value))


def _update(**changes):
    return edited(lambda made: made.update(changes))


def _saved_flood(made):
    outputs = [{"output_type": "stream", "name": "stdout", "text": "x" * 30 * 2**20}]
    made["cells"].insert(1, {**code("print('x')"), "outputs": outputs})


def _text_as(change):
    return lambda folder: put(change(json.dumps(right(), indent=1)))(folder)


SHAPES = [
    Fault("version-3", _version_3(by_hand=False), FULL),
    Fault("version-3-by-hand", _version_3(by_hand=True), FULL),
    Fault("version-99", _update(nbformat=99, nbformat_minor=7), FULL),
    Fault("version-text", _update(nbformat="four", nbformat_minor=None), FULL),
    Fault("version-gone", edited(lambda made: made.pop("nbformat")), FULL),
    Fault("stray-worksheets", _update(worksheets=[]), FULL),
    Fault("kernel-r", _kernel({"name": "ir", "language": "R", "display_name": "R"}), FULL),
    Fault("kernel-julia", _kernel({"name": "julia-1.10", "display_name": "Julia"}), FULL),
    Fault("kernel-python-2", _kernel({"name": "python2", "display_name": "Python 2"}), FULL),
    Fault("kernel-text", _kernel("python3"), FULL),
    Fault("kernel-gone", edited(lambda made: made["metadata"].clear()), FULL),
    Fault("bom", _text_as(lambda text: text.encode("utf-8-sig")), FULL),
    Fault("crlf", _text_as(lambda text: text.replace("\n", "\r\n").encode()), FULL),
    Fault("not-a-number", _update(extra=float("nan"), more=float("inf")), FULL),
    Fault("extra-keys", _update(widgets={"a": [1] * 1000}, cells_=[], signature="sha256:0"), FULL),
    Fault("saved-flood", edited(_saved_flood), FULL),
]

# Floods of output, made while it is graded

FLOODS = {
    "print": "for i in range(300_000):\n    print('flood', i)",
    "print-endless": "while True:\n    print('flood')",
    "stderr": "import sys\nfor i in range(300_000):\n    print('flood', i, file=sys.stderr)",
    "one-line": "print('x' * 50_000_000)",
    "display": "for i in range(5_000):\n    display(i)",
    "html": "from IPython.display import HTML\nfor i in range(500):\n    display(HTML('<script>' * 99))",
    "result": "'x' * 50_000_000",
    "error": "raise ValueError('x' * 50_000_000)",
    "descriptor": "import os\nfor i in range(20_000):\n    os.write(1 + i % 2, b'x' * 1000)",
    "warnings": "import warnings\nfor i in range(20_000):\n    warnings.warn(f'flood {i}')",
    # a picture's base64 that a careless regular expression takes hours to refuse
    "spaces": "display({'image/png': ' ' * 50_000 + '!', 'text/plain': 'x'}, raw=True)",
    "surrogates": "print('\\ud800' * 1000); display({'text/plain': '\\udcff'}, raw=True)",
    "types": "display({'text/plain': 3, 'image/png': None, 4: object(), 'text/html': b'x'}, raw=True)",
}
NOISE = '''import logging, sys, warnings
logging.basicConfig(level=logging.DEBUG)

def softmax_backward(weights, grad):
    """Right, but talks."""
    warnings.warn("careful", stacklevel=2)
    logging.getLogger("mine").warning("average of %s", grad.shape)
    print("here", file=sys.stderr, flush=True)
    sys.stdout.write("there\\n")
    average = np.sum(weights * grad, axis=-1, keepdims=True)
    return weights * (grad - average)'''

FLOODING = [
    *(Fault(f"flood-{name}", early(source), FULL) for name, source in FLOODS.items()),
    Fault(
        "flood-in-answer",
        answer(NOISE.replace("sys.stdout.write", "for _ in range(5000): sys.stdout.write")),
        FULL,
    ),
    Fault("noise-in-answer", answer(NOISE), FULL),
]

# Files beside the notebook, links and special files

HIDDEN = "for root, folders, files in __import__('os').walk('.'):\n    for name in files:\n        " + (
    "print(open(__import__('os').path.join(root, name), errors='replace').read()[:80])"
)
SHADOW = "print('shadowed')\nraise RuntimeError('a file of the learner was imported')\n"
SHADOWS = (
    "helpers",
    "torch",
    "numpy",
    "random",
    "sitecustomize",
    "usercustomize",
    "json",
    "IPython",
    "grading",
)
READS = "data = np.loadtxt({name!r}, delimiter=',')\n\ndef softmax_backward(weights, grad):\n    " + (
    "return weights * (data[0] * grad - np.sum(weights * grad, axis=-1, keepdims=True))"
)
ODD_NAMES = (
    "my data.csv",
    'it\'s "mine".csv',
    "größe-数据.csv",
    "two\nlines.csv",
    "-rf.csv",
    "$(ls).csv",
    "[a]*.csv",
)


def _writes_module(made):
    made["cells"].insert(1, code(f"%%writefile my_tools.py\n{TOOLS}"))
    cell_of(made, ALONE)["source"] = USES_TOOLS


def _fifo(path):
    os.mkfifo(path)


def _reading(name, files=None):
    """A right answer that needs a number from a file beside it."""
    return lambda folder: put_files(
        {**(files or {}), name: "1.0,2.0\n"}, right(**{ALONE: READS.format(name=name)})
    )(folder)


def _linked(name, target):
    return lambda folder: put_files({name: link(target)}, _printing())(folder)


def _printing():
    made = right()
    made["cells"].insert(1, code(HIDDEN))
    return made


def _notebook_is(make):
    return lambda folder: write(folder, FILE, make)


def _folder_is(target):
    def hand_in(folder):
        folder.rmdir()
        elsewhere = folder.parents[2] / "elsewhere"
        if target and not elsewhere.exists():
            put()(elsewhere)
        folder.symlink_to(elsewhere if target else "gone")

    return hand_in


def _read_only(folder):
    put_files({"data.txt": "1"})(folder)
    for path in (folder / FILE, folder / "data.txt"):
        path.chmod(0o444)
    folder.chmod(0o555)


def _unreadable(folder):
    put_files({"data.txt": "1"})(folder)
    (folder / "data.txt").chmod(0)


def _shadow_files(folder):
    files = {f"{name}.py": SHADOW for name in SHADOWS}
    put_files(
        {**files, "torch/__init__.py": SHADOW, "numpy/__init__.py": SHADOW, "x.pth": "import sys; 1/0"}
    )(folder)


def _deep_folders(folder):
    put()(folder)
    (folder / "/".join(["d" * 50] * 40)).mkdir(parents=True)


def _set_aside_before(target):
    """A folder called as a link that an earlier submission of theirs had, which was set aside."""

    def hand_in(folder):
        root = folder.parents[2]
        (root / "outside").mkdir(exist_ok=True)
        kept = root / "set_aside" / folder.parent.name / folder.name / "data"
        kept.parent.mkdir(parents=True)
        kept.symlink_to(root / target)
        put_files({"data/numbers.csv": link("nowhere")})(folder)

    return hand_in


def _read_only_renamed(folder):
    named("mine.ipynb")(folder)
    folder.chmod(0o555)


LONG = f"{'n' * 247}.txt"

FILES = [
    Fault("notebook-is-link", _notebook_is(link(f"{{course}}/solutions/{UNIT}/{FILE}")), NO_MARK, "link"),
    Fault("notebook-is-dangling", _notebook_is(link("gone.ipynb")), NO_MARK, "link"),
    Fault("notebook-is-loop", _notebook_is(link(FILE)), NO_MARK, "link"),
    Fault("notebook-is-fifo", _notebook_is(_fifo), NO_MARK, "special"),
    Fault("folder-is-link", _folder_is(target=True), NO_MARK, "link"),
    Fault("folder-is-dangling", _folder_is(target=False), NO_MARK, "link", plain=False),
    Fault("link-to-secret", _linked("data.txt", "{course}/secret.txt"), FULL, "link"),
    Fault("link-relative", _linked("data.txt", "../../../secret.txt"), FULL, "link"),
    Fault("link-to-folder", _linked("course", "{course}"), FULL, "link"),
    Fault("link-to-root", _linked("root", "/"), FULL, "link"),
    Fault("link-dangling", _linked("data.txt", "nowhere"), FULL, "link"),
    Fault("link-loop", _linked("loop", "loop"), FULL, "link"),
    Fault("link-to-itself", _linked("here", "."), FULL, "link"),
    Fault("link-after-link", _set_aside_before("outside"), FULL, "link", reaches=True),
    Fault("link-after-dangling", _set_aside_before("nowhere"), FULL, "link", reaches=True),
    Fault("link-in-subfolder", _linked("a/b/data.txt", "{course}/secret.txt"), FULL, "link"),
    Fault("fifo", put_files({"pipe": _fifo, "a/pipe.py": _fifo}), FULL, "special"),
    Fault(
        "fifo-and-other-name", lambda folder: [write(folder, FILE, _fifo), named("mine.ipynb")(folder)], FULL
    ),
    Fault("shadows", _shadow_files, FULL, "not imported"),
    Fault("module", _with_module(""), FULL),
    Fault(
        "module-in-package", put_files({"my_tools/__init__.py": TOOLS}, right(**{ALONE: USES_TOOLS})), FULL
    ),
    Fault(
        "module-after-large-file",
        put_files({"a video.mp4": sparse(25 * 2**20), "my_tools.py": TOOLS}, right(**{ALONE: USES_TOOLS})),
        FULL,
    ),
    Fault(
        "module-after-many-files",
        put_files(
            {**{f"frames/{i:03}.txt": "" for i in range(250)}, "my_tools.py": TOOLS},
            right(**{ALONE: USES_TOOLS}),
        ),
        FULL,
    ),
    Fault("module-broken", put_files({"my_tools.py": "1 / 0"}, right(**{ALONE: USES_TOOLS})), without(ALONE)),
    Fault("module-missing", put(right(**{ALONE: USES_TOOLS})), without(ALONE)),
    Fault("module-written", edited(_writes_module), FULL),
    Fault("data", _reading("numbers.csv"), FULL),
    Fault("data-in-folder", _reading("data/numbers.csv"), FULL),
    *(Fault(f"odd-data-{i}", _reading(name), FULL) for i, name in enumerate(ODD_NAMES)),
    Fault("latin-1-name", put_files({os.fsdecode(b"caf\xe9.csv"): "1"}), FULL, reaches=True),
    Fault("latin-1-link", put_files({os.fsdecode(b"caf\xe9"): link("gone")}), FULL, "link", reaches=True),
    Fault("terminal-name", put_files({"\x1b[2J\x1b]0;owned\x07": link("gone")}), FULL, "link", reaches=True),
    Fault("long-name", put_files({LONG: "1", f"{'l' * 250}": link("gone")}), FULL),
    Fault("deep-folders", _deep_folders, FULL),
    Fault("read-only", _read_only, FULL),
    Fault("read-only-renamed", _read_only_renamed, FULL, "mine", reaches=True),
    Fault("unreadable-data", _unreadable, FULL, reaches=True),
    Fault("timestamp", put_files({"timestamp.txt": "2024-05-01 10:00:00 UTC"}), FULL),
    Fault("timestamp-zone", put_files({"timestamp.txt": "2024-05-01 10:00:00.5 +0545"}), FULL),
    Fault("timestamp-unknown-zone", put_files({"timestamp.txt": "2024-05-01 10:00:00 Atlantis"}), FULL),
    Fault("timestamp-empty", put_files({"timestamp.txt": ""}), FULL),
    Fault("timestamp-words", put_files({"timestamp.txt": "yesterday, before lunch"}), FULL),
    Fault("timestamp-huge", put_files({"timestamp.txt": "9" * 400}), FULL),
    Fault("timestamp-bytes", put_files({"timestamp.txt": b"\xff\xfe\x00"}), FULL),
    Fault("timestamp-folder", put_files({"timestamp.txt/x": "1"}), FULL),
    Fault("timestamp-link", put_files({"timestamp.txt": link("{course}/secret.txt")}), FULL, "link"),
]


# Right answers, written as only learners do

PREAMBLES = {
    "await": "import asyncio\none = await asyncio.sleep(0.01, 1.0)",
    "magics": "%matplotlib inline\n%load_ext autoreload\n%autoreload 2\n%config InlineBackend.rc={}",
    "time-cell": "%%time\none = 1.0",
    "capture": "%%capture\none = 1.0\nprint('x')",
    "change-folder": "import os\nos.makedirs('a/b')\n%cd a/b\n!rm -rf ..",
    "dtype": "torch.set_default_dtype(torch.float64); np.set_printoptions(threshold=np.inf)",
    "threads": "torch.set_num_threads(8); torch.rand(500, 500) @ torch.rand(500, 500)",
    "seeds": "import random\nrandom.seed(1); np.random.seed(1); torch.manual_seed(1)",
    "plot": "import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.show(); plt.savefig('x.png')",
    "closed-stdout": "import sys\nsys.stdout.close(); sys.stderr.close()",
    "no-stdout": "import sys\nsys.stdout = sys.stderr = None",
    "own-print": "print = display = None",
    "trace": "import sys, threading\nsys.settrace(lambda *a: None); sys.setprofile(lambda *a: None)",
    "no-garbage": "import gc\ngc.disable()",
    "own-check": "check = lambda *a, **k: print('right')\nclass CheckFailed(Exception): pass",
    "no-set-up": "del check, helpers",
}
ANSWERS = {
    "lambda": "softmax_backward = lambda w, g: w * (g - (w * g).sum(-1, keepdims=True))",
    "time-magic": "%%time\n" + classroom.solved(UNIT)[ALONE],
    "decorated": "import functools\n@functools.lru_cache(None)\ndef _size(n):\n    return n\n\n"
    + classroom.solved(UNIT)[ALONE],
    "class": """class Backward:
    def __call__(self, w, g):
        return w * (g - (w * g).sum(-1, keepdims=True))
softmax_backward = Backward()""",
    "crash-below": classroom.solved(UNIT)[ALONE] + "\n\n1 / 0",
    "shell-above": "!pip install numpy\n" + classroom.solved(UNIT)[ALONE],
    "tabs": classroom.solved(UNIT)[ALONE].replace("    ", "\t"),
}
WRONG = {
    "liar": """class Liar:
    def __getattr__(self, name):
        raise SystemExit
    def __eq__(self, other):
        return True
    def __array__(self, *args, **options):
        raise KeyboardInterrupt
def softmax_backward(weights, grad):
    return Liar()""",
    "huge-result": "def softmax_backward(weights, grad):\n    return np.zeros(10**8)",
    "objects": "def softmax_backward(weights, grad):\n    return np.array([object()] * 3)",
    "number": "softmax_backward = 3",
    "system-exit": "def softmax_backward(weights, grad):\n    raise SystemExit",
    "mute-error": """class Mute(BaseException):
    def __str__(self):
        raise self
    __repr__ = __str__
def softmax_backward(weights, grad):
    raise Mute""",
    "long-error": "def softmax_backward(weights, grad):\n    raise ValueError('x' * 10**8)",
    "surrogate-error": "def softmax_backward(weights, grad):\n    raise ValueError('\\ud800\\x00')",
    "odd-class": "def softmax_backward(weights, grad):\n    return type('\\x1b[2J', (), {})()",
}

USUAL = [
    *(Fault(f"with-{name}", early(source), FULL) for name, source in PREAMBLES.items()),
    *(Fault(f"as-{name}", answer(source), FULL) for name, source in ANSWERS.items()),
    *(Fault(f"wrong-{name}", answer(source), without(ALONE)) for name, source in WRONG.items()),
]

# Students

IDS = {
    "spaces": "Anna  Maria B",
    "dots": "j.r.r.doe",
    "quote": 'o\'neil "x"',
    "brackets": "b[ee]",
    "question": "wh?",
    "braces": "cur{ly}",
    "percent": "100%s",
    "unicode": "Zoë-数据-🙂",
    "decomposed": "Zoe\u0308",
    "dash": "-rf",
    "hidden": ".hidden",
    "plus": "a+b@example.org",
    "markup": "[bold]x",
    "json": "x.json",
    "sql": "x'; DROP TABLE grade; --",
    "backslash": "do\\main",
    "long": "l" * 200,
}

PEOPLE = [
    *(Fault(f"id-{name}", put(), FULL, who=who) for name, who in IDS.items()),
    # nbgrader and the gradebook cannot have such names
    Fault("id-newline", put(), NO_MARK, who="two\nlines"),
    Fault("id-star", put(), FULL, who="t*ss", reaches=True),  # as a pattern it means tess
    Fault("id-too-long", put(), FULL, who="m" * 252, reaches=True),
    Fault("id-not-utf-8", put(), NO_MARK, who=os.fsdecode(b"\xe9mile"), reaches=True),
]

FAULTS = [
    *PROCESS,
    *DAMAGED,
    *NAMES,
    *METADATA,
    *CELLS,
    *SHAPES,
    *FLOODING,
    *FILES,
    *USUAL,
    *PEOPLE,
]


_EXTRA = """
    os-abort-before os-abort-in-answer kill-itself-in-answer closed-files-in-answer quit-cell subprocess-cell
    keyboard-interrupt-cell generator-exit-cell raised-error-cell full-disk-cell bash-cell-cell segfault-after
    broken-syntax-cell input-in-answer reset-first stubborn-in-answer endless-cell spaces prose
    truncated-early two-in-one random-bytes json-null json-number json-empty cells-text long-number deep-cut
    worksheets-list only-text cells-rubbish only-timestamp notebook-is-loop capital-name same-subfolder
    no-ending other-unit-name notes-list notes-number notes-id-number notes-old-version negative-points
    points-text metadata-list test-again-at-end tests-empty tests-raise tests-markdown answers-raw
    answer-and-test-deleted ids-numbers ids-long no-kind source-number source-dict minuses attributes
    empty-notebook version-text version-gone kernel-julia kernel-gone kernel-python-2 not-a-number extra-keys
    flood-stderr flood-one-line flood-display flood-html flood-result flood-warnings noise-in-answer
    link-relative link-to-root link-to-itself link-in-subfolder module-missing odd-data-0 odd-data-2
    odd-data-5 timestamp timestamp-unknown-zone timestamp-huge timestamp-link deep-folders with-time-cell
    with-capture with-dtype with-threads with-seeds with-trace with-no-garbage with-own-check with-own-print
    as-lambda as-decorated as-class as-tabs as-shell-above wrong-objects wrong-number wrong-system-exit
    wrong-long-error wrong-odd-class wrong-huge-result id-dots id-question id-braces id-percent
    id-decomposed id-dash id-json id-sql id-backslash closed-files-before real-exit-after
    deep-recursion-before os-exit-in-answer real-exit-in-answer sys-exit-in-answer multiprocessing-cell
    hoard-in-answer three-deaths endless-in-answer deep-subfolder json-ending checkpoints notes-text
    notes-null notes-new-version metadata-gone all-twice answer-again-at-end no-outputs no-metadata
    outputs-text source-null null-characters long-line version-99 stray-worksheets kernel-text crlf
    flood-descriptor flood-types flood-error link-dangling module-broken data-in-folder odd-data-1 odd-data-6
    timestamp-zone timestamp-bytes timestamp-folder with-plot with-closed-stdout with-no-set-up as-time-magic
    wrong-liar id-quote id-hidden id-plus id-long gzip merge-conflict json-string utf-16 1500-cells
    cells-empty sleeping-in-answer flood-in-answer
"""
EXTRA = set(_EXTRA.split())
"""Much like others: `python -m tests.faults` grades them, the tests have no time for them."""

# The class, and what became of it

ORDINARY = ("abel", "emil", "kurt", "rosa", "tess", "vera")
"""Learners who must not notice; graded in order of names, so between the others."""

ADVICE = re.compile(
    r"\b(ask|look|rename|grade|open|take|give|run|make|put|move|delete|remove|convert|let|save|see)\b", re.I
)
"""Words that tell an instructor what to do."""

NO_SENTENCE = re.compile(r"Traceback|\n|\b[A-Za-z]+(Error|Exception|Exit)\b|^\W*$|\x1b")
"""What no reason may hold: a traceback, an exception's name, several lines."""


def open_class(folder):
    """A course with ordinary learners, who hand in notebooks with all that the unit shows."""
    folder = classroom.fresh_course(folder, [UNIT])
    for tree in ("solutions", "notebooks"):
        nbformat.write(
            short(sample_learners.read(folder / tree, UNIT)), sample_learners.path_of(folder / tree, UNIT)
        )
    with open(folder / "nbgrader_config.py", "a", encoding="utf-8") as settings:
        settings.write(LIMITS)
    classroom.know(folder, [UNIT])
    shutil.copy(folder / "gradebook.db", folder / "gradebook.empty")
    for number, student in enumerate(ORDINARY):
        made = sample_learners.answered(classroom.released(UNIT), classroom.made_up(UNIT, number))
        classroom.hand_in(folder, UNIT, student, notebook=short(made))
    return folder


def forget(folder):
    """Make the course one in which nobody is graded yet."""
    shutil.copy(folder / "gradebook.empty", folder / "gradebook.db")
    for name in ("reports", "autograded"):
        shutil.rmtree(folder / name, ignore_errors=True)


def hand_in(folder, faults):
    """Put faulty submissions beside those of the others."""
    for fault in faults:
        target = folder / "submitted" / fault.student / UNIT
        target.mkdir(parents=True)
        fault.hand_in(target)


def grade(folder):
    """Grade with the course's own command, as in a terminal whose text is UTF-8 and nothing else."""
    try:
        return subprocess.run(
            classroom.command(folder, UNIT),
            env={**classroom.environ(), "PYTHONIOENCODING": "utf-8:strict"},
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=LONGEST,
        )
    except subprocess.TimeoutExpired as late:
        says = f"still running after {LONGEST} seconds"
        return subprocess.CompletedProcess(
            late.cmd, None, (late.stdout or b"").decode("utf-8", "replace"), says
        )


def ordinary(folder):
    """The part of the gradebook that no fault may change."""
    marks = classroom.points(folder, UNIT)
    return {student: marks.get(student) for student in ORDINARY}


def leaks(folder):
    """Graded files with what a learner's link points to, and what was moved through a link."""
    files = [*folder.glob("autograded/**/*"), *folder.glob("reports/**/*.json")]
    read = [path for path in files if path.is_file() and SECRET.encode() in path.read_bytes()]
    return [str(path.relative_to(folder)) for path in [*read, *folder.glob("outside/*")]]


def wrongs(fault, report, marks, said=""):
    """What is not as it should be with one faulty submission, in sentences.

    Args:
        fault: the submission.
        report: what lies in `reports/`, `None` where there is nothing.
        marks: points in the gradebook, `None` where there are none.
        said: what the command printed; empty when that is not looked at.
    """
    if report is None:
        return ["no report"]
    reason = report["reason"]
    text = "\n".join([reason, *report["flags"], *report["remarks"]])
    found = [] if re.search(fault.says, text) else [f"nobody says {fault.says!r}"]
    if reason and NO_SENTENCE.search(reason):
        found.append("the reason is no sentence")
    if reason and not ADVICE.search(reason):
        found.append("the reason does not say what to do")
    if fault.expected is NO_MARK:
        found += [] if reason else ["it has a mark"]
    elif reason:
        found.append("it has no mark")
    else:
        found += [] if report["points"] == fault.expected else ["wrong points"]
        found += [] if report["points"] == marks else [f"other points in the gradebook: {marks}"]
    if reason and said and f"{plain(fault.student)}: {reason}" not in said:
        found.append("the command does not name it")
    return found


def table(faults, folder, said=""):
    """One row for each fault: name, expected, got, what was said, what is wrong."""
    reports, marks, rows = classroom.reports(folder, UNIT), classroom.points(folder, UNIT), []
    for fault in faults:
        report = reports.get(fault.student)
        got = "nothing" if report is None else _mark(NO_MARK if report["reason"] else report["points"])
        told = (
            "; ".join(filter(None, [report["reason"], *report["flags"], *report["remarks"]]))
            if report
            else ""
        )
        wrong = "; ".join(wrongs(fault, report, marks.get(fault.student), said))
        rows.append((fault.name, _mark(fault.expected), got, told, wrong))
    return rows


def _mark(points):
    return "reason" if points is NO_MARK else f"{sum(points.values()):g}"


def show(rows):
    """The rows as text, those that are not as they should be first."""
    lines = [f"  {'fault':26} {'expected':>8} {'got':>7}  what was said"]
    for name, expected, got, told, wrong in sorted(rows, key=lambda row: not row[-1]):
        lines.append(f"{'!' if wrong else ' '} {name:26} {expected:>8} {got:>7}  {told[:200]!r}")
        lines += [f"      {wrong}"] if wrong else []
    return "\n".join(lines)


def main():
    """Grade all faults, or those that the words match, and print what became of them.

    Returns:
        1 when something is not as it should be.
    """
    wanted = re.compile("|".join(sys.argv[1:]))
    with tempfile.TemporaryDirectory() as name:
        clean = open_class(Path(name) / "clean")
        grade(clean)
        wrong = []
        for reaches in (False, True):  # apart, so that the table shows which of them do harm
            chosen = [fault for fault in FAULTS if fault.reaches == reaches and wanted.search(fault.name)]
            if chosen:
                wrong.append(_grade_and_print(clean, Path(name) / f"course-{reaches}", chosen))
    return int(any(wrong))


def _grade_and_print(clean, folder, chosen):
    shutil.copytree(clean, folder)
    forget(folder)
    hand_in(folder, chosen)
    started = time.monotonic()
    done = grade(folder)
    seconds = time.monotonic() - started
    rows, before, after = table(chosen, folder, done.stdout), ordinary(clean), ordinary(folder)
    count = sum(bool(row[-1]) for row in rows)
    changed = {student: after[student] for student in ORDINARY if before[student] != after[student]}
    print(show(rows))
    print(f"{len(rows)} faults, {count} not as they should be, in {seconds:.0f} seconds.")
    print(f"Others whose points changed: {changed or 'none'}. Leaks: {leaks(folder) or 'none'}.")
    print(f"Exit code {done.returncode}. {done.stderr[-2000:]}\n")
    return bool(count or changed or leaks(folder))


if __name__ == "__main__":
    sys.exit(main())
