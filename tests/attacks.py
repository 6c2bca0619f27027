"""A bank of cheats and attacks on the grader, as data; `python -m tests.attacks` tries all and tabulates.

All of it runs in the sandbox, through the grader's own doors, and each attack is a probe: it looks whether a
door is open, and does nothing behind it.  An attack prints `REACHED: ...` where it got somewhere and
`refused: ...` where it did not, so that one which is broken itself is noticed.
"""

import contextlib
import copy
import io
import json
import os
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from pathlib import Path
from unittest import mock

import nbformat
import numpy as np
from rich.console import Console

from grading import report, summary
from grading.checker import Checker
from grading.handed_in import flags
from grading.outside import outputs
from grading.outside.limits import Limits
from grading.outside.processes import Ended, Notebook, Warm
from helpers import units
from helpers.exercises import find
from helpers.exercises.base import draw_cases
from tests import classroom
from tests.killing import descendants
from tools.patience import PATIENCE, until

HIDDEN = 1168
"""A seed that learners do not know."""

SECRET = "the-token-of-the-grader"
SMALL = Limits(
    memory=2**28,
    cell_seconds=0.3,
    call_seconds=0.1,
    notebook_seconds=1,
    patience=3.0,
    disk=2**22,
    threads=16,
    output=10_000,
    reply=2**22,
)
"""What is without end ends soon under these; a wait still takes `seconds * patience + 5`."""


@dataclass(frozen=True)
class Attack:
    """One attack from inside the sandbox.

    Attributes:
        name: of the attack.
        tries: what it is after.
        cells: what the learner hands in.
        exercise: which check is run, with seeds known and unknown; `""` for none.
        passes: whether the answer is right: the honest score.
        flagged: whether the instructor has to be told.
        after: cells of the next submission, which look for what this one left.
        beside: cells of a submission that is graded at the same time.
        ends: whether the process may end of it.
        innocent: whether it is a beginner's mistake, which nobody should be told of.
        survives: whether the process must outlive its check: a time limit ends the call, not everything.
    """

    name: str
    tries: str
    cells: tuple[str, ...]
    exercise: str = "softmax"
    passes: bool = False
    flagged: bool = False
    after: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    ends: bool = False
    innocent: bool = False
    survives: bool = False


@dataclass
class Outcome:
    """What became of an attack.

    Attributes:
        earned: whether every check passed.
        reached: what it got hold of.
        refused: what was kept from it.
        flagged: what the instructor is told.
        broken: why the attack itself, or the grader, failed.
        ended: how the process ended, where it did.
        seconds: how long it took.
    """

    earned: bool = False
    reached: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    flagged: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def complaints(self, attack):
        """What of it should not be."""
        return [
            *(["it earned marks"] if self.earned and not attack.passes else []),
            *(["a right answer earned none"] if attack.passes and not self.earned else []),
            *(f"it reached {what}" for what in self.reached),
            *(["nobody is told"] if attack.flagged and not self.flagged else []),
            *(f"it ended: {why}" for why in self.ended if not attack.ends),
            *([f"it is accused: {self.flagged}"] if attack.innocent and self.flagged else []),
            *(text for text in self.flagged if attack.survives and text.startswith("its process ended")),
            *self.broken,
        ]


HEAD = """
import ctypes, errno, os, sys
import numpy as np, torch, torch.nn.functional as F
from torch import nn
from helpers import reference

def reach(what, attempt):
    try:
        got = attempt()
    except Exception as error:
        print(f"refused: {what} ({type(error).__name__}: {error})"[:150])
    else:
        print(f"REACHED: {what}: {got!r:.80}")

def must(true):
    if not true:
        raise PermissionError("it is not there")
    return true

libc, seccomp = ctypes.CDLL(None, use_errno=True), ctypes.CDLL("libseccomp.so.2")

def system_call(name, *args):
    done = libc.syscall(ctypes.c_long(seccomp.seccomp_syscall_resolve_name(name.encode())), *args)
    if done == -1:
        number = ctypes.get_errno()
        if number not in (errno.EPERM, errno.ENOSYS):  # the kernel itself has looked at it
            return os.strerror(number)
        raise OSError(number, os.strerror(number))
    return done
"""
"""The first cell of every attack: the usual imports, and a way to say what was reached."""

WRONG = "def softmax(x, axis=-1):\n    return x\n"
RIGHT = (
    "def softmax(x, axis=-1):\n"
    "    powers = np.exp(x - x.max(axis, keepdims=True))\n"
    "    return powers / powers.sum(axis, keepdims=True)\n"
)
BROKEN_ATTACKS = ("NameError", "SyntaxError", "AttributeError", "UnboundLocalError", "ImportError")

FORGE = """
def inside():
    frame = sys._getframe()
    while frame and not ("messages" in frame.f_locals and "nonce" in frame.f_locals.get("request", {})):
        frame = frame.f_back
    return frame.f_locals["messages"], frame.f_locals["request"]

def forge(raw=None, **message):
    from grading.inside import frames
    messages, request = inside()
    if raw is None:
        frames.send(messages, {"nonce": request["nonce"], **message})
    else:
        messages.sendall(raw)
"""


def cheat(name, tries, *cells, **more):
    """A wrong answer that is after marks."""
    return Attack(name, tries, (HEAD, *cells), **more)


def forged(name, tries, message, **more):
    """An answer that sends a message of its own instead of what the probe saw."""
    answer = f"def softmax(x, axis=-1):\n    forge({message})\n    return x\n"
    return Attack(name, tries, (HEAD, FORGE, answer), flagged=True, **more)


def library(name, answer, exercise="softmax", *cells):
    """A right answer that is somebody else's: passes, and the instructor is told."""
    tries = "a library's answer under another name"
    return Attack(name, tries, (HEAD, *cells, answer), exercise, passes=True, flagged=True)


def reach(name, tries, *cells, **more):
    """Code that wants to get at something."""
    return Attack(name, tries, (HEAD, *cells), "", **more)


def greedy(name, tries, *cells, exercise="", **more):
    """Code that uses up what there is."""
    return Attack(name, tries, (HEAD, *cells), exercise, ends=True, **more)


def remembered(exercise, *seeds):
    """An answer that has the right results of these seeds by heart, and their sizes."""
    record = find(exercise)
    cases = [case for seed, sizes in seeds for case in draw_cases(record, seed, sizes)]
    table = {}
    for case in cases:
        arrays = [value for value in case.args.values() if isinstance(value, np.ndarray)]
        key = [[array.tolist(), str(array.dtype)] for array in arrays] + [case.args.get("axis", -1)]
        right = record.oracle(*case.args.values())
        table[json.dumps(key)] = [right.tolist(), str(right.dtype)]
    return (
        f"import json\nTABLE = {table!r}\n"
        f"def {exercise}(x, axis=-1):\n"
        "    found = TABLE.get(json.dumps([[x.tolist(), str(x.dtype)], axis]))\n"
        "    return x if found is None else np.array(*found)\n"
    )


def counted():
    """A leak detector that detects nothing: it knows the order in which the hidden attentions come."""
    record, said = find("leaks_future"), []
    for case in draw_cases(record, 0):
        twice = "before and after" in case.args["kind"]
        said += [False, True, False] if twice else [bool(record.oracle(**case.args))]
    return (
        f"SAID, calls = {said}, 0\n"
        "def leaks_future(attend, n, d):\n"
        "    global calls\n"
        "    X, Y = np.zeros((n, d)), np.ones((n, d))\n"
        "    Y[0] = 0\n"
        "    attend(X), attend(Y)\n"
        "    calls += 1\n"
        "    return SAID[(calls - 1) % len(SAID)]\n"
    )


# Cheats

