"""Right and wrong answers to `training_step`, as learners write them."""

import numpy as np

from banks.registry import right, wrong

# Right answers, each in its own style


@right("training_step", "FILL IN: the first style")
def first_style(x):
    return x


@right("training_step", "FILL IN: the second style")
def second_style(x):
    return np.array(x)


@right("training_step", "FILL IN: the third style")
def third_style(x):
    return x


# Wrong answers, each with the id of its mistake: as many as you can think of


@wrong("training_step", "fill-in-an-id")
def first_mistake(x):
    return x


@wrong("training_step", "sign-flipped")
def minus(x):
    return -x
