"""Whether this kernel runs in a browser, which has no PyTorch, and what is said of answers that need it."""

import sys

HERE = sys.platform == "emscripten"
"""Whether this kernel runs in a browser."""

ELSEWHERE = "open this unit in Colab or on Binder, or install the course on your computer"
"""The three other ways to work, for the middle of a sentence."""


def sentence(name: str) -> str:
    """What is said in a browser of an exercise that is written with PyTorch."""
    return f"{name} is written with PyTorch, which no browser runs. To check it, {ELSEWHERE}."