CHEATS = (
    cheat("plain wrong answer", "nothing: the yardstick", WRONG),
    cheat("nothing handed in", "points for a name that is missing", "pass"),
    cheat(
        "AST transformer",
        "make every comparison true",
        "import ast\n"
        "class AllTrue(ast.NodeTransformer):\n"
        "    def visit_Compare(self, node): return ast.Constant(True)\n"
        "    def visit_Assert(self, node): return ast.Pass()\n"
        "get_ipython().ast_transformers.append(AllTrue())",
        WRONG,
        flagged=True,
    ),
    cheat(
        "input transformer",
        "rewrite every later cell",
        "get_ipython().input_transformers_cleanup.append(lambda lines: ['print(\"softmax: right.\")\\n'])",
        WRONG,
        flagged=True,
    ),
    cheat(
        "run_cell replaced",
        "run no later cell at all",
        WRONG + "type(get_ipython()).run_cell = lambda *_, **__: print('softmax: right.')",
        "1 / 0",
    ),
    cheat(
        "displayhook and showtraceback replaced",
        "hide every error",
        WRONG + "get_ipython().showtraceback = get_ipython()._showtraceback = lambda *_, **__: None\n"
        "sys.displayhook = sys.excepthook = lambda *_: print(3.0)\n3.0",
        flagged=True,
    ),
    cheat(
        "builtins patched",
        "all, any, len, abs, isinstance and AssertionError that agree with everything",
        WRONG + "import builtins\n"
        "builtins.all = builtins.any = lambda *_, **__: True\n"
        "builtins.abs = lambda *_: 0\nbuiltins.AssertionError = type('Never', (Exception,), {})",
        flagged=True,
    ),
    cheat(
        "NumPy patched",
        "np.isclose and np.allclose that agree with everything",
        WRONG + "np.isclose = np.allclose = np.array_equal = np.all = lambda *_, **__: True",
        flagged=True,
    ),
    cheat(
        "PyTorch patched",
        "the oracle's own torch.softmax gives back its input",
        WRONG + "torch.softmax = F.softmax = lambda x, *_, **__: x\ntorch.Tensor.softmax = lambda x, *_: x",
        flagged=True,
    ),
    cheat(
        "the verdict, by name",
        "find or import the code that judges",
        WRONG + "places = ('verdict', 'verdict.judge', 'verdict.diagnose', 'exercises', 'exercises.compare', "
        "'exercises.oracle', 'learner', 'learner.checking')\n"
        "for name in places:\n"
        "    reach(name, lambda: must(__import__(f'helpers.{name}')))",
        flagged=True,
    ),
    cheat(
        "the verdict, by gc and frames",
        "patch whatever is called judge, examine or check",
        WRONG + "import gc, types\n"
        "names = ('judge', 'examine', 'check', 'difference', 'checked', 'determine_grade')\n"
        "for one in gc.get_objects():\n"
        "    if isinstance(one, types.FunctionType) and one.__name__ in names:\n"
        "        one.__code__ = (lambda *_, **__: None).__code__",
        flagged=True,
    ),
    cheat(
        "helpers.beside.probe patched",
        "an observation that says right",
        WRONG + "import helpers.beside.probe, grading.inside.learner\n"
        "helpers.beside.probe.observe = grading.inside.learner.observe = lambda *_, **__: [{'passed': True}]",
        flagged=True,
    ),
    cheat(
        "helpers.beside.probe.describe patched",
        "a described value that is right whatever it is compared with",
        WRONG + "import helpers.beside.probe as probe\n"
        "probe.describe = lambda value: {'kind': 'array', 'array': np.full_like(value, np.nan)}",
        flagged=True,
    ),
    cheat(
        "helpers.beside.probes patched",
        "another probe for this exercise",
        WRONG + "import helpers.beside.probes, grading.inside.learner\n"
        "helpers.beside.probes.of = grading.inside.learner.of = lambda name: lambda answer, args: 'right'",
        flagged=True,
    ),
    cheat(
        "helpers.beside.wire patched",
        "other bytes than those of the probe",
        WRONG + "import helpers.beside.wire\nhelpers.beside.wire.pack = lambda value: b'softmax: right.'",
        flagged=True,
        ends=True,
    ),
    cheat(
        "safetensors and json patched",
        "other bytes, one level below",
        WRONG + "import json, safetensors.numpy, helpers.beside.wire\n"
        'json.dumps = lambda *_, **__: \'{"dict": [["seen", true]]}\'',
        flagged=True,
        ends=True,
    ),
    cheat(
        "module helpers replaced",
        "a `check` that always praises",
        "import types\nfake = types.ModuleType('helpers')\n"
        "fake.check = lambda name, *_, **__: print(f'{name}: right.')\n"
        "sys.modules['helpers'] = sys.modules['helpers.learner.checking'] = fake\n"
        "check = fake.check\ncheck('softmax')",
        WRONG,
        flagged=True,
    ),
    cheat(
        "magics called check",
        "a magic that catches the test cell",
        WRONG + "from IPython.core.magic import register_line_cell_magic\n"
        "@register_line_cell_magic\n"
        "def check(line, cell=None): print('softmax: right.')",
    ),
    cheat("prints the praise", "a number and a sentence as output", WRONG + "print('softmax: right.')\n3.0"),
    cheat(
        "array that equals everything",
        "an ndarray subclass with its own comparisons",
        "class Equal(np.ndarray):\n"
        "    def __eq__(self, other): return np.ones(self.shape, bool)\n"
        "    __ne__ = __lt__ = __sub__ = __rsub__ = lambda self, other: np.zeros(self.shape, bool)\n"
        "    def __array_ufunc__(self, *_, **__): return np.ones(self.shape, bool)\n"
        "    def __array_function__(self, *_, **__): return True\n"
        "    def __array_finalize__(self, other): pass\n"
        "def softmax(x, axis=-1):\n    return x.copy().view(Equal)",
        flagged=True,
    ),
    cheat(
        "array that lies about its shape",
        "shape, dtype and tobytes of somebody else",
        "class Liar(np.ndarray):\n"
        "    shape = property(lambda self: (1,))\n    nbytes = property(lambda self: 0)\n"
        "    def tobytes(self, *_): return b''\n    def __bool__(self): return True\n"
        "def softmax(x, axis=-1):\n    return x.copy().view(Liar)",
    ),
    cheat(
        "tensor that lies",
        "a tensor subclass with its own __torch_function__",
        "class Liar(torch.Tensor):\n"
        "    @classmethod\n"
        "    def __torch_function__(cls, what, types, args=(), kwargs=None): return True\n"
        "def softmax(x, axis=-1):\n    return torch.from_numpy(x).as_subclass(Liar)",
        flagged=True,
    ),
    cheat(
        "object with __array__",
        "code that runs wherever it is made an array",
        "class Odd:\n"
        "    def __array__(self, *_, **__): return np.array([np.nan])\n"
        "    def __eq__(self, other): return True\n"
        "    __array_priority__ = 1e9\n    shape = property(lambda self: ())\n"
        "def softmax(x, axis=-1):\n    return Odd()",
        flagged=True,
    ),
    cheat(
        "object with __reduce__",
        "code that runs where it is unpickled",
        "class Evil:\n    def __reduce__(self): return print, ('REACHED: unpickled',)\n"
        "def softmax(x, axis=-1):\n    return np.array([Evil()], dtype=object)",
        flagged=True,
    ),
    cheat(
        "class from torch by its own word",
        "a type that says which kind it is",
        "Odd = type('Tensor', (), {'__module__': 'torch', 'dtype': 'float64', 'detach': lambda self: self,\n"
        "    'cpu': lambda self: self, 'resolve_conj': lambda self: self, 'numpy': lambda self: 'right'})\n"
        "def softmax(x, axis=-1):\n    return Odd()",
    ),
    cheat(
        "errors as answers",
        "an exception of the name of ours, or one that ends everything",
        "class CheckFailed(SystemExit): pass\n"
        "def softmax(x, axis=-1):\n    raise CheckFailed('softmax: right.')",
    ),
    cheat(
        "KeyboardInterrupt", "stop the probe", "def softmax(x, axis=-1): raise KeyboardInterrupt", ends=True
    ),
    cheat("StopIteration", "stop a loop of ours", "def softmax(x, axis=-1): raise StopIteration"),
    cheat("GeneratorExit", "stop a generator of ours", "def softmax(x, axis=-1): raise GeneratorExit"),
    cheat(
        "inputs changed in secret",
        "make input and output agree, in the request itself",
        FORGE + "def softmax(x, axis=-1):\n"
        "    for args in inside()[1]['cases']:\n        args['x'][...] = 0\n"
        "    x[...] = 1\n    return x",
        flagged=True,
    ),
    cheat(
        "seed and right results in the request",
        "what the grader sends beside the inputs",
        FORGE + "def softmax(x, axis=-1):\n"
        "    request = inside()[1]\n"
        "    global FOUND\n"
        "    if {'seed', 'expected', 'sizes', 'oracle'} & {*request, *request['cases'][0]}:\n"
        "        FOUND = f'REACHED: {list(request)}'\n"
        "    return x",
        flagged=True,
    ),
    cheat(
        "answer that knows the seed's results",
        "a table of all right results for seed 0, made at home",
        remembered("softmax", (0, "visible")),
    ),
    cheat(
        "answer that knows both seeds' results",
        "the same, with the hidden seed too: it stands in `solutions/`, and in every feedback page",
        remembered("softmax", (0, "visible"), (HIDDEN, "hidden")),
    ),
    cheat(
        "leak detector that looks",
        "the kind of the hidden attention in the function it is handed",
        "import gc\n"
        "def leaks_future(attend, n, d):\n"
        "    seen = [attend, getattr(attend, '__self__', None), getattr(attend, '__closure__', None)]\n"
        "    frame = sys._getframe()\n"
        "    while frame:\n        seen.append(frame.f_locals)\n        frame = frame.f_back\n"
        "    seen += gc.get_referrers(attend) + gc.get_referents(attend) + [vars(attend)]\n"
        "    text = ' '.join(repr(one)[:5000] for one in seen)\n"
        "    attend(np.zeros((n, d))), attend(np.ones((n, d)))\n"
        "    return any(word in text for word in ('leak', 'no mask', 'transposed', 'off by one'))",
        exercise="leaks_future",
        flagged=True,
    ),
    cheat(
        "leak detector that counts",
        "the order of the hidden attentions, which is the same for every seed",
        counted(),
        exercise="leaks_future",
    ),
    cheat(
        "leak detector, always True",
        "most hidden attentions leak",
        "def leaks_future(attend, n, d): return True",
        exercise="leaks_future",
    ),
    cheat(
        "leak detector that asks nonsense",
        "break the function that stays with the verdict",
        FORGE
        + "WHAT = [None, 'x', {'a': 1}, [[]], np.zeros((0, 0)), np.ones(3, bool), np.array(1j), 10**400]\n"
        "from grading.inside import frames\n"
        "def leaks_future(attend, n, d):\n"
        "    messages, request = inside()\n"
        "    frames.send(messages, {'nonce': request['nonce'], 'question': WHAT.pop()})\n"
        "    return bool(frames.receive(messages, 2**20))",
        exercise="leaks_future",
        flagged=True,
        ends=True,
    ),
    cheat(
        "measures nothing",
        "draws as asked, and returns the formula with some scatter",
        "def measure_score_std(n, d_k, rng):\n"
        "    rng.standard_normal((2, n, d_k))\n"
        "    return float(np.sqrt(d_k) * (1 + 0.01 * np.random.default_rng(n).standard_normal()))",
        exercise="measure_score_std",
    ),
    cheat(
        "module that keeps its own layers",
        "results that do not come from the weights given",
        "class MultiHeadAttention(nn.MultiheadAttention):\n"
        "    def __init__(self, d_model, h):\n        super().__init__(d_model, h, batch_first=True)\n"
        "        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model) for _ in range(4))\n"
        "    def forward(self, query, key, value, allowed=None):\n"
        "        return super().forward(query, key, value, average_attn_weights=False)",
        exercise="MultiHeadAttention",
    ),
    cheat(
        "thread that forges",
        "a thread of an earlier cell answers for the probe",
        FORGE + "import threading, time\nhere = inside()\n"
        "def later():\n"
        "    from grading.inside import frames\n"
        "    for _ in range(30):\n"
        "        time.sleep(0.01)\n"
        "        frame = sys._current_frames()[threading.main_thread().ident]\n"
        "        while frame:\n"
        "            request = frame.f_locals.get('request', {})\n"
        "            if request.get('do') == 'probe':\n"
        "                frames.send(here[0], {'nonce': request['nonce'], 'seen': []})\n"
        "            frame = frame.f_back\n"
        "threading.Thread(target=later, daemon=True).start()\n" + WRONG,
        flagged=True,
        ends=True,
    ),
    cheat(
        "atexit, excepthook and signal handlers",
        "have the last word",
        WRONG + "import atexit, signal\n"
        "atexit.register(lambda: print('softmax: right.'))\n"
        "for number in (signal.SIGPROF, signal.SIGALRM, signal.SIGTERM, signal.SIGINT):\n"
        "    signal.signal(number, lambda *_: print('softmax: right.'))\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)",
        flagged=True,
    ),
    cheat(
        "time limit lifted",
        "clocks set back and limits raised",
        WRONG + "import resource, signal\n"
        "signal.setitimer(signal.ITIMER_PROF, 0)\n"
        "for what in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_NPROC, "
        "resource.RLIMIT_FSIZE):\n"
        "    hard = resource.getrlimit(what)[1]\n"
        "    reach(f'limit {what}', lambda: resource.setrlimit(what, (2 * hard, 2 * hard)))",
        flagged=True,
    ),
    cheat(
        "code in a cell magic",
        "flags read cells, and the body of a magic is a text",
        "%%capture\nimport gc, ctypes, builtins\nsys._getframe().f_back\nexec('pass')",
        WRONG,
        flagged=True,
    ),
    cheat(
        "shell under another name",
        "the shell's insides without calling get_ipython()",
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "InteractiveShell.instance().input_transformers_post.append(lambda lines: lines)",
        WRONG,
        flagged=True,
    ),
)

