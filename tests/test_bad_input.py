"""Whatever an answer does, the learner reads one clear sentence, never a traceback through our code."""

import logging
import os
import re
import signal
import subprocess
import sys
import traceback
import warnings
from pathlib import Path

import numpy as np
import pytest
import torch

from helpers import CheckFailed, check, hint
from helpers.beside import guard, probe, time_limit
from helpers.units import VARIABLES

try:
    import resource
except ImportError:  # Windows
    resource = None

KEPT = logging.getLogger("learner.kept")
KEPT.propagate = False
ROOT = Path(__file__).resolve().parent.parent


def refused(answer, name="double", seed=3):
    """The text of the failing check, after a look at its form."""
    with pytest.raises(CheckFailed) as caught:
        check(name, answer, seed=seed)
    text = str(caught.value)
    assert text.startswith(f"{name} is not right yet.\n")
    assert text.endswith(f"(The same inputs again: check({name!r}, seed={seed}))")
    assert "Traceback" not in text
    assert "helpers/" not in text
    (shown,) = caught.value._render_traceback_()
    assert " ".join(shown.split()) == " ".join(f"CheckFailed: {text}".split())
    assert max(map(len, shown.split("\n"))) <= 80
    return text


def numbers(x):
    yield from x.ravel()


class Own(BaseException):
    """Not an Exception."""


class Mute(Exception):
    """An error that cannot even be shown."""

    def __str__(self):
        raise ValueError


def raising(error):
    def answer(x):
        raise error

    return answer


def endless(x):
    return endless(x)


RESULTS = {
    "nothing": (lambda x: None, "should be a NumPy array; it is nothing (None): is a `return` missing?"),
    "list": (lambda x: (2 * x).tolist(), "should be a NumPy array; it is a Python list"),
    "string": (lambda x: "2x", "should be a NumPy array; it is the string '2x'"),
    "generator": (numbers, "should be a NumPy array; it is a generator"),
    "function": (lambda x: numbers, "should be a NumPy array; it is a function: call it"),
    "object array": (
        lambda x: (2 * x).astype(object),
        "should hold numbers; it holds Python objects",
    ),
    "array of text": (
        lambda x: np.where(x > 0, "True", "False"),
        "should hold numbers; it holds text.\nHint: Which line puts text into it",
    ),
    "dict": (lambda x: {"x": x}, "should be a NumPy array; it is a dict"),
    "tuple": (lambda x: (x, x), "should be a NumPy array; it is a tuple of 2"),
    "shape": (lambda x: np.ones((2, 9)), "wrong shape: expected shape (3,), got shape (2, 9)"),
    "number": (lambda x: 3.0, "wrong shape: expected shape (3,), got a single number"),
    "NaN": (lambda x: x * np.nan, "has 3 NaN of 3 entries"),
    "infinite": (lambda x: x * np.inf, "expected 2, got inf"),
    "complex": (lambda x: 2j * x, "wrong type of numbers: expected float64, got complex128"),
    "error": (raising(ValueError("no idea")), "it stopped with ValueError: no idea (line "),
    "exit": (raising(SystemExit(1)), "it stopped with SystemExit: 1"),
    "own BaseException": (raising(Own("mine")), "it stopped with Own: mine"),
    "error without text": (raising(Mute()), "it stopped with Mute"),
    "recursion": (endless, "it stopped with RecursionError"),
    "too many arguments": (lambda x, y: x, "it stopped with TypeError"),
    "not a function": (np.arange(3), "it should be a function; it is ndarray"),
    "input changed": (
        lambda x: np.multiply(x, 2, out=x),
        "You changed the caller's array; compute a new one and leave x alone.",
    ),
}


@pytest.mark.parametrize("kind", RESULTS)
def test_result_gets_one_clear_sentence(kind):
    answer, says = RESULTS[kind]
    assert says in refused(answer)


@pytest.mark.parametrize(
    "name", ["softmax", "attention", "best_match", "look_back", "QKVProjection", *VARIABLES]
)
@pytest.mark.parametrize(
    "value", [3, "text", [1], numbers, lambda *_: None, lambda *_: {}, type("C", (), {})]
)
def test_other_exercises_survive_it_too(name, value):
    refused(value, name)


