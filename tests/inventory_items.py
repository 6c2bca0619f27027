"""Made-up questions of the concept inventory, and a notebook that answers them."""

import nbformat

from helpers.concept_inventory.items import COUNT
from tests import classroom

ITEM = """
[[item]]
id = "made-up-{number}"
idea = "<b>idea</b>"
asks = "Which?"
choices = ["right", "one", "two", "three"]
mistakes = ["first-mistake", "second-mistake", "third-mistake"]
why = "As it is so."
place = "04_masking"
"""


def write(path):
    """As many questions as the inventory has, in a file; the path of it."""
    path.write_text("".join(ITEM.format(number=number) for number in range(COUNT)), "utf-8")
    return path


def hand_in(course, student, unit, *cells):
    """Hand in a notebook of these cells and no other."""
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(one) for one in cells])
    return classroom.hand_in(course, unit, student, notebook=book)