ARRAY = "'value': {'kind': 'array', 'array': np.zeros(3)}, 'changed': []"
FORGERIES = (
    forged("forged: right", "a message that says so", "seen='right', passed=True, score=3"),
    forged("forged: no observation", "an empty list", "seen=[]"),
    forged("forged: too many", "more observations than calls", f"seen=[{{{ARRAY}}}] * 1000"),
    forged("forged: extra keys", "keys that no probe knows", f"seen=[{{{ARRAY}, 'passed': True}}]"),
    forged(
        "forged: two outcomes", "right and unanswered at once", f"seen=[{{{ARRAY}, 'unanswered': 'softmax'}}]"
    ),
    forged(
        "forged: kind without array",
        "an array that is none",
        "seen=[{'value': {'kind': 'array'}, 'changed': []}]",
    ),
    forged(
        "forged: text as array",
        "a list where an array is due",
        "seen=[{'value': {'kind': 'array', 'array': [0.5]}, 'changed': []}]",
    ),
    forged(
        "forged: NaN everywhere",
        "NaN is equal to nothing, nor different",
        "seen=[{'value': {'kind': 'array', 'array': np.full(3, np.nan)}, 'changed': []}] * 20",
    ),
    forged(
        "forged: empty array of endless shape",
        "a loop over rows that are not there",
        "seen=[{'value': {'kind': 'array', 'array': np.zeros((2**40, 0))}, 'changed': []}]",
    ),
    forged(
        "forged: odd types",
        "half precision and thirty axes",
        "seen=[{'value': {'kind': 'array', 'array': np.zeros((1,) * 30, np.float16)}, 'changed': []}]",
    ),
    forged(
        "forged: large array",
        "more numbers than the probe ever writes down",
        "seen=[{'value': {'kind': 'array', 'array': np.zeros(3_000_000)}, 'changed': []}]",
    ),
    forged(
        "forged: unanswered is a list",
        "a text that is none",
        "seen=[{'unanswered': ['softmax'] * 1000, 'changed': []}]",
    ),
    forged("forged: changed is missing", "a key that is due", "seen=[{'value': {'kind': 'NoneType'}}]"),
    forged(
        "forged: dict bomb",
        "a value within a value",
        "seen=[{'value': __import__('functools').reduce(lambda v, _: {'kind': 'list', 'items': [v] * 4},"
        " range(5), {'kind': 'NoneType'}), 'changed': []}]",
    ),
    forged(
        "forged: endless seconds",
        "a number that cannot be printed",
        "seen=[{'too_slow': 10**400, 'changed': []}]",
    ),
    forged(
        "forged: a whole answer of markup",
        "what the instructor's report says",
        "seen=[{'unusable': {'says': 'x', 'misconception': None, 'hint': None}, 'changed': [],"
        " 'whole_answer': ['[/x] <script>']}]",
    ),
    forged("forged: missing", "points for nothing there", "missing=True"),
    forged("forged: question", "a question where nobody answers", "question=np.zeros(3)"),
    forged("forged: wrong nonce", "an answer to another question", "nonce='0' * 16, seen=[]", ends=True),
    forged("forged: no nonce", "bytes of a message without", "b'\\0' * 7 + b'\\x02{}'", ends=True),
    forged(
        "forged: pickle",
        "bytes that run where they are unpickled",
        "b'\\0' * 7 + b'\\x0c' + b'cposix\\nsystem'",
        ends=True,
    ),
    forged(
        "forged: huge message", "memory without end", "(2**62).to_bytes(8, 'big') + b'x' * 100", ends=True
    ),
    forged(
        "forged: deeply nested",
        "the stack of whoever reads it",
        "raw=(lambda data: len(data).to_bytes(8, 'big') + data)(__import__('safetensors.numpy').numpy.save("
        "{'outline': np.frombuffer(b'[' * 200_000 + b']' * 200_000, np.uint8)}))",
        ends=True,
    ),
    Attack(
        "sent before it was asked",
        "an answer that waits for its question",
        (HEAD, FORGE, "for _ in range(3):\n    forge(seen=[])\n", WRONG),
        flagged=True,
        ends=True,
    ),
    Attack(
        "message socket through /proc",
        "the socket by its number, without frames",
        (
            HEAD,
            "import socket\n"
            "numbers = [int(name) for name in os.listdir('/proc/self/fd')]\n"
            "print('refused: other sockets', numbers)\n"
            "for number in numbers:\n"
            "    try:\n        os.write(number, b'\\0' * 64)\n    except OSError: pass\n",
            WRONG,
        ),
        flagged=True,
        ends=True,
    ),
    Attack(
        "message socket closed",
        "a grader that waits for ever",
        (
            HEAD,
            "for number in range(3, 200):\n    try:\n        os.close(number)\n    except OSError: pass\n",
            WRONG,
        ),
        ends=True,
    ),
)

# Right answers that are somebody else's

LIBRARY = (
    library(
        "torch.softmax", "def softmax(x, axis=-1): return torch.softmax(torch.from_numpy(x), axis).numpy()"
    ),
    library("F.softmax", "def softmax(x, axis=-1): return F.softmax(torch.from_numpy(x), dim=axis).numpy()"),
    library("nn.Softmax", "def softmax(x, axis=-1): return nn.Softmax(axis)(torch.from_numpy(x)).numpy()"),
    library("nn.Softmin", "def softmax(x, axis=-1): return nn.Softmin(axis)(torch.from_numpy(-x)).numpy()"),
    library("tensor method", "def softmax(x, axis=-1): return torch.from_numpy(x).softmax(axis).numpy()"),
    library(
        "alias in another cell",
        "def softmax(x, axis=-1): return s(torch.from_numpy(x), axis).numpy()",
        "softmax",
        "s = torch.softmax",
    ),
    library(
        "getattr",
        "def softmax(x, axis=-1): return getattr(torch, 'soft' + 'max')(torch.from_numpy(x), axis).numpy()",
    ),
    library(
        "torch._C",
        (
            "def softmax(x, axis=-1): return "
            "torch._C._VariableFunctions.softmax(torch.from_numpy(x), axis).numpy()"
        ),
    ),
    library(
        "vmap",
        (
            "def softmax(x, axis=-1): return torch.func.vmap(lambda y: torch.softmax(y, "
            "axis))(torch.from_numpy(x)[None])[0].numpy()"
        ),
    ),
    library(
        "Categorical",
        "def softmax(x, axis=-1):\n"
        "    y = torch.from_numpy(np.moveaxis(x, axis, -1).copy())\n"
        "    made = torch.distributions.Categorical(logits=y, validate_args=False)\n"
        "    return np.moveaxis(made.probs.numpy(), -1, axis)",
    ),
    library(
        "from the second call on",
        "calls = 0\n"
        "def softmax(x, axis=-1):\n"
        "    global calls\n    calls += 1\n"
        "    if calls == 1:\n        return np.exp(x) / np.exp(x).sum()\n"
        "    return torch.softmax(torch.from_numpy(x), axis).numpy()",
    ),
    library(
        "after sys.setprofile(None)",
        "def softmax(x, axis=-1):\n    sys.setprofile(None)\n"
        "    return torch.softmax(torch.from_numpy(x), axis).numpy()",
    ),
    library(
        "profile put back",
        "def softmax(x, axis=-1):\n    before = sys.getprofile()\n    sys.setprofile(None)\n"
        "    y = torch.softmax(torch.from_numpy(x), axis).numpy()\n    sys.setprofile(before)\n    return y",
    ),
    library(
        "profile put back, in other words",
        "get, set_ = (getattr(sys, word + 'profile') for word in ('get', 'set'))\n"
        "def softmax(x, axis=-1):\n    before = get()\n    set_(None)\n"
        "    y = torch.softmax(torch.from_numpy(x), axis).numpy()\n    set_(before)\n    return y",
    ),
    library("reference", "def softmax(x, axis=-1): return reference.softmax(x, axis)"),
    library("reference, renamed", "from helpers.reference import softmax"),
    library(
        "reference, by way of the next exercise",
        (
            "def softmax(x, axis=-1): return "
            "np.moveaxis(reference.softmax_with_temperature(np.moveaxis(x, axis, -1), 1), -1, "
            "axis)"
        ),
    ),
    library(
        "reference of another exercise",
        "def softmax(x, axis=-1):\n"
        "    y = reference.masked_softmax(np.moveaxis(x, axis, -1), np.True_)\n"
        "    return np.moveaxis(y, -1, axis).astype(x.dtype)",
    ),
    library(
        "reference, new code object",
        "import types\nr = reference.softmax\n"
        "softmax = types.FunctionType(r.__code__.replace(co_filename='x'), r.__globals__, "
        "'softmax', r.__defaults__)",
    ),
    library(
        "reference, run as text",
        "from pathlib import Path\n"
        "exec((Path(reference.__file__).parent / 'unit_05_softmax.py').read_text())",
    ),
    library(
        "torch.special.softmax",
        "def softmax(x, axis=-1): return torch.special.softmax(torch.from_numpy(x), axis).numpy()",
    ),
    library(
        "log_softmax",
        "def softmax(x, axis=-1): return torch.log_softmax(torch.from_numpy(x), axis).exp().numpy()",
    ),
    library(
        "torch.ops.aten",
        "def softmax(x, axis=-1): return torch.ops.aten.softmax.int(torch.from_numpy(x), axis).numpy()",
    ),
    library(
        "torch._softmax",
        "def softmax(x, axis=-1): return torch._softmax(torch.from_numpy(x), axis, False).numpy()",
    ),
    library(
        "functools.partial",
        "import functools\np = functools.partial(torch.softmax)\n"
        "def softmax(x, axis=-1): return p(torch.from_numpy(x), axis).numpy()",
    ),
    library(
        "map",
        "def softmax(x, axis=-1): return next(map(torch.softmax, [torch.from_numpy(x)], [axis])).numpy()",
    ),
    library(
        "methodcaller",
        "import operator\n"
        "def softmax(x, axis=-1): return operator.methodcaller('softmax', axis)(torch.from_numpy(x)).numpy()",
    ),
    library(
        "nn.Parameter",
        "def softmax(x, axis=-1): return nn.Parameter(torch.from_numpy(x)).softmax(axis).detach().numpy()",
    ),
    library(
        "torch.jit",
        "made = torch.jit.trace(lambda y: torch.softmax(y, -1), torch.ones(2))\n"
        "def softmax(x, axis=-1): return np.moveaxis(made(torch.from_numpy(np.moveaxis(x, "
        "axis, -1).copy())).numpy(), -1, axis)",
    ),
    library(
        "in a thread",
        "import threading\n"
        "def softmax(x, axis=-1):\n    got = []\n"
        "    one = threading.Thread(target=lambda: "
        "got.append(torch.softmax(torch.from_numpy(x), axis).numpy()))\n"
        "    one.start(), one.join()\n    return got[0]",
    ),
    library(
        "in a thread that was there before",
        "from concurrent.futures import ThreadPoolExecutor\n"
        "pool = ThreadPoolExecutor(1)\n"
        "pool.submit(int).result()\n"
        "def softmax(x, axis=-1): return pool.submit(torch.softmax, torch.from_numpy(x), "
        "axis).result().numpy()",
    ),
    library("numpy.dot", "def dot(a, b): return np.dot(a, b)", "dot"),
    library("ndarray.dot", "def dot(a, b): return a.dot(b)", "dot"),
    library(
        "torch.dot", "def dot(a, b): return float(torch.dot(torch.from_numpy(a), torch.from_numpy(b)))", "dot"
    ),
    library(
        "numpy.dot itself",
        "dot = np.dot",
        "dot",
    ),
    library(
        "numpy.dot, alias",
        "d = np.dot\ndef dot(a, b): return d(a, b)",
        "dot",
    ),
    library(
        "numpy.dot, in a function of its own",
        "def my(a, b): return np.dot(a, b)\ndef dot(a, b): return my(a, b)",
        "dot",
    ),
    library(
        "numpy.dot, getattr",
        "def dot(a, b): return getattr(np, 'dot')(a, b)",
        "dot",
    ),
    library("numpy.tri, alias", "t = np.tri\ndef causal_mask(n): return t(n, dtype=bool)", "causal_mask"),
    library(
        "torch.tril",
        "def causal_mask(n): return torch.ones(n, n, dtype=torch.bool).tril().numpy()",
        "causal_mask",
    ),
    library(
        "reference.attention",
        "def attention(Q, K, V, allowed=None): return reference.attention(Q, K, V, allowed)",
        "attention",
    ),
    library(
        "scaled_dot_product_attention",
        "def attention(Q, K, V, allowed=None):\n"
        "    Q, K, V = (torch.from_numpy(part) for part in (Q, K, V))\n"
        "    n, m = Q.shape[-2], K.shape[-2]\n"
        "    allowed = torch.ones(n, m, dtype=bool) if allowed is None else "
        "torch.from_numpy(np.array(allowed))\n"
        "    allowed = allowed.broadcast_to((*Q.shape[:-1], m))\n"
        "    eye = torch.eye(m, dtype=Q.dtype).expand(*K.shape[:-2], m, m)\n"
        "    out, weights = (F.scaled_dot_product_attention(Q, K, one, "
        "allowed).nan_to_num().numpy() for one in (V, eye))\n"
        "    blocked = ~allowed.any(-1, keepdim=True).numpy()\n"
        "    return np.where(blocked, 0, out), np.where(blocked, 0, weights)",
        "attention",
    ),
    library(
        "reference module",
        "class MultiHeadAttention(reference.MultiHeadAttention): pass",
        "MultiHeadAttention",
    ),
)

# Reaching out

