"""Right and wrong answers to `sinusoidal_positions`, as learners write them."""

import numpy as np

from banks.registry import right, wrong

# Right answers, each in its own style


@right("sinusoidal_positions", "FILL IN: the first style")
def first_style(x):
    return x


@right("sinusoidal_positions", "FILL IN: the second style")
def second_style(x):
    return np.array(x)


@right("sinusoidal_positions", "FILL IN: the third style")
def third_style(x):
    return x


# Wrong answers, each with the id of its mistake: as many as you can think of


@wrong("sinusoidal_positions", "fill-in-an-id")
def first_mistake(x):
    return x


@wrong("sinusoidal_positions", "sign-flipped")
def minus(x):
    return -x
