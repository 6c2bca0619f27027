"""Right and wrong answers to `right_divisor`, as learners write them."""

import numpy as np

from banks.registry import add_right, add_wrong

# Right answers, each in its own style


add_right("right_divisor", "the string", "sqrt(d_k)")


add_right(
    "right_divisor",
    "picked from an array of names, so a np.str_",
    np.array(["d_k", "sqrt(d_k)", "sqrt(n)", "sqrt(d_model)"])[np.argmin([0.96, 0.005, 0.9, 0.6])],
)


add_right("right_divisor", "put together from the measurements' name", "sqrt" + "(d_k)")


# Wrong answers, those with one mistake together


add_wrong("right_divisor", "scaled-by-d_k", "d_k")


add_wrong("right_divisor", "scaled-by-sqrt-n", "sqrt(n)", note="what two widely read tutorials say")


add_wrong("right_divisor", "scaled-by-sqrt-d_model", "sqrt(d_model)")


add_wrong("right_divisor", "not-one-of-the-choices", "sqrt(d)")


add_wrong("right_divisor", "not-one-of-the-choices", "sqrt(d_v)")


add_wrong("right_divisor", "not-one-of-the-choices", "n")


add_wrong("right_divisor", "not-one-of-the-choices", "")


add_wrong("right_divisor", "not-one-of-the-choices", "...")


add_wrong("right_divisor", "not-one-of-the-choices", True)


add_wrong("right_divisor", "number-instead-of-name", 8.0)


add_wrong("right_divisor", "number-instead-of-name", 0)


add_wrong("right_divisor", "number-instead-of-name", np.array([1.0, 2.0]), note="an array: == is elementwise")


add_wrong("right_divisor", "function-instead-of-name", np.sqrt)


add_wrong("right_divisor", "more-than-one-choice", ["sqrt(d_k)", "sqrt(n)"])


add_wrong("right_divisor", "more-than-one-choice", "d_k, sqrt(d_k)")


add_wrong("right_divisor", "more-than-one-choice", {"sqrt(d_k)", "sqrt(d_model)"})


add_wrong("right_divisor", "wrong-spelling", "Sqrt(d_k)", note="case")


add_wrong("right_divisor", "wrong-spelling", " sqrt(d_k)", note="spaces")


add_wrong("right_divisor", "wrong-spelling", "sqrt(dk)")


add_wrong("right_divisor", "returns-none", None, note="printed, and not set")