PLACES = (
    "/etc/passwd",
    "/etc/shadow",
    "/root/.ssh",
    "/root/.bash_history",
    "/home",
    "/var",
    "/sys",
    "/run",
    "/mnt",
    "/proc/1/environ",
    "/proc/sys",
    "/proc/kcore",
    "/dev/mem",
    "/dev/sda",
    "/dev/vda",
    "/dev/kmsg",
    "/dev/fuse",
    "/dev/mqueue",
    "/proc/self/root/etc/passwd",
    "/proc/self/cwd/../../../etc/passwd",
)
CALLS = (
    *("ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp"),
    *("mount", "umount2", "pivot_root", "chroot", "unshare", "setns", "move_mount", "open_tree", "fsopen"),
    *("socket", "connect", "bind", "listen", "accept"),
    *("shmget", "shmat", "msgget", "semget", "mq_open", "memfd_create", "memfd_secret"),
    *("bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register"),
    *("add_key", "request_key", "keyctl", "personality", "kexec_load", "init_module", "finit_module"),
    *("open_by_handle_at", "name_to_handle_at", "swapon", "syslog", "sethostname", "clock_settime", "mknod"),
    *("fanotify_init", "inotify_init1", "quotactl", "acct", "adjtimex", "iopl"),
)

REACHES = (
    reach(
        "network",
        "TCP, UDP, unix, netlink, raw and packet sockets",
        "import socket\n"
        "for family in ('AF_INET', 'AF_INET6', 'AF_UNIX', 'AF_NETLINK', 'AF_PACKET', 'AF_ALG', 'AF_VSOCK'):\n"
        "    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):\n"
        "        reach(f'{family} {kind}', lambda: socket.socket(getattr(socket, family), kind))\n"
        "reach('names', lambda: socket.getaddrinfo('localhost.', 80))\n"
        "import urllib.request\n"
        "reach('a page', lambda: urllib.request.urlopen('http://127.0.0.1:9/', timeout=1))",
        flagged=True,
    ),
    reach(
        "message socket as a way out",
        "connect, bind or pass a descriptor on the one socket there is",
        "import socket\n"
        "one = socket.socket(fileno=os.dup(3))\n"
        "reach('connect', lambda: one.connect('\\0another'))\n"
        "reach('bind', lambda: one.bind('\\0another'))\n"
        "reach('peer', lambda: must(one.getpeername()))\n"
        "reach('credentials', lambda: must(__import__('struct').unpack('3i', one.getsockopt(1, 17, 12))[0]))",
        flagged=True,
    ),
    reach(
        "files",
        "what lies on this machine",
        (
            f"for place in {PLACES}:\n"
            f"    reach(place, lambda: must(os.listdir(place) if os.path.isdir(place) else "
            f"open(place, 'rb').read(1)))"
        ),
    ),
    reach(
        "the course",
        "gradebook, solutions, others' submissions",
        (
            "for place in @COURSE@:\n"
            "    reach(place, lambda: must(os.listdir(place) if os.path.isdir(place) else "
            "open(place, 'rb').read(1)))"
        ),
    ),
    reach(
        "the course's checks",
        "right answers and known mistakes in the course's own code",
        "import helpers, pathlib\n"
        "home = pathlib.Path(helpers.__file__).parent\n"
        "for part in ('verdict', 'verdict/judge.py', 'exercises', 'exercises/oracle.py', 'learner', "
        "'../grading/plugins.py',\n"
        "             '../grading/checker.py', '../solutions', '../tests', '../.git', "
        "'../gradebook.db'):\n"
        "    reach(part, lambda: must((home / part).exists()))",
    ),
    reach(
        "writing",
        "anywhere but in the private folder",
        "import helpers, torch, site\n"
        "places = ['/', '/usr', '/etc', '/dev', '/proc', '/proc/self', '/root', '/bin', "
        "os.path.dirname(torch.__file__),\n"
        "          os.path.dirname(helpers.__file__), os.path.dirname(os.__file__), "
        "sys.prefix, sys.base_prefix, *@COURSE@]\n"
        "for place in places:\n"
        "    reach(place, lambda: open(os.path.join(place, 'probe-of-a-test'), 'w').close())\n"
        "for file in (helpers.__file__, torch.__file__, sys.executable):\n"
        "    reach(file, lambda: open(file, 'r+').close())\n"
        "for file, text in (('oom_score_adj', '-1000'), ('uid_map', '0 0 1'), ('setgroups', 'allow')):\n"
        "    reach(file, lambda: open(f'/proc/self/{file}', 'w', 1).write(text + '\\n'))\n"
        "reach('remount', lambda: os.chmod('/', 0o777))",
    ),
    reach(
        "symlinks",
        "a link out of the private folder",
        "os.symlink('/', 'root'), os.symlink('/proc/1', 'first'), os.symlink('/etc/passwd', 'users')\n"
        "reach('users', lambda: open('users').read())\n"
        "reach('first', lambda: must(os.listdir('first')))\n"
        "reach('root', lambda: open('root/etc/passwd').read())\n"
        "reach('hard link', lambda: os.link(sys.executable, 'python'))",
        flagged=True,
    ),
    reach(
        "other processes",
        "see, stop or read them",
        "import signal\n"
        "reach('list', lambda: must([name for name in os.listdir('/proc') if name.isdigit()]))\n"
        "reach('parent', lambda: must(os.getppid()))\n"
        "for pid in range(2, 400):\n"
        "    try:\n        os.kill(pid, 0)\n"
        "    except OSError:\n        continue\n"
        "    print('REACHED: process', pid)\n"
        "reach('everybody', lambda: os.kill(-1, 0))\n"
        "reach('tasks', lambda: must(len(os.listdir('/proc/self/task')) > 1))\n"
        "reach('parent by pidfd', lambda: os.pidfd_open(2))",
        flagged=True,
    ),
    reach(
        "the grader's environment",
        "a secret that the grader was started with",
        f"texts = [repr(dict(os.environ)), open('/proc/self/environ').read(), "
        f"open('/proc/self/cmdline').read()]\n"
        f"reach('the secret', lambda: must([text for text in texts if 'SECRET' in text or "
        f"{SECRET[:9]!r} in text]))\n"
        "reach('by getenv', lambda: must(ctypes.CDLL(None).getenv(b'SECRET')))\n"
        "reach('of the parent', lambda: open(f'/proc/{os.getppid()}/environ').read())",
        flagged=True,
    ),
    reach(
        "the grader's memory",
        "another submission's or the grader's secrets in our own pages",
        "import re\n"
        f"wanted = {SECRET[:7]!r}.encode() + b'-of-' + {SECRET[-10:]!r}.encode()\n"
        "found = []\n"
        "memory = open('/proc/self/mem', 'rb', 0)\n"
        "for line in open('/proc/self/maps'):\n"
        "    start, end = (int(part, 16) for part in line.split()[0].split('-'))\n"
        "    if line.split()[1].startswith('rw-p') and ('heap' in line or 'stack' in line) "
        "and end - start < 2**27:\n"
        "        memory.seek(start)\n"
        "        found += re.findall(rb'SECRET=' + b'[a-z-]+', memory.read(end - start))\n"
        "reach('in the heap', lambda: must(found))\n"
        "shared = [line for line in open('/proc/self/maps') if line.split()[1].startswith('rw-s')]\n"
        "reach('memory that is shared', lambda: must(shared))",
    ),
    reach(
        "system calls",
        "each that no answer needs",
        f"for name in {CALLS}:\n    reach(name, lambda: system_call(name, -1, -1, -1, -1, -1))",
    ),
    reach(
        "system calls by other numbers",
        "the x32 and the i386 doors",
        (
            "print('refused: to come back')\n"
            "reach('x32', lambda: must(libc.syscall(ctypes.c_long(0x40000000 | 39)) > 0))"
        ),
        ends=True,
    ),
    reach(
        "new process",
        "one fork, by each way there is, and a program",
        "import subprocess, multiprocessing\n"
        "def fork(way):\n"
        "    pid = way()\n"
        "    if pid == 0:\n        libc._exit(0)\n"
        "    return pid\n"
        "reach('fork', lambda: fork(os.fork))\n"
        "reach('fork in C', lambda: fork(lambda: system_call('fork')))\n"
        "reach('clone', lambda: fork(lambda: system_call('clone', 17, 0, 0, 0, 0)))\n"
        "reach('clone3', lambda: fork(lambda: system_call('clone3', bytes(88), 88)))\n"
        "reach('exec', lambda: must(os.execv('/bin/true', ['true']) is None))\n"
        "reach('posix_spawn', lambda: os.posix_spawn('/bin/true', ['true'], {}))\n"
        "reach('subprocess', lambda: subprocess.run(['/bin/true']))\n"
        "reach('forkserver', lambda: multiprocessing.get_context('fork').Process(target=int).start())\n"
        "reach('system', lambda: must(os.system('true') == 0))",
        flagged=True,
    ),
    reach(
        "new namespaces",
        "become root in a world of one's own",
        "for flag in (0x10000000, 0x20000, 0x20000000, 0x40000000, 0x8000000, 0x4000000, 0x2000000):\n"
        "    reach(f'unshare {flag:#x}', lambda: must(libc.unshare(flag) == 0))\n"
        "    reach(f'clone {flag:#x}', lambda: system_call('clone', flag | 17, 0, 0, 0, 0))\n"
        "    reach(f'thread {flag:#x}', lambda: must(isinstance(system_call('clone', flag | "
        "0x10f00, 0, 0, 0, 0), int)))\n"
        "reach('setns', lambda: system_call('setns', os.open('/proc/self/ns/mnt', os.O_RDONLY), 0))",
    ),
    reach(
        "another user",
        "root, or any other",
        "for name in ('setuid', 'setgid', 'seteuid', 'setegid'):\n"
        "    for number in (0, 1, 1000):\n"
        "        reach(f'{name} {number}', lambda: getattr(os, name)(number))\n"
        "reach('groups', lambda: os.setgroups([0]))\n"
        "reach('capabilities', lambda: must(int([l for l in open('/proc/self/status') if "
        "'CapEff' in l][0].split()[1], 16)))\n"
        "reach('bounding set in use', lambda: must(libc.prctl(47, 2, 21, 0, 0) == 0))\n"
        "reach('new privileges', lambda: must(libc.prctl(38, 0, 0, 0, 0) == 0))\n"
        "reach('seccomp undone', lambda: must('Seccomp:\\t2' not in open('/proc/self/status').read()))\n"
        "reach('chown', lambda: os.chown('.', 0, 0))\n"
        "reach('priority', lambda: os.nice(-5))\n"
        "reach('real time', lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)))",
    ),
    reach(
        "terminal",
        "type into the instructor's terminal",
        "import fcntl, termios\n"
        "for place in ('/dev/tty', '/dev/console', '/dev/tty0', '/dev/pts/0', '/dev/pts/1'):\n"
        "    reach(place, lambda: fcntl.ioctl(os.open(place, os.O_RDWR), termios.TIOCSTI, b'x'))\n"
        "for number in (0, 1, 2):\n"
        "    reach(f'descriptor {number}', lambda: fcntl.ioctl(number, termios.TIOCSTI, b'x'))",
    ),
    reach(
        "devices",
        "a device of one's own",
        "import stat\n"
        "reach('mknod', lambda: os.mknod('disk', 0o600 | stat.S_IFBLK, os.makedev(254, 0)))\n"
        "reach('a program', lambda: (open('run', 'w').write('#!/bin/sh'), os.chmod('run', "
        "0o4777), os.execv('run', ['run'])))",
    ),
    reach(
        "left for the next: files",
        "files in every place that can be written",
        "for place in ('/submission', '/submission/work', '/tmp', '/dev/shm', '/var/tmp', "
        "'/run', os.getcwd()):\n"
        "    try:\n"
        "        open(f'{place}/left-by-an-attack', 'w').write('x')\n"
        "        print('wrote', place)\n"
        "    except OSError as error:\n        print('refused:', error)",
        after=(
            "import glob, os\n"
            "tops = ('/submission', '/tmp', '/dev', '/var', '/run', '/home', '/mnt')\n"
            "left = [place for top in tops for place, _, names in os.walk(top) if "
            "'left-by-an-attack' in names]\n"
            "print('REACHED:' if left else 'refused:', left)",
        ),
    ),
    reach(
        "left for the next: shared memory",
        "shm_open, multiprocessing.shared_memory, SysV, a torch file",
        "from multiprocessing import shared_memory\n"
        "def keep():\n"
        "    global one\n"
        "    one = shared_memory.SharedMemory('left-by-an-attack', create=True, size=64)\n"
        "try:\n    keep()\nexcept OSError as error:\n    print('refused:', error)\n"
        "reach('SysV', lambda: system_call('shmget', 4242, 64, 0o1777))\n"
        "reach('semaphore', lambda: system_call('semget', 4242, 1, 0o1777))",
        flagged=True,
        after=(
            "from multiprocessing import shared_memory\n"
            "try:\n    shared_memory.SharedMemory('left-by-an-attack')\n"
            "except OSError as error:\n    print('refused:', error)\n"
            "else:\n    print('REACHED: shared memory of another submission')",
        ),
    ),
    reach(
        "left for the next: patches",
        "modules, builtins, environment, random state, cwd and umask",
        "import builtins, helpers.beside.probe, random\n"
        "builtins.left = np.left = torch.left = sys.left = helpers.beside.probe.left = True\n"
        "os.environ['LEFT'] = 'x'\nos.umask(0o777)\nos.chdir('/')\nsys.path.insert(0, '/left')\n"
        "get_ipython().user_ns['left_name'] = 1\nget_ipython().ast_transformers.append(None)\n"
        "torch.set_default_dtype(torch.float64)\n"
        "np.seterr(all='raise')\n"
        "print('refused: (looked for by the next)')",
        flagged=True,
        after=(
            "import builtins, os, sys, numpy as np, torch, helpers.beside.probe\n"
            "left = [any(hasattr(one, 'left') for one in (builtins, np, torch, sys, "
            "helpers.beside.probe)), 'LEFT' in os.environ,\n"
            "        os.umask(0o022) == 0o777, os.getcwd() == '/', '/left' in sys.path, "
            "'left_name' in globals(),\n"
            "        bool(get_ipython().ast_transformers), torch.get_default_dtype() != torch.float32,\n"
            "        np.geterr()['over'] == 'raise']\n"
            "print('REACHED:' if any(left) else 'refused:', left)",
        ),
    ),
    reach(
        "left for the next: a thread",
        "a thread that goes on after the notebook",
        "import threading, time\n"
        "def later():\n"
        "    while True:\n"
        "        time.sleep(0.01)\n"
        "        for place in ('/submission', '/tmp', '/dev/shm'):\n"
        "            try:\n"
        "                open(f'{place}/still-here', 'w').close()\n"
        "            except OSError: pass\n"
        "threading.Thread(target=later, daemon=False).start()\nprint('refused: (looked for by the next)')",
        after=(
            "import os, threading, time\ntime.sleep(0.05)\n"
            "left = [place for place in ('/submission', '/tmp', '/dev/shm') if "
            "os.path.exists(f'{place}/still-here')]\n"
            "left += [one.name for one in threading.enumerate()][1:]\n"
            "print('REACHED:' if left else 'refused:', left)",
        ),
    ),
    reach(
        "left for the next: inherited descriptors",
        "what the warm process has open, and its offsets",
        "numbers = sorted(int(name) for name in os.listdir('/proc/self/fd'))\n"
        "kinds = {}\n"
        "for number in numbers:\n"
        "    try:\n        kinds[number] = os.readlink(f'/proc/self/fd/{number}')\n    except OSError: pass\n"
        "reach('more than one socket', lambda: must(sum('socket' in kind for kind in kinds.values()) > 1))\n"
        "reach('a pipe or a file', lambda: must([k for k in kinds.values() if 'socket' not "
        "in k and k != '/dev/null']))",
    ),
    reach(
        "shared with one beside: pseudo-terminal",
        "a terminal that another submission can read and type into",
        "here, there = os.openpty()\nos.write(here, b'from-another\\n')\nprint('made', os.ttyname(there))",
        beside=(
            "import os\n"
            "try:\n"
            "    names = [name for name in os.listdir('/dev/pts') if name.isdigit()]\n"
            "    print('refused: terminals', names)\n"
            "    for name in names:\n"
            "        one = os.open(f'/dev/pts/{name}', os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)\n"
            "        print('REACHED: the terminal of another submission, with', os.read(one, 99))\n"
            "except OSError as error:\n    print('refused:', error)",
        ),
    ),
    reach(
        "shared with one beside: a lock",
        "bits passed on through locks on a file that both can read",
        "import fcntl\nfile = open(torch.__file__)\nfcntl.flock(file, fcntl.LOCK_EX)\nprint('locked')",
        beside=(
            "import fcntl, torch\n"
            "try:\n    fcntl.flock(open(torch.__file__), fcntl.LOCK_SH | fcntl.LOCK_NB)\n"
            "except BlockingIOError as error:\n    print('REACHED: a lock of another submission:', error)\n"
            "except OSError as error:\n    print('refused:', error)\n"
            "else:\n    print('refused: it is not locked')",
        ),
    ),
    reach(
        "shared with one beside: files",
        "what another submission writes while it runs",
        "for place in ('/submission', '/submission/work', '/tmp', '/dev/shm'):\n"
        "    try:\n        open(f'{place}/beside', 'w').write('x')\n"
        "    except OSError as error:\n        print('refused:', error)",
        beside=(
            "import os\n"
            "places = ('/submission', '/submission/work', '/tmp', '/dev/shm')\n"
            "left = [place for place in places if os.path.exists(f'{place}/beside')]\n"
            "print('REACHED:' if left else 'refused:', left)",
        ),
    ),
    reach(
        "keyrings",
        "a key that the next submission finds",
        "reach('add', lambda: system_call('add_key', b'user', b'left', b'x', 1, -4))\n"
        "reach('session', lambda: system_call('keyctl', 0, -3, 1))",
    ),
    reach(
        "life after the grader",
        "no signal when the parent dies",
        "reach('dumpable by others', lambda: must(libc.prctl(3) not in (0, 1)))\n"
        "print('pdeathsig', libc.prctl(1, 0, 0, 0, 0))\n"
        "reach('own session', lambda: must(os.getsid(0) not in (0, os.getpid())))\n"
        "reach('subreaper', lambda: must(os.getppid()))",
    ),
    reach(
        "shell commands",
        "`!` and `%sx` of IPython, `%run` of a program",
        (
            "!id > here\n"
            "files = !ls /\n"
            "print('refused:', files)\n"
            "reach('a file of it', lambda: must(os.path.exists('here')))"
        ),
        "%%bash\nid",
        "%sx id",
    ),
)

