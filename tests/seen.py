"""What tests of views share: the numbers of "I saw a saw", and how the loom's page is read."""

import numpy as np

from helpers import example, reference

TOKENS = list(example.TOKENS)
Q, K, V = reference.queries_keys_values(example.X, example.W_Q, example.W_K, example.W_V)
CAUSAL = reference.causal_mask(4)


def written(matrix):
    """Numbers as Python rounds them, with the signs of the page."""
    text = [
        [f"{x:.2f}".replace("-0.00", "0.00") if x != round(x) else str(int(x)) for x in row] for row in matrix
    ]
    return [["−∞" if x == "-inf" else x.replace("-", "−") for x in row] for row in text]


def said(page, place):
    return page.locator(f"#{place}").inner_text()


def cell(page, stage, i, j):
    return page.locator(f"table[aria-label={stage}] tbody tr").nth(i).locator("td").nth(j)


def stage(page, name):
    """The numbers of a stage as they are read, without the sums."""
    rows = page.locator(f"table[aria-label={name}] tbody tr").all()
    return [[one.inner_text() for one in row.locator("td:not(.sum)").all()] for row in rows]


def marked(page, name, sign):
    """Which cells of a stage have a look, such as `ne` for ≠."""
    rows = page.locator(f"table[aria-label={name}] tbody tr").all()
    looks = [
        [one.get_attribute("class").split() for one in row.locator("td:not(.sum)").all()] for row in rows
    ]
    return np.array([[sign in look for look in row] for row in looks])
