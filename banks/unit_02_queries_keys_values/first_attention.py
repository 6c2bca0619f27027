"""Right and wrong answers to `first_attention`, as learners write them."""

import numpy as np

from banks.registry import right, wrong

# Right answers, each in its own style


@right("first_attention", "FILL IN: the first style")
def first_style(x):
    return x


@right("first_attention", "FILL IN: the second style")
def second_style(x):
    return np.array(x)


@right("first_attention", "FILL IN: the third style")
def third_style(x):
    return x


# Wrong answers, each with the id of its mistake: as many as you can think of


@wrong("first_attention", "fill-in-an-id")
def first_mistake(x):
    return x


@wrong("first_attention", "sign-flipped")
def minus(x):
    return -x