# Using up what there is

GREEDY = (
    greedy(
        "3 GB at once", "memory", "def softmax(x, axis=-1): return np.ones(3 * 2**27) * 2", exercise="softmax"
    ),
    greedy(
        "3 GB by and by",
        "memory, in small pieces",
        "kept = []\nwhile len(kept) < 3000: kept.append(bytearray(2**20))\nprint('REACHED: 3 GB')",
    ),
    greedy(
        "3 GB shared",
        "memory that no heap limit counts",
        "import mmap\nkept = [mmap.mmap(-1, 2**28) for _ in range(12)]\nprint('REACHED: 3 GB')",
        flagged=True,
    ),
    greedy(
        "a file of 1 GB",
        "disk",
        (
            "part = bytes(2**20)\n"
            "with open('big', 'wb') as file:\n"
            "    for _ in range(1024): file.write(part)\n"
            "print('REACHED: 1 GB')"
        ),
    ),
    greedy(
        "many small files in shared memory",
        "disk in every place",
        (
            "for place in ('/tmp', '/dev/shm', '/submission'):\n"
            "    for number in range(40): open(f'{place}/{number}', 'wb').write(bytes(2**18))\n"
            "print('REACHED: 30 MB')"
        ),
    ),
    greedy(
        "many files",
        "inodes",
        "for number in range(20_000): open(f'{number}', 'w').close()\nprint('many files')",
    ),
    greedy(
        "many descriptors",
        "open files",
        "kept = [open('/dev/null') for _ in range(5000)]\nprint('REACHED: 5000 files')",
    ),
    greedy(
        "many threads",
        "threads",
        (
            "import threading, time\n"
            "kept = [threading.Thread(target=time.sleep, args=(60,), daemon=True) for _ in "
            "range(200)]\n"
            "for one in kept: one.start()\n"
            "print('REACHED: 200 threads')"
        ),
    ),
    greedy("flood on stdout", "the size of the notebook", "for _ in range(20_000): print('x' * 1000)"),
    greedy(
        "flood on stderr", "the size of the notebook", "for _ in range(20_000): sys.stderr.write('x' * 1000)"
    ),
    greedy(
        "flood of pictures",
        "the size of the notebook",
        (
            "from IPython.display import display\n"
            "for _ in range(2000): display({'image/png': 'A' * 9000, 'text/plain': 'x'}, "
            "raw=True)"
        ),
    ),
    greedy(
        "repr without end",
        "time, in what we call",
        "class Long:\n    def __repr__(self):\n        while True: pass\nLong()",
    ),
    greedy(
        "error text without end",
        "time, where the error is described",
        (
            "class Long(Exception):\n"
            "    def __str__(self):\n"
            "        while True: pass\n"
            "def softmax(x, axis=-1): raise Long"
        ),
        exercise="softmax",
        survives=True,
    ),
    greedy(
        "answer whose __code__ never ends",
        "time, where the answer's own code is looked at",
        "class Odd:\n    @property\n    def __code__(self):\n        while True: pass\n"
        "    def __call__(self, x, axis=-1): return x\nsoftmax = Odd()",
        exercise="softmax",
        survives=True,
    ),
    greedy(
        "error text of 100 MB",
        "memory, where the error is described",
        "def softmax(x, axis=-1): raise ValueError('x' * 10**8)",
        exercise="softmax",
    ),
    greedy(
        "metaclass with an odd name",
        "code that runs where the type is named",
        (
            "class Meta(type):\n"
            "    __name__ = property(lambda self: 1 / 0)\n"
            "    __module__ = property(lambda self: 1 / 0)\n"
            "class Odd(metaclass=Meta): pass\n"
            "def softmax(x, axis=-1): return Odd()"
        ),
        exercise="softmax",
    ),
    greedy("loop in a cell", "time", "while True: pass"),
    greedy("loop in an answer", "time", "def softmax(x, axis=-1):\n    while True: pass", exercise="softmax"),
    greedy(
        "recursion",
        "the stack: a beginner's mistake, more often than an attack",
        "def softmax(x, axis=-1): return softmax(x)",
        exercise="softmax",
        innocent=True,
    ),
    greedy(
        "recursion in C",
        "the real stack",
        "sys.setrecursionlimit(10**9)\ndef softmax(x, axis=-1): return softmax(x)",
        exercise="softmax",
    ),
    greedy("segmentation fault", "the process", "ctypes.string_at(0)"),
    greedy(
        "segmentation fault in an answer",
        "the process",
        "def softmax(x, axis=-1): return ctypes.string_at(0)",
        exercise="softmax",
        flagged=True,
    ),
    greedy(
        "os._exit",
        "an end without a word",
        "def softmax(x, axis=-1): os._exit(0)",
        exercise="softmax",
        flagged=True,
    ),
    greedy(
        "os.abort",
        "an end with a signal",
        "def softmax(x, axis=-1): os.abort()",
        exercise="softmax",
        flagged=True,
    ),
    greedy(
        "exit in C",
        "an end that no guard sees",
        "def softmax(x, axis=-1): libc._exit(0)",
        exercise="softmax",
        flagged=True,
    ),
    greedy(
        "kills itself",
        "a signal to its own process",
        (
            "import signal\n"
            "def softmax(x, axis=-1):\n"
            "    os.kill(os.getpid(), signal.SIGKILL)\n"
            "    libc.raise_(9) if hasattr(libc, 'raise_') else libc.abort()"
        ),
        exercise="softmax",
        flagged=True,
    ),
    greedy(
        "array of 4 GB that takes no room",
        "memory, where it is copied",
        "def softmax(x, axis=-1): return np.broadcast_to(x.ravel()[:1], (2**29,))",
        exercise="softmax",
    ),
    greedy(
        "array of ten million",
        "the size of the message",
        "def softmax(x, axis=-1): return np.zeros(10**7)",
        exercise="softmax",
    ),
    greedy(
        "generator without end",
        "time, where it is described",
        "def softmax(x, axis=-1):\n    while True: yield x",
        exercise="softmax",
    ),
    greedy(
        "list in a list in a list",
        "the stack, where it is described",
        "def softmax(x, axis=-1):\n    one = []\n    one.append(one)\n    return one",
        exercise="softmax",
    ),
    greedy(
        "list of lists of lists",
        "time, where it is described",
        "def softmax(x, axis=-1):\n    one = [x]\n    for _ in range(8): one = [one] * 40\n    return one",
        exercise="softmax",
    ),
    greedy(
        "dict with odd keys",
        "time, in the str of a key",
        (
            "class Key:\n"
            "    def __str__(self):\n"
            "        while True: pass\n"
            "def softmax(x, axis=-1): return {Key(): x}"
        ),
        exercise="softmax",
    ),
    greedy(
        "messages without end",
        "the grader's memory",
        FORGE + "while True: forge(outputs=['x' * 100_000])",
        flagged=True,
    ),
)
WAITING = (
    forged(
        "forged: message that never ends",
        "a grader that waits for the rest",
        "(2**20).to_bytes(8, 'big') + b'x'",
        ends=True,
    ),
    greedy("sleep", "time on the wall", "import time\ntime.sleep(10**6)"),
    greedy(
        "sleep in an answer",
        "time on the wall",
        "import time\ndef softmax(x, axis=-1): time.sleep(10**6)",
        exercise="softmax",
    ),
    greedy(
        "loop that catches all",
        "time, with every error swallowed",
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    ),
    greedy(
        "loop without signals",
        "time, with every signal blocked",
        (
            "import signal\n"
            "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 64))\n"
            "for number in range(1, 32):\n"
            "    try: signal.signal(number, signal.SIG_IGN)\n"
            "    except OSError: pass\n"
            "while True: pass"
        ),
        flagged=True,
    ),
    greedy("loop in C", "time, where no Python signal comes through", "sum(iter(int, 1))"),
    greedy(
        "busy threads",
        "time on all cores",
        (
            "import threading, time\n"
            "def spin():\n"
            "    while True: pass\n"
            "for _ in range(4): threading.Thread(target=spin, daemon=True).start()\n"
            "time.sleep(10**6)"
        ),
    ),
    greedy(
        "stopped",
        "a process that is stopped, not ended",
        "import signal\nos.kill(os.getpid(), signal.SIGSTOP)\nsignal.pause()",
        flagged=True,
    ),
    greedy(
        "many cells that wait",
        "time on the wall, a little in each cell",
        *["import time\ntime.sleep(1.7)"] * 4,
        "print('REACHED: 7 seconds of waiting, where a notebook may have 3')",
    ),
)

