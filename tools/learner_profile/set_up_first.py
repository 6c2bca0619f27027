"""Says "Run the set-up cell first" where a cell is run before it, in place of a NameError.

A kernel runs this file when it starts, since `PYTHONSTARTUP` names it in a learner's JupyterLab, and since it
is among IPython's start-up files on Binder; in a browser the course's kernel does the same. A grader's
process has none of it. Nothing of this file is left among the learner's names.
"""

import contextlib

if "get_ipython" in globals():  # a plain Python, in a terminal of JupyterLab, has nothing to explain
    with contextlib.suppress(ImportError):  # a kernel without the course says so in its set-up cell
        __import__("helpers.beside.set_up_first", fromlist=["*"]).explain(get_ipython())  # noqa: F821
del contextlib
