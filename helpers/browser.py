"""Whether this kernel runs in a browser, and the other places to work."""

import sys

HERE = sys.platform == "emscripten"
"""Whether this kernel runs in a browser."""

ELSEWHERE = "open this unit in Colab or on Binder, or install the course on your computer"
"""The three other ways to work, for the middle of a sentence."""