def test_dict_that_holds_itself():
    def answer(x):
        mine = {}
        mine["again"] = mine
        return mine

    assert "RecursionError" in refused(answer)


# Loops without end


def loop(x):
    while True:
        pass


def loop_with_bare_except(x):
    while True:
        try:
            for _ in range(1000):
                pass
        except:  # noqa: E722
            pass


def loop_around_exceptions(x):
    while True:
        try:
            x @ "text"
        except Exception:
            continue


@pytest.mark.parametrize("answer", [loop, loop_with_bare_except, loop_around_exceptions])
def test_loop_without_end_is_stopped(answer, monkeypatch):
    monkeypatch.setattr(probe, "SECONDS", 1)
    before = sys.gettrace()
    assert "it was still running after 1 seconds" in refused(answer)
    assert sys.gettrace() is before
    check("double", lambda x: 2 * x)  # nothing rings any more


def test_without_an_alarm_a_loop_is_stopped_all_the_same(monkeypatch):
    monkeypatch.delattr(signal, "setitimer")  # as on Windows
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a run in the background ignores it
    try:
        with pytest.raises(time_limit.TooSlow), time_limit.time_limit(0.2):
            loop(None)
    finally:
        signal.signal(signal.SIGINT, before)


# Ways to take the kernel along


def grow(x):
    while True:
        x = np.concatenate([x, x])


def grow_a_list(x):
    kept = []
    while True:
        kept.append(np.ones(10**6))


GREEDY = {
    "too large an array": lambda x: np.ones(10**11),
    "too large a tensor": lambda x: torch.ones(10**11),
    "too long a text": lambda x: "a" * 10**12,
    "an array that grows": grow,
    "a list that grows": grow_a_list,
}


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the memory limit needs Linux")
@pytest.mark.parametrize("kind", GREEDY)
def test_memory_without_end_is_refused(kind, monkeypatch):
    if kind.endswith("grows"):
        monkeypatch.setattr(
            guard, "MEMORY", 2**29
        )  # reached long before the time limit, on a busy machine too
    before = resource.getrlimit(resource.RLIMIT_DATA)
    text = refused(GREEDY[kind])
    assert re.search("stopped with MemoryError|can't allocate memory", text)
    assert "Hint: Something grows without end, or is far larger than the result" in text
    assert resource.getrlimit(resource.RLIMIT_DATA) == before
    check("double", lambda x: 2 * x)


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the memory limit needs Linux")
def test_memory_is_given_back():
    code = """
from helpers import check
from helpers.beside import guard
guard.MEMORY = 2**29  # reached long before the time limit, on a busy machine too
def answer(x):
    kept = []
    while True:
        kept.append([1] * 100000)
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096
check("double", lambda x: 2 * x)
before = resident()
try:
    check("double", answer)
except AssertionError:
    print((resident() - before) // 2**20)
"""
    assert int(python(code).stdout.splitlines()[-1]) < 200


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the memory limit needs Linux")
def test_a_narrower_limit_is_left_alone():
    code = """
import resource
from helpers import check
from helpers.beside import guard
import numpy, torch
check("double", lambda x: 2 * x)
narrow = guard._in_use() + 2**28
resource.setrlimit(resource.RLIMIT_DATA, (narrow, narrow))
with guard.guard():
    assert resource.getrlimit(resource.RLIMIT_DATA) == (narrow, narrow)
"""
    assert python(code).stderr == ""


@pytest.mark.parametrize("leave", ["_exit", "abort"])
def test_leaving_the_program_is_turned_into_a_sentence(leave):
    def answer(x):
        getattr(os, leave)(*((3,) if leave == "_exit" else ()))

    before = getattr(os, leave)
    text = refused(answer)
    assert f"it stopped with SystemExit: os.{leave}" in text
    assert "Hint: Return a value; do not leave the program." in text
    assert getattr(os, leave) is before


# Noise


def noisy(x):
    print("printed")
    print("to stderr", file=sys.stderr)
    warnings.warn("warned", stacklevel=1)
    logging.getLogger("learner").warning("logged")
    try:
        raise ValueError
    except ValueError:
        traceback.print_exc()
    np.log(np.zeros(2))
    return 2 * x


