"""One exercise for each form of answer and result, for what has one path in the code at all of them."""

from helpers import reference
from helpers.beside import probes
from helpers.exercises import find
from helpers.units import UNIT_OF, VARIABLES


def form(name):
    """What decides the path of an answer through a check."""
    exercise = find(name)
    right = getattr(reference, name, None)
    kind = "value" if name in VARIABLES else "class" if isinstance(right, type) else "function"
    result = "tuple" if exercise.parts else "compared in its own way" if exercise.judge else "one result"
    asked = "a test" if exercise.enough else "tensors" if exercise.tensors else "arrays"
    return kind, result, asked, exercise.handed_a_function, name in probes.OWN


FORMS = ("dot", *reversed({form(name): name for name in reversed(UNIT_OF)}.values()))
"""One whose result is a single number, and the first exercise of each form."""