INSIDE = (*CHEATS, *FORGERIES, *LIBRARY, *REACHES)

# Using up what is the next one's, who is forked from the same warm process

STOCK = """
import json, mmap, os, resource, signal, sys, threading
def free(place):
    seen = os.statvfs(place)
    return [seen.f_bavail * seen.f_frsize, seen.f_favail, sorted(os.listdir(place))]
def threads(most=24):
    end, _ = threading.Event(), threading.stack_size(2**18)
    kept = [threading.Thread(target=end.wait) for _ in range(most)]
    for one in kept: one.start()
    end.set()
    for one in kept: one.join()
    return most
def written(most=60 * 2**20):
    with open("big", "wb") as file: done = sum(file.write(bytes(2**20)) for _ in range(most >> 20))
    os.remove("big")
    return done
def files(most=2000):
    for number in range(most): open(f"small-{number}", "w").close()
    for number in range(most): os.remove(f"small-{number}")
    return most
status = dict(map(str.strip, line.split(":", 1)) for line in open("/proc/self/status"))
limit = resource.getrlimit(resource.RLIMIT_AS)[0]
print(json.dumps({
    "room": {place: free(place) for place in (".", "/tmp", "/dev/shm", "/submission")},
    "memory, in parts of 16 MB": (limit - int(status["VmSize"].split()[0]) * 1024) >> 24,
    "tried": [len(mmap.mmap(-1, 900 * 2**20)), written(), files(), threads()],
    "signals": [status[one] for one in ("SigPnd", "ShdPnd", "SigBlk", "SigIgn", "SigCgt")],
    "timers": [signal.getitimer(0), signal.getitimer(1), signal.getitimer(2)[0] > 20],  # that of the cell
    "limits": {one: resource.getrlimit(getattr(resource, one)) for one in dir(resource)
               if one.startswith("RLIMIT_") and one != "RLIMIT_AS"},
    "turns": [os.nice(0), sorted(os.sched_getaffinity(0)), os.sched_getscheduler(0), sys.getswitchinterval()],
    "processes": [os.getpid(), status["Threads"], len(os.listdir("/proc/self/fd"))],
    "mask of new files": os.umask(0o22),
    "CPU seconds, in tens": int(sum(resource.getrusage(resource.RUSAGE_SELF)[:2])) // 10,
}))
"""
"""What a submission has at its beginning, as facts, and that it may use it."""


@dataclass(frozen=True)
class Left:
    """An attack on the submission after it, or beside it.

    Attributes:
        name: of the attack.
        tries: what it takes away.
        source: what it runs.
        beside: whether it still runs while the other takes stock.
    """

    name: str
    tries: str
    source: str
    beside: bool = False


SPIN = "def spin():\n    while True: pass\n"
START = (
    "import threading, time\nthreading.stack_size(2**18)\n"
    "for _ in range({}): threading.Thread(target={}, daemon={}).start()"
)
LEFT = (
    Left("a thread that computes on", "computing time", SPIN + START.format(4, "spin", True)),
    Left("a thread that Python waits for at its end", "the end", SPIN + START.format(1, "spin", False)),
    Left("threads that sleep", "threads", START.format(28, "lambda: time.sleep(10**6)", False)),
    Left("a timer of Python's", "a later cell", "import threading\nthreading.Timer(0.2, os.abort).start()"),
    Left("an alarm", "a later signal", "import signal\nsignal.alarm(1)"),
    Left(
        "timers of the system",
        "later signals",
        "import signal\nfor one in (0, 1, 2): signal.setitimer(one, 5, 0.01)",
    ),
    Left(
        "signals blocked and waiting",
        "signals of the next",
        "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 64))\nos.kill(os.getpid(), 15)",
    ),
    Left(
        "deaf to every signal",
        "an end that is asked for",
        "import signal\nfor one in range(1, 65):\n    try: signal.signal(one, signal.SIG_IGN)\n"
        "    except (OSError, ValueError): pass\nwhile True: pass",
    ),
    Left("work at the end", "time after the end", SPIN + "import atexit\natexit.register(spin)"),
    Left(
        "work when it is thrown away",
        "time after the end",
        SPIN + "class Late:\n    def __del__(self): spin()\nimport builtins\nbuiltins.kept = Late()",
    ),
    Left(
        "a process of its own",
        "a process that stays",
        "try:\n    if os.fork() == 0:\n        while True: pass\nexcept OSError: pass",
    ),
    Left(
        "a program in the background",
        "a process that stays",
        "import subprocess\ntry: subprocess.Popen(['sleep', '1000000'])\nexcept OSError: pass",
    ),
    Left(
        "the disk full",
        "disk",
        "for place in ('.', '/tmp', '/dev/shm'):\n    try:\n"
        "        with open(f'{place}/big', 'wb') as file:\n            while True: file.write(bytes(2**20))\n"
        "    except OSError: pass",
    ),
    Left(
        "files without end",
        "inodes, which are memory of the system's",
        "for place in ('.', '/tmp', '/dev/shm'):\n    try:\n"
        "        for number in range(15_000): open(f'{place}/{number}', 'w').close()\n"
        "        print('REACHED: 15,000 files in', place)\n    except OSError: pass",
    ),
    Left(
        "a deleted file that is open",
        "disk",
        "kept = open('x', 'wb')\nkept.write(bytes(2**25))\nos.remove('x')",
    ),
    Left("memory that is kept", "memory", "import builtins\nbuiltins.kept = bytearray(700 * 2**20)"),
    Left(
        "memory that is shared",
        "memory",
        "import mmap\nkept = mmap.mmap(-1, 700 * 2**20)\nkept.write(bytes(2**26))",
    ),
    Left(
        "pipes that are full",
        "memory of the system's",
        "kept = [os.pipe() for _ in range(90)]\nimport fcntl\n"
        "for _, end in kept:\n    try:\n        fcntl.fcntl(end, 1031, 2**20)\n"
        "        os.set_blocking(end, False)\n        os.write(end, bytes(2**20))\n    except OSError: pass",
    ),
    Left(
        "the last turn for everybody",
        "turns on the processor",
        "for which in (os.PRIO_USER, os.PRIO_PGRP, os.PRIO_PROCESS):\n    try: os.setpriority(which, 0, 19)\n"
        "    except OSError: pass\n"
        "try: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\nexcept OSError: pass",
    ),
    Left(
        "lower limits",
        "limits of the next",
        "import resource\nfor one in (resource.RLIMIT_CPU, resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE):\n"
        "    resource.setrlimit(one, (20, 20))",
    ),
    Left(
        "all of its computing time",
        "computing time",
        "while True: pass",
    ),
    Left(
        "signals to all",
        "the processes of others",
        "import signal\nfor who in (-1, 0):\n"
        "    try: os.kill(who, signal.SIGCONT)\n    except OSError: pass\n"
        "try: os.kill(1, 0)\nexcept OSError: pass",
    ),
    Left("threads beside", "threads", START.format(28, "lambda: time.sleep(10**6)", True), beside=True),
    Left(
        "the disk full beside",
        "disk",
        "with open('big', 'wb') as file: file.write(bytes(60 * 2**20))",
        beside=True,
    ),
    Left("memory beside", "memory", "kept = bytearray(700 * 2**20)", beside=True),
    Left("computing beside", "computing time", SPIN + START.format(4, "spin", True), beside=True),
    Left(
        "many files beside",
        "inodes",
        "for number in range(5000): open(f'{number}', 'w').close()",
        beside=True,
    ),
)


def take_stock(warm):
    """The facts of a fresh submission."""
    with Notebook(warm, {}) as notebook:
        notebook.limits = replace(notebook.limits, patience=PATIENCE)
        said = notebook.run(STOCK)["outputs"]
    text = "".join(one.get("text", "") for one in said)
    return json.loads(text) if text.startswith("{") else {"no stock": str(said)}


def left_over(warm, attack):
    """What the submission after an attack, or beside it, has less of: complaints."""
    before, alone = take_stock(warm), _at_rest(warm)
    outcome = Outcome()
    with Notebook(warm, {}) as notebook:
        _run(notebook, HEAD, outcome)
        notebook.limits = replace(notebook.limits, cell_seconds=1, patience=1)  # what never ends is killed
        _run(notebook, attack.source, outcome)
        after = take_stock(warm) if attack.beside else None
    after = after or take_stock(warm)
    until(lambda: _at_rest(warm) == alone)  # what it started is gone, be it busy or asleep
    differ = [name for name in before | after if before.get(name) != after.get(name)]
    return [
        *(f"it reached {what}" for what in outcome.reached),
        *outcome.broken,
        *([before["no stock"]] if "no stock" in before else []),
        *(f"{name}: {before.get(name)} before, {after.get(name)} after" for name in differ),
    ]


def _at_rest(warm):
    """The processes that there are when nobody is graded."""
    return until(lambda: len(found := descendants(warm._process.pid)) == 2 and found)