def test_noise_of_a_right_answer_is_swallowed(capfd):
    check("double", noisy)
    assert capfd.readouterr() == ("double: right.\n", "")


def below_python(x):
    os.write(2, b"to the descriptor")
    subprocess.run([sys.executable, "-c", "import sys; sys.stderr.write('from a child')"], check=True)
    KEPT.error("through a handler made before")
    return 2 * x


def test_noise_below_python_is_swallowed_too(capfd):
    handler = logging.StreamHandler(sys.stderr)
    KEPT.addHandler(handler)
    try:
        check("double", below_python)
    finally:
        KEPT.removeHandler(handler)
    assert capfd.readouterr() == ("double: right.\n", "")
    print("heard again", file=sys.stderr)
    assert capfd.readouterr().err == "heard again\n"


def test_noise_of_a_wrong_answer_is_swallowed(capfd):
    refused(lambda x: 1 + noisy(x))
    assert capfd.readouterr() == ("", "")


def test_settings_of_an_answer_do_not_outlive_it():
    def answer(x):
        np.seterr(all="raise")
        warnings.simplefilter("error")
        sys.stdout = None
        return 2 * x

    before = np.geterr(), list(warnings.filters), sys.stdout
    check("double", answer)
    assert (np.geterr(), list(warnings.filters), sys.stdout) == before


# What is asked for


@pytest.mark.parametrize("ask", [check, hint])
def test_unknown_exercise_lists_the_names(ask):
    with pytest.raises(KeyError, match=r"There is no exercise 'sofmax'.*double.*softmax.*MultiHeadAttention"):
        ask("sofmax")


def test_unknown_sizes_are_named():
    with pytest.raises(ValueError, match="sizes: expected one of visible, hidden; got 'big'"):
        check("double", lambda x: 2 * x, sizes="big")


def test_seed_is_printed_and_repeats_the_inputs():
    with pytest.raises(CheckFailed, match=r"check\('softmax', seed=\d+\)") as caught:
        check("softmax", lambda x, axis=-1: x + (x.ndim > 1))
    seed = int(str(caught.value).rsplit("seed=", 1)[1].rstrip(")"))
    assert refused(lambda x, axis=-1: x + (x.ndim > 1), "softmax", seed) == str(caught.value)


# A kernel that lacks something


def python(code):
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=ROOT, capture_output=True, text=True
    )


FIRST_CHECK = """
import contextlib, sys
from helpers import check, reference
from helpers.beside import probe

limit, counts = probe.time_limit, []

@contextlib.contextmanager
def watched(*args, **named):
    before = set(sys.modules)
    with limit(*args, **named):
        yield
    counts.append(len(set(sys.modules) - before))

probe.time_limit = watched
check("training_step", reference.training_step)
print(max(counts))
"""


@pytest.mark.slow
def test_the_first_check_of_a_kernel_is_not_charged_for_what_pytorch_imports():
    most = int(python(FIRST_CHECK).stdout.splitlines()[-1])
    assert most < 20, "an optimizer's first use brings hundreds of modules"


def test_import_helpers_imports_nothing_heavy():
    code = "import helpers, sys; print([m for m in ('numpy', 'torch', 'matplotlib') if m in sys.modules])"
    assert python(code).stdout == "[]\n"


SAYS = "PyTorch is missing from this kernel: run `make setup`, or `pip install torch`."


@pytest.mark.parametrize("call", ["check('softmax', print)", "hint('softmax')"])
def test_missing_torch_gets_one_sentence(call):
    code = f"import sys; sys.modules['torch'] = None\nfrom helpers import check, hint\n{call}"
    assert python(code).stderr.splitlines()[-1].endswith(SAYS)
    shown = python(
        f"import IPython, sys\nIPython.core.interactiveshell.InteractiveShell().run_cell({code!r})"
    ).stdout
    assert shown.strip() == f"MissingPackage: {SAYS}"


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there is no alarm here")
def test_a_limit_whose_error_is_lost_is_said_all_the_same(monkeypatch):
    """As where IPython is writing an error down when the alarm rings again."""
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: None)

    class Lost:
        def __del__(self):
            try:
                while True:
                    pass
            except BaseException:
                pass

    with pytest.raises(time_limit.TooSlow), time_limit.time_limit(0.1):
        Lost()
