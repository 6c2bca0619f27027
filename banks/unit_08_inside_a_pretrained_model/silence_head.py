"""Right and wrong answers to `silence_head`, as learners write them."""

import numpy as np

from banks.registry import right, wrong

# Right answers, each in its own style


@right("silence_head", "FILL IN: the first style")
def first_style(x):
    return x


@right("silence_head", "FILL IN: the second style")
def second_style(x):
    return np.array(x)


@right("silence_head", "FILL IN: the third style")
def third_style(x):
    return x


# Wrong answers, each with the id of its mistake: as many as you can think of


@wrong("silence_head", "fill-in-an-id")
def first_mistake(x):
    return x


@wrong("silence_head", "sign-flipped")
def minus(x):
    return -x
