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


def cells(page, table, read="innerText"):
    """What stands in the cells of a table's rows, without the sums; asked for at once."""
    script = (
        "(rows, read) => rows.map((row) => [...row.querySelectorAll('td:not(.sum)')].map((one) => one[read]))"
    )
    return page.locator(f"{table} tbody tr").evaluate_all(script, read)


def stage(page, name):
    """The numbers of a stage as they are read."""
    return cells(page, f"table[aria-label={name}]")


def marked(page, name, sign):
    """Which cells of a stage have a look, such as `ne` for ≠."""
    looks = cells(page, f"table[aria-label={name}]", "className")
    return np.array([[sign in look.split() for look in row] for row in looks])
