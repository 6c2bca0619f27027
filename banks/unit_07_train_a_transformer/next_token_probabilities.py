"""Right and wrong answers to `next_token_probabilities`, as learners write them."""

import numpy as np

from banks.registry import right, wrong

# Right answers, each in its own style


@right("next_token_probabilities", "FILL IN: the first style")
def first_style(x):
    return x


@right("next_token_probabilities", "FILL IN: the second style")
def second_style(x):
    return np.array(x)


@right("next_token_probabilities", "FILL IN: the third style")
def third_style(x):
    return x


# Wrong answers, each with the id of its mistake: as many as you can think of


@wrong("next_token_probabilities", "fill-in-an-id")
def first_mistake(x):
    return x


@wrong("next_token_probabilities", "sign-flipped")
def minus(x):
    return -x