def play(warm, attack, course=()):
    """Try one attack, as the grader would run it; what became of it."""
    outcome, start = Outcome(), time.monotonic()
    with contextlib.ExitStack() as stack:
        notebook = stack.enter_context(Notebook(warm, {}))
        if attack not in WAITING:  # the clock runs for others' work too
            notebook.limits = replace(notebook.limits, patience=PATIENCE)
        cells = [cell.replace("@COURSE@", repr(list(course))) for cell in attack.cells]
        for cell in cells:
            _run(notebook, cell, outcome)
        if attack.beside:
            with Notebook(warm, {}) as other:
                for cell in attack.beside:
                    _run(other, cell, outcome)
        if attack.exercise:
            name, checker = attack.exercise, Checker(notebook)
            try:
                checker.run(f"check({name!r})\ncheck({name!r}, seed={HIDDEN}, sizes='hidden')")
            except Exception as error:  # the grader, not the learner, has failed
                outcome.broken.append(f"the grader failed with {type(error).__name__}: {error}"[:200])
            outcome.earned = len(checker.findings) == 2 and all(one.passed for one in checker.findings)
            outcome.flagged += [
                text for one in checker.findings for text in (*one.library, one.trouble) if text
            ]
            with contextlib.suppress(Ended):
                _look(notebook.run("print(globals().get('FOUND', ''))"), outcome, [])
    outcome.flagged += [text for cell in cells[1:] for text in flags.suspicious(cell)]
    if attack.after:
        with Notebook(warm, {}) as notebook:
            for cell in attack.after:
                _run(notebook, cell, outcome)
    outcome.seconds = time.monotonic() - start
    return outcome


def _run(notebook, cell, outcome):
    try:
        message = notebook.run(cell)
        seen = outputs.clean(message.get("outputs"), notebook.limits.output * 2)
    except (Ended, ValueError) as error:
        outcome.ended.append(str(error))
        return
    _look(message, outcome, seen)


def _look(message, outcome, seen):
    for one in seen or message["outputs"]:
        for line in str(one.get("text", "")).splitlines():
            if line.startswith("REACHED:"):
                outcome.reached.append(line.removeprefix("REACHED: "))
            if line.startswith("refused:"):
                outcome.refused.append(line)
                if any(f"({name}" in line for name in BROKEN_ATTACKS):
                    outcome.broken.append(f"the attack itself is broken: {line}")
        if one.get("ename") in BROKEN_ATTACKS:
            outcome.broken.append(f"the attack itself is broken: {one['ename']}: {one['evalue']}")


# Handed in: tricks with the notebook and the files beside it, graded with the course's own command

UNIT = "05_softmax"
NONE = dict.fromkeys(units.UNITS[UNIT], 0.0)
SOFTMAX = {**NONE, "softmax": 3.0}
SCRIPT = "<script>probe_of_a_test()</script>"


@dataclass(frozen=True)
class HandIn:
    """A submission that is an attack.

    Attributes:
        name: of the attack.
        tries: what it is after.
        make: changes the notebook, which has no right answer, and may return files to lie beside it.
        honest: the points that it may have; `None` where it is no submission.
        flagged: whether the instructor has to be told.
        page: whether the feedback page is looked at, too.
    """

    name: str
    tries: str
    make: object
    honest: dict | None = field(default_factory=lambda: dict(NONE))
    flagged: bool = False
    page: bool = False


def _named(notebook, name):
    return next(cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == name)


def _tests(notebook):
    return [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade")]


def _answer(notebook, source, name="softmax"):
    _named(notebook, name).source = source


def _noted(notebook, name, **noted):
    _named(notebook, name).metadata.nbgrader.update(noted)


def _nothing(notebook):
    pass


def _points(notebook):
    for cell in _tests(notebook):
        cell.metadata.nbgrader.points = 100


def _emptied(notebook):
    for cell in _tests(notebook):
        cell.source = ""


def _edited(notebook):
    for cell in _tests(notebook):
        cell.source = "print('right.')\n100.0"
        cell.metadata.nbgrader.locked = False


def _swapped(notebook):
    """The right softmax would count 4 points instead of 3."""
    _answer(notebook, RIGHT)
    one, other = _named(notebook, "softmax-test"), _named(notebook, "attention-test")
    one.metadata.nbgrader.grade_id, other.metadata.nbgrader.grade_id = "attention-test", "softmax-test"
    one.source, other.source = other.source, one.source


def _renamed(notebook):
    for number, cell in enumerate(_tests(notebook)):
        cell.metadata.nbgrader.grade_id = f"other-{number}"


def _doubled(notebook):
    for cell in _tests(notebook):
        again = copy.deepcopy(cell)
        again.source, again.id = "pass", again.id + "x"
        notebook.cells.append(again)


def _markdown(notebook):
    _answer(notebook, RIGHT)
    _named(notebook, "softmax").cell_type = "markdown"
    _named(notebook, "softmax-test").cell_type = "markdown"


def _flipped(notebook):
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader"):
            noted = cell.metadata.nbgrader
            noted.update(
                grade=True, solution=not noted.solution, locked=not noted.locked, task=True, points=50
            )


def _number(notebook):
    _answer(notebook, "def softmax(x, axis=-1): return x\n3.0")
    _noted(notebook, "softmax", grade=True, solution=False, points=3)


def _outputs(notebook):
    for cell in _tests(notebook):
        data = {"text/plain": "100.0"}
        cell.outputs = [
            nbformat.v4.new_output("stream", name="stdout", text="softmax: right."),
            nbformat.v4.new_output("execute_result", data=data, execution_count=1),
        ]


def _bonus(notebook):
    cell = copy.deepcopy(_tests(notebook)[0])
    cell.source, cell.id = "pass", "bonus"
    cell.metadata.nbgrader.update(grade_id="bonus-test", points=100)
    notebook.cells.append(cell)


def _stripped(notebook):
    """Cells that begin as the tests do, and test nothing."""
    firsts = [cell.source.partition("\n")[0] for cell in _tests(notebook)]
    for cell in notebook.cells:
        cell.metadata.pop("nbgrader", None)
    notebook.cells = [nbformat.v4.new_code_cell(f"{first}\npass") for first in firsts]


def _odd_notes(notebook):
    cells = [cell for cell in notebook.cells if cell.metadata.get("nbgrader")]
    for cell, noted in zip(
        cells, [[], "x", 7, None, {}, {"grade_id": []}, {"grade_id": {}}] * 9, strict=False
    ):
        cell.metadata["nbgrader"] = noted


def _set_up(notebook):
    source = "check = lambda *_, **__: print('right.')\nimport helpers\nhelpers.check = check"
    _answer(notebook, source, "set-up")
    _noted(notebook, "set-up", locked=False, grade=True, points=100)


def _kernel(notebook):
    notebook.metadata.kernelspec = {"name": "bash", "display_name": "x", "language": "bash"}
    notebook.metadata.language_info = {"name": "R"}
    notebook.metadata.celltoolbar = "Create Assignment"


def _shadows(notebook):
    """Modules that would be imported instead of ours."""
    source = "print('REACHED: imported')\ndef check(*_, **__): print('right.')\n"
    names = (
        "helpers",
        "torch",
        "numpy",
        "sitecustomize",
        "usercustomize",
        "conftest",
        "nbgrader_config",
        "grading",
    )
    files = {f"{name}.py": source for name in names}
    return {
        **files,
        "helpers/__init__.py": source,
        ".ipython/profile_default/startup/a.py": source,
        "evil.pth": source,
    }


def _extra(notebook):
    return {
        "extra.ipynb": nbformat.writes(classroom.released(UNIT)),
        "04_masking.ipynb": "{}",
        "x.ipynb": "no",
    }


def _stamp(notebook):
    return {"timestamp.txt": "1970-01-01 00:00:00 UTC'; DROP TABLE grade; --"}


def _beside(notebook):
    _answer(notebook, "from mine import softmax")
    code = "import ctypes, gc, sys\nframe = sys._getframe\nimport builtins\n"
    return {"mine.py": code + "def softmax(x, axis=-1): return x\n"}


def _execution_count(notebook):
    _answer(notebook, RIGHT + "get_ipython().execution_count = -5")


def _surrogate(notebook):
    _answer(notebook, RIGHT + "print('\\ud800')")
    _answer(notebook, "def attention(*_): raise ValueError('\\ud800')", "attention")


def _endless(notebook):
    _answer(notebook, RIGHT)
    text = FORGE + "def attention(*_): forge(seen=[{'too_slow': 10**400, 'changed': []}])"
    _answer(notebook, "import sys\n" + text, "attention")


def _scripts(notebook):
    """What must not arrive in a page that an instructor opens."""
    shown = [
        {"text/html": SCRIPT, "text/plain": SCRIPT},
        {"image/svg+xml": f"<svg>{SCRIPT}</svg>", "text/markdown": SCRIPT, "text/latex": SCRIPT},
        {"application/javascript": "probe_of_a_test()", "text/plain": "x"},
        {"image/png": f'x"/>{SCRIPT}', "image/jpeg": f"'>{SCRIPT}"},
        {f"image/png'>{SCRIPT}": "AAAA"},
    ]
    source = (
        f"from IPython.display import display, HTML, Javascript\n"
        f"for one in {shown!r}:\n"
        f"    display(one, raw=True, metadata={{'image/png': {{'width': '1>{SCRIPT}'}}}})\n"
        f"print({SCRIPT!r})\nraise type({SCRIPT!r}, (Exception,), {{}})({SCRIPT!r})"
    )
    notebook.cells.insert(2, nbformat.v4.new_code_cell(source, metadata={"tags": [SCRIPT]}))
    _answer(notebook, f"Odd = type({SCRIPT!r}, (), {{}})\ndef softmax(x, axis=-1): return Odd()")
    _answer(notebook, f"def attention(*_): raise ValueError({SCRIPT!r})", "attention")
    source = (
        f"def {{}}(*_):\n"
        f"    from helpers.beside.probes.base import ProbeError\n"
        f"    raise ProbeError({SCRIPT!r}, None, {SCRIPT!r})"
    )
    _answer(notebook, source.format("masked_softmax"), "masked_softmax")
    _answer(notebook, f"softmax_backward = {SCRIPT!r}", "softmax_backward")
    _answer(notebook, f"def softmax_with_temperature(*_): return {SCRIPT!r}", "softmax_with_temperature")


def _markdown_script(notebook):
    text = f"{SCRIPT}\n\n<img src=x onerror=probe_of_a_test()>\n\n[x](javascript:probe_of_a_test())"
    notebook.cells.insert(2, nbformat.v4.new_markdown_cell(text))


def _raw_script(notebook):
    notebook.cells.insert(2, nbformat.v4.new_raw_cell(SCRIPT, metadata={"raw_mimetype": "text/html"}))
    notebook.cells.insert(2, nbformat.v4.new_raw_cell(SCRIPT))


def _linked(notebook):
    return {"link to": {f"{UNIT}.ipynb": f"../../../solutions/{UNIT}/{UNIT}.ipynb"}}


def _linked_beside(notebook):
    source = (
        "import glob\nfor name in ('grades.db', 'folder/gradebook.db', 'env'):\n"
        "    try:\n"
        "        print('REACHED:', open(name, 'rb').read(9))\n"
        "    except OSError as error: print('refused:', error)"
    )
    notebook.cells.append(nbformat.v4.new_code_cell(source))
    links = {"grades.db": "../../../gradebook.db", "folder": "../../..", "env": "/proc/self/environ"}
    return {"link to": links}


HANDED_IN = (
    HandIn("honest", "nothing: the yardstick", lambda notebook: _answer(notebook, RIGHT), SOFTMAX),
    HandIn("unanswered", "nothing: the other yardstick", _nothing),
    HandIn("points raised to 100", "points from the notebook's notes", _points),
    HandIn("tests emptied", "tests that cannot fail", _emptied),
    HandIn("tests edited", "tests of one's own, unlocked", _edited),
    HandIn("tests swapped", "the points of another exercise", _swapped, SOFTMAX),
    HandIn("tests renamed", "tests that the gradebook does not know", _renamed),
    HandIn("tests doubled", "a second test that passes", _doubled),
    HandIn("answer typed as text", "a cell that is not run", _markdown, SOFTMAX),
    HandIn("notes flipped", "locked, solution, grade and task the other way round", _flipped),
    HandIn("answer that is a number", "partial credit", _number),
    HandIn("outputs prepared", "praise and a number in the test cells' outputs", _outputs),
    HandIn("bonus test", "a test cell that the course does not have", _bonus),
    HandIn("notes stripped", "cells that are taken for the tests", _stripped),
    HandIn("notes of odd types", "a crash while they are read", _odd_notes),
    HandIn("set-up edited", "another check", _set_up),
    HandIn("another kernel", "a program of one's own that runs the notebook", _kernel),
    HandIn("files that shadow modules", "import instead of ours", _shadows),
    HandIn("more notebooks", "a crash or a second mark", _extra),
    HandIn(
        "time stamp",
        "a crash, or a date long ago",
        _stamp,
    ),
    HandIn("scripts in outputs", "the browser of whoever reads the feedback", _scripts, page=True),
    HandIn(
        "scripts in text cells",
        "the browser of whoever reads the feedback",
        _markdown_script,
        page=True,
    ),
    HandIn("scripts in raw cells", "the browser of whoever reads the feedback", _raw_script, page=True),
    HandIn(
        "code in a file beside",
        "flags read the notebook alone",
        _beside,
        flagged=True,
    ),
    HandIn(
        "execution count below zero",
        "a notebook that cannot be written",
        _execution_count,
        SOFTMAX,
    ),
    HandIn(
        "half a character",
        "a notebook that cannot be written",
        _surrogate,
        SOFTMAX,
    ),
    HandIn("forged: endless seconds", "a verdict that fails", _endless, SOFTMAX, flagged=True),
    HandIn("link to the solution", "the solution notebook as one's own", _linked, None),
    HandIn("links beside the notebook", "files of the course, as files handed in", _linked_beside),
)


def grade_hand_ins(folder):
    """Hand in all of `HANDED_IN`, grade them, make the feedback; complaints by name."""
    classroom.open_course(folder, [UNIT])
    students = {f"{'page' if one.page else 's'}-{number:02}": one for number, one in enumerate(HANDED_IN)}
    for student, one in students.items():
        notebook = copy.deepcopy(classroom.released(UNIT))
        files = one.make(notebook) or {}
        links = files.pop("link to", {})
        target = classroom.hand_in(folder, UNIT, student, notebook=notebook, files=files)
        for name, where in links.items():
            (target / name).unlink(missing_ok=True)
            (target / name).symlink_to(where)
    done = classroom.grade(folder, UNIT)
    pages = classroom.sample_learners.nbgrader(folder, "generate_feedback", UNIT, "--student=page-*")
    points, reports = classroom.points(folder, UNIT), classroom.reports(folder, UNIT)
    found = {}
    for student, one in students.items():
        got = points.get(student)
        found[one.name] = [
            *(
                []
                if got == one.honest
                else [f"points {got}, honest are {one.honest}; {reports.get(student, {}).get('reason')}"]
            ),
            *(["nobody is told"] if one.flagged and not reports.get(student, {}).get("flags") else []),
            *([] if student in reports else [f"no report: {done.stdout[-300:]} {done.stderr[-300:]}"]),
        ]
        for kind, ending in (("feedback", "html"), ("autograded", "ipynb")):
            path = Path(folder, kind, student, UNIT, f"{UNIT}.{ending}")
            if path.exists():
                found[one.name] += [f"{kind}: {what}" for what in _dangerous(path)]
            elif got is not None and (one.page or kind == "autograded"):
                found[one.name].append(f"no {kind}: {pages.stderr[-200:]}")
    return found


class _Page(HTMLParser):
    """Collects what in a page would run."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        self.found += [
            f"{tag} {name}" for name, value in attrs if "probe_of" in (value or "") and name != "id"
        ]

    def handle_data(self, data):
        if self.cdata_elem == "script" and "probe_of" in data:
            self.found.append("script")


def _dangerous(path):
    """What in a page or a notebook would run, or was read where it should not be."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".html":
        (page := _Page()).feed(text)
        return page.found
    found = []
    for cell in json.loads(text)["cells"]:
        checked = cell["metadata"].get("nbgrader", {}).get("grade")
        for one in cell.get("outputs", []):
            data = one.get("data", {})
            allowed = {"text/plain", "text/html"} if checked else {"text/plain", "image/png", "image/jpeg"}
            found += [mime for mime in data if mime not in allowed]
            found += [mime for mime, shown in data.items() if mime != "text/plain" and "<script" in shown]
            found += ["REACHED"] if "REACHED:" in str(one.get("text", "")) else []
    return found


# Aimed at the grader's own process


def _report_of(warm, source):
    """What a summary would be made of, for one submission with this answer."""
    with Notebook(warm, {}) as notebook:
        checker = Checker(notebook)
        notebook.run(HEAD + source)
        checker.run('check("softmax")')
    made = report.Report("s", UNIT, {"softmax": 0.0}, {"softmax": 3.0})
    made.mistakes = {one.exercise: one.misconception for one in checker.findings if one.misconception}
    made.flags = [text for one in checker.findings for text in (*one.library, one.trouble) if text]
    return made


def _shown(warm, word):
    """Show the summary of an answer that chose the name of its mistake."""
    made = _report_of(
        warm,
        "from helpers.beside.probes.base import ProbeError\n"
        f"def softmax(x, axis=-1): raise ProbeError('x', {word!r}, 'x')",
    )
    with tempfile.TemporaryDirectory() as folder:
        report.write(Path(folder), made)
        file = io.TextIOWrapper(io.BytesIO(), "utf-8")
        try:
            summary.show(Console(file=file, width=200), Path(folder), UNIT, ["s"])
        except Exception as error:
            return [f"`summary.show` failed with {type(error).__name__}: {error}"]
        file.seek(0)
        return ["an escape sequence reached the terminal"] if "\x1b" in file.read() else []


def _cost(run, *args):
    """The seconds of computing that it takes, the least of three: once may be the garbage of others."""
    took = []
    for _ in range(3):
        start = time.process_time()
        with contextlib.suppress(ValueError, RuntimeError):
            run(*args)
        took.append(time.process_time() - start)
    return min(took)


def _compared(attack, plain):
    """Complain where an attack costs the grader far more than something plain of its size, not as much."""
    return [f"it cost the grader {attack / plain:.0f} times as much"] if attack > 20 * plain else []


def _blank_picture(warm):
    with Notebook(warm, {}) as notebook:
        source = "from IPython.display import display\ndisplay({'image/png': '@' * 20_000 + '!'}, raw=True)"
        shown = (notebook.run(source.replace("@", letter))["outputs"] for letter in " A")
        return _compared(*(_cost(outputs.clean, one, 200_000) for one in shown))


def _many_magics(_warm):
    source = "".join(f"%time a{number} = 1\n" for number in range(40)) + "x = 1\n" * 1500
    return _compared(*(_cost(flags.suspicious, one) for one in (source, source.replace("%time ", ""))))


def _more_magics(_warm):
    with mock.patch("IPython.core.inputtransformer2.TRANSFORM_LOOP_LIMIT", 20):  # it is 500, and slow
        try:
            flags.suspicious("%time x = 1\n" * 21)
        except Exception as error:
            return [f"`flags.suspicious` failed with {type(error).__name__}: {error}"]
    return []


def _counts(_warm):
    found = []
    for count in (float("inf"), -5, 10**400, True):
        output = {"output_type": "execute_result", "execution_count": count, "data": {"text/plain": "1"}}
        try:
            made = outputs.clean([output], 1000)
            nbformat.validate(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(outputs=made)]))
        except ValueError:  # as it should: the cell is refused, and nothing else
            pass
        except Exception as error:
            found.append(
                f"{count:.3g} fails with {type(error).__name__}" if count != 10**400 else "10**400 fails"
            )
    return found


