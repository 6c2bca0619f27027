"""What `make exercise` writes: `$name` is the exercise, `$unit` its unit, FILL IN is for you to write."""

import re
from string import Template

MARK = re.compile(r"FILL[ _]IN|fill-in-an-id")

_CASES = '''\
def cases(draw: Draw) -> Iterator[Case]:
    """By hand, random in both widths, a batch, a square."""
    # FILL IN: the learner's arguments by name; the edge cases of the exercise, the smallest first
    yield Case("x = [1.0, -2.0, 3.5]", {"x": np.array([1.0, -2.0, 3.5])})
    for width in (np.float64, np.float32):
        b, n, m = draw.sizes(3)
        yield Case(f"x of shape ({n}, {m}) in {width.__name__}", {"x": draw.normal(n, m, dtype=width)})
        x = draw.normal(b, n, m, dtype=width)
        yield Case(f"a batch x of shape ({b}, {n}, {m}) in {width.__name__}", {"x": x})
    yield Case("a square x of shape (3, 3)", {"x": draw.normal(3, 3)})


EXERCISE = Exercise(
    name="$name",
    cases=cases,
    oracle=in_torch(lambda x: x),  # FILL IN: the right result, by PyTorch
    hints=(
        "FILL IN: which question leads to the first step?",
        "FILL IN: what to look at.",
        "FILL IN: nearly the answer, in words.",
    ),
'''

RECORD = Template(f'''\
"""Exercise `$name`: FILL IN what it is about."""

from collections.abc import Iterator

import numpy as np

from helpers.exercises.base import Case, Draw, Exercise
from helpers.exercises.oracle import in_torch
from helpers.exercises.unit_$unit.${{name}}_mistakes import MISTAKES


{_CASES}    mistakes=MISTAKES,
)
''')

OWN_RECORD = Template(f'''\
"""Exercise `$name`: FILL IN what it is about."""

from collections.abc import Iterator

import numpy as np

from helpers.exercises.base import Case, Draw, Exercise, Mistake
from helpers.exercises.oracle import in_torch


{_CASES}    mistakes=(
        Mistake(
            id="fill-in-an-id",
            says="FILL IN: what the learner did, and why it matters.",
            answer=lambda x: -x,  # FILL IN: the wrong program, called as a right one
            hint="FILL IN: what to look at?",
        ),
    ),
)
''')

TEST_RECORD = Template('''\
"""Exercise `$name`: the learner writes a test of `$tested`, and it meets impostors and right answers."""

from helpers import reference
from helpers.exercises.impostors import lineup

EXERCISE = lineup(
    "$name",
    of="$tested",
    visible=(  # FILL IN ten: the id of a known mistake, or "id: start of its sentence", and a riddle
        ("$mistake", "is right FILL IN where."),
    ),
    right={  # FILL IN: at least three, which compute in other ways, and what is odd about each
        "it is the course's own": reference.$tested,
        "it FILL IN": reference.$tested,
    },
    little=(),  # FILL IN: small calls as text, the smallest first, such as "$tested(...)"
    hints=(
        "FILL IN: where do two things that look alike come apart?",
        "FILL IN: a nudge.",
        "FILL IN: nearly the answer.",
    ),
)
''')
"""The record of an exercise whose answer is a test of another exercise's function."""

MISTAKES = Template('''\
"""What people get wrong in `$name`: the same function with one step replaced."""

from collections.abc import Callable

import numpy as np

from helpers.exercises.wrong.generic import CHANGES
from helpers.exercises.wrong.rows import in_step, mistakes, only, paired, rows


def variant(
    *,
    step: Callable[[np.ndarray], np.ndarray] = lambda x: x,  # FILL IN: the steps of the right answer
    after: Callable[[np.ndarray], np.ndarray] = lambda y: y,
) -> Callable[[np.ndarray], np.ndarray]:
    """The right answer, with one or more of its steps replaced by a wrong one."""
    return lambda x: after(step(x))


MISTAKES = mistakes(
    variant,
    *rows(
        # FILL IN: the word before the colon is the mistake's id; see helpers/exercises/wrong/rows.py
        "fill-in-an-id: FILL IN what the learner did, and why it matters.",
        "FILL IN: what to look at?",
        paired(step=lambda x: x),
    ),
    # FILL IN: which of the changes in helpers/exercises/wrong/generic.py people make here
    *in_step("after", only(CHANGES, "sign-flipped", "returns-none")),
    it="the result",
)
''')

REFERENCE_HEAD = Template('''\
"""Reference answers of unit $number: FILL IN what it is about."""

import numpy as np
''')

