"""The one small example of the course: "I saw a saw", in numbers one can check with a pencil.

Each token is four numbers: two for the word and two for the position.  The weights are small
integers; units 02 to 06 all use them.  With two heads, the first half of a query and key compares
positions (it looks for the previous token), the second half compares words.
"""

import numpy as np

TOKENS = ("I", "saw", "a", "saw")
TAGS = ("N", "V", "DET", "N")

WORD = {"I": np.array([1.0, 0.0]), "saw": np.array([0.0, 1.0]), "a": np.array([1.0, 1.0])}
"""Two numbers for each word."""

WORDS = np.array([WORD[token] for token in TOKENS])
"""The words of the sentence, `(4, 2)`: the two "saw" are the same."""

POSITIONS = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
"""Where each token stands, `(4, 2)`: a quarter turn of a circle from one position to the next."""

X = np.hstack([WORDS, POSITIONS])
"""The sentence, `(4, 4)`: one row a token."""

W_Q = np.array([[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.0, -2.0, 0.0, 0.0], [2.0, 0.0, 0.0, 0.0]])
"""Queries, `(4, 4)`: twice the position a quarter turn back, then the word."""

W_K = np.array([[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]])
"""Keys, `(4, 4)`: the position, then the word."""

W_V = np.array([[2.0, 0.0, 0.0, 1.0], [0.0, 2.0, 1.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
"""Values, `(4, 4)`: twice the word, then word and position mixed."""

W_O = np.array([[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [1.0, 0.0, 0.0, -1.0]])
"""The last projection, `(4, 4)`, used in unit 06."""
