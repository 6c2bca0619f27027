"""Runs command lines in one process; `tests.classroom.Desk` starts it and sends them as lines of JSON."""

import contextlib
import io
import json
import os
import sys
import traceback
from pathlib import Path

from grading import __main__ as grading
from grading import submission
from grading.term import basis


def nbgrader(words):
    """What `nbgrader WORDS` runs; its applications are made to be started once in a process."""
    from nbgrader.apps import NbGraderApp
    from traitlets.config import Application

    if Application.initialized():
        type(Application.instance()).clear_instance()
    NbGraderApp.launch_instance(list(words))


def forget_modules_of(folder):
    """A new process would read the instructor's own modules anew.

    Nor is bytecode of them kept: of a file written twice in a second, at one length, Python runs the first.
    """
    sys.dont_write_bytecode = True
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", "")).startswith(folder):
            del sys.modules[name]
    basis.own_source.cache_clear()


def run(folder, program, *words):
    """Run one command line in a folder; its exit code."""
    os.chdir(folder)
    forget_modules_of(folder)
    try:
        if program == "grading":
            submission.settings.cache_clear()
            return grading.main([*words, "--course", folder])
        nbgrader(words)
        return 0
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except Exception:
        traceback.print_exc()
        return 1


def main():
    answers = sys.stdout
    programs = [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    os.environ["PATH"] = os.pathsep.join(programs)
    for line in sys.stdin:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(*json.loads(line))
        print(json.dumps([code, out.getvalue(), err.getvalue()]), file=answers, flush=True)


if __name__ == "__main__":
    main()