REFERENCE = Template('''

def $name(x: np.ndarray) -> np.ndarray:
    """FILL IN what it returns, and the shapes.  As `torch.FILL_IN`."""
    raise NotImplementedError  # FILL IN: one right answer
''')

RECORDS_INIT = Template('"""Unit $number: FILL IN what it is about.  One file per exercise."""\n')
BANK_INIT = Template('"""Answers to the exercises of unit $number."""\n')

BANK = Template('''\
"""Right and wrong answers to `$name`, as learners write them."""

import numpy as np

from banks.registry import right, wrong

# Right answers, each in its own style


@right("$name", "FILL IN: the first style")
def first_style(x):
    return x


@right("$name", "FILL IN: the second style")
def second_style(x):
    return np.array(x)


@right("$name", "FILL IN: the third style")
def third_style(x):
    return x


# Wrong answers, each with the id of its mistake: as many as you can think of


@wrong("$name", "fill-in-an-id")
def first_mistake(x):
    return x


@wrong("$name", "sign-flipped")
def minus(x):
    return -x
''')

TASK = Template("""\
### Exercise $chapter.$place: FILL IN (1 point, 5 minutes)

Write `$name(x)`. FILL IN: what it takes and returns, with shapes, in at most 90 words.""")

ANSWER = Template('''\
def $name(x):
    """FILL IN what it returns.  x: any shape."""
    ### BEGIN SOLUTION
    return x  # FILL IN: one right answer
    ### END SOLUTION''')

FREE = Template('try_it("$name", np.array([[1.0, -2.0], [0.5, 4.0]]))  # FILL IN: what is worth a look')

TEST = Template('''\
"""Checks $name FILL IN: on what."""
check("$name")
### BEGIN HIDDEN TESTS
check("$name", seed=$seed, sizes="hidden")
### END HIDDEN TESTS''')

TITLE = Template('"$unit": "FILL IN",')
CAN_DO = Template('"$name": "Your $name FILL IN what it can do now.",')
"""What the panel of a passed check says."""

TABLES = {
    "helpers/predictions.py": (
        "WHY",
        Template('"first-guess-of-$unit": "FILL IN: why it comes out as it does.",'),
    ),
    "tools/web/landing.py": ("QUESTIONS", Template('"$unit": "FILL IN: which question does it answer?",')),
    "tools/web/pictures.py": ("DRAWN", Template('"$unit": _mask,  # FILL IN: a picture of its own')),
}
"""What a new unit adds beside `UNITS` and its title: for each file the table, and the entry."""

BEFORE = (
    """\
# Unit $number: FILL IN

FILL IN: the question of this unit, in two or three sentences.

> **scores** · **scale** · **mask** · **softmax** · **mix**

**Time:** 10 minutes. FILL IN: your estimate.

**After this unit you can**
- FILL IN.

**You need:** the units before. FILL IN: which.""",
    "$set_up",
    """\
## FILL IN: by hand

FILL IN: the idea with numbers that one can follow with a pencil.""",
    """\
x = np.array([[1.0, 2.0], [0.5, -3.0]])  # FILL IN: your numbers
plots.matrices({"x": x}, title="FILL IN").captioned("FILL IN: one or two sentences on what to see.")""",
    """\
### Predict: FILL IN

FILL IN: what comes out of the cell below?""",
    "guess = ...  # a number; FILL IN: of which kind\nsure = ...  # 1, a guess, to 3, certain",
    'reveal(guess, x.sum(), "first-guess-of-$unit", sure)  # FILL IN: what to compute',
    """\
## A tempting mistake: FILL IN

FILL IN: what people try first, and where it still works.""",
    "print(x * x)  # FILL IN: the mistake, shown",
)
"""The cells of a new unit above its first exercise: prose where a text begins with `#`, code elsewhere."""

AFTER = (
    """\
## In PyTorch

FILL IN: the same in PyTorch, side by side.""",
    """\
theirs = torch.from_numpy(x).sum(dim=-1)  # FILL IN: PyTorch's function
print("equal:", np.allclose(x.sum(axis=-1), theirs))  # FILL IN: the same by hand, without the answers
plots.matrices({"theirs": theirs[None].numpy()}, title="FILL IN").captioned("FILL IN: what to see here.")""",
    """\
## What you have now

FILL IN: what can be done now that could not be done before.

**Back:** $back.

**Read next**
- FILL IN (2017), *FILL IN*. Why to read it.""",
)
"""The cells of a new unit below it."""