def _linked_folder(_warm):
    """A student's folder that is a link: is what lies behind it read?"""
    from grading.handed_in import intake

    with tempfile.TemporaryDirectory() as folder:
        (behind := Path(folder, "behind")).mkdir()
        (link := Path(folder, "link")).symlink_to(behind)
        prints = []
        for text in ("one", "two"):
            (behind / "file").write_text(text)
            prints.append(intake.fingerprint(link, Path(folder, "none")))
    return ["`intake.fingerprint` reads what a link leads to"] if prints[0] != prints[1] else []


@dataclass(frozen=True)
class OnGrader:
    """Something handed to the grader's own process; `attempt(warm)` gives complaints."""

    name: str
    tries: str
    attempt: object


ON_GRADER = (
    OnGrader(
        "a mistake called [/x]",
        "end the summary of the whole class",
        lambda warm: _shown(warm, "[/x]"),
    ),
    OnGrader(
        "a mistake called by a lone surrogate",
        "end the summary of the whole class",
        lambda warm: _shown(warm, "\ud800"),
    ),
    OnGrader(
        "a mistake called by an escape sequence",
        "the instructor's terminal",
        lambda warm: _shown(warm, "\x1b[2J\x1b]0;title\x07"),
    ),
    OnGrader(
        "a picture of blanks",
        "a regular expression that takes hours",
        _blank_picture,
    ),
    OnGrader(
        "many magics",
        "IPython's transformer, which reads the whole cell again for each of them",
        _many_magics,
    ),
    OnGrader(
        "more magics than IPython takes",
        "an error that nobody expects",
        _more_magics,
    ),
    OnGrader(
        "odd execution counts",
        "a notebook that cannot be written",
        _counts,
    ),
    OnGrader(
        "folder that is a link",
        "make the grader read the whole machine",
        _linked_folder,
    ),
)


@contextlib.contextmanager
def places():
    """A course folder to hide, with gradebook, solutions and a submission; a secret around the grader."""
    before = os.environ.get("SECRET")
    os.environ["SECRET"] = SECRET
    try:
        with tempfile.TemporaryDirectory() as folder:
            names = ("gradebook.db", "solutions/a.ipynb", "submitted/other/a.ipynb", ".ssh/id")
            for name in names:
                Path(folder, name).parent.mkdir(parents=True, exist_ok=True)
                Path(folder, name).write_text(SECRET)
            yield (
                Path(folder),
                [*(str(Path(folder, name)) for name in names), str(classroom.ROOT / "solutions")],
            )
    finally:
        os.environ.pop("SECRET")
        if before is not None:
            os.environ["SECRET"] = before


def play_together(warm, attacks):
    """Those that only wait, side by side; outcomes in order."""
    before = sys.stdout  # the checks redirect it, each for itself
    try:
        with ThreadPoolExecutor(len(attacks)) as pool:
            return list(pool.map(lambda attack: play(warm, attack), attacks))
    finally:
        sys.stdout = before


def main():
    """Try everything and print what became of it."""
    rows = []
    with places() as (folder, within), Warm([folder]).ready() as warm:
        rows += [(one, play(warm, one, within)) for one in INSIDE]
        graders = [(one, one.attempt(warm)) for one in ON_GRADER]
        graders += [(one, left_over(warm, one)) for one in LEFT]
    with places() as (folder, _), Warm([folder], limits=SMALL).ready() as warm:
        rows += [(one, play(warm, one)) for one in GREEDY]
        rows += zip(WAITING, play_together(warm, WAITING), strict=True)
    with tempfile.TemporaryDirectory() as folder:
        handed = grade_hand_ins(folder)
    line = "{:44} | {:8} | {:7} | {:7} | {}"
    print(line.format("name", "earned", "reached", "flagged", "complaints"))
    for one, outcome in rows:
        earned = "honestly" if one.passes and outcome.earned else "yes" if outcome.earned else "nothing"
        told = "yes" if outcome.flagged else "no"
        complaints = "; ".join(outcome.complaints(one))
        print(line.format(one.name, earned, len(outcome.reached) or "nothing", told, complaints))
    for one, complaints in [*graders, *((one, handed[one.name]) for one in HANDED_IN)]:
        print(line.format(one.name, "", "", "", "; ".join(complaints)))
    print(f"{len(rows) + len(graders) + len(handed)} attacks")


if __name__ == "__main__":
    main()
