"""Entry point of every command: `python tools/course.py help` lists them.

This file runs under any Python, even 2.7, so that a Python that is too old gets a sentence and not a
SyntaxError. Hence no f-strings and no annotations here, and the modules in modern Python are imported last.
"""
# ruff: noqa: ANN001, ANN201, RUF005, SIM105, UP031

import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NEEDED = (3, 11)  # as in pyproject.toml; a test compares them


def old_python_sentence(command):
    """Say what to do about this Python, for people with and without make."""
    example = "py -3.12 tools\\course.py " if os.name == "nt" else "make PYTHON=python3.12 "
    return (
        "The course needs Python %d.%d or newer and this is Python %d.%d: install a newer one, "
        "or name one that you have, for example: " % (NEEDED + tuple(sys.version_info[:2]))
    ) + (example + command)


def hand_over():
    """Run the command with the Python of a finished `.venv` instead; return only if there is none."""
    folder = os.path.join(ROOT, ".venv")
    python = os.path.join(folder, "Scripts" if os.name == "nt" else "bin", "python")
    if os.path.exists(os.path.join(folder, ".ready")):
        try:
            sys.exit(subprocess.call([python] + sys.argv))
        except OSError:
            pass  # its Python is gone: the sentence below says what to do


if __name__ == "__main__":
    if tuple(sys.version_info[:2]) < NEEDED:
        hand_over()
        sys.exit(old_python_sentence(sys.argv[1] if len(sys.argv) > 1 else "help"))
    sys.path.insert(0, ROOT)
    from tools.commands import main

    sys.exit(main(sys.argv[1:]))
