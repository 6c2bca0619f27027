"""Right and wrong answers to `faulty_map`, as learners write them."""

import numpy as np

from banks.registry import add_right, add_wrong
from helpers import example

# Right answers, each in its own style


add_right("faulty_map", "a tuple", ("B", "mask after softmax"))


add_right("faulty_map", "a list", ["B", "mask after softmax"])


add_right(
    "faulty_map",
    "the letter found by its row sums, so a list of names indexed by a NumPy integer",
    (
        list(example.MAPS)[
            np.argmax([np.abs(weights.sum(axis=1) - 1).max() for weights in example.MAPS.values()])
        ],
        "mask after softmax",
    ),
)


add_right("faulty_map", "an array of strings", np.array(["B", "mask after softmax"]))


add_right(
    "faulty_map",
    "np.str_, picked from an array of names",
    (np.array(list("ABCD"))[1], np.array(["mask transposed", "mask after softmax"])[1]),
)


add_right("faulty_map", "put together from two names", tuple(["B", " ".join(["mask", "after", "softmax"])]))


# Wrong answers: another map, another mistake


for letter in "ACD":
    add_wrong("faulty_map", "wrong-map", (letter, "mask after softmax"))
    add_wrong("faulty_map", "wrong-map", (letter, "mask transposed"))
    add_wrong("faulty_map", "wrong-map", [letter, "softmax over queries"])
    add_wrong("faulty_map", "wrong-map", (letter, "hidden scores set to 0"))


add_wrong("faulty_map", "wrong-mistake", ("B", "softmax over queries"))


add_wrong("faulty_map", "wrong-mistake", ("B", "mask transposed"))


add_wrong("faulty_map", "wrong-mistake", ["B", "hidden scores set to 0"])


# Order and spelling


add_wrong("faulty_map", "swapped-order", ("mask after softmax", "B"))


add_wrong("faulty_map", "swapped-order", ["Softmax over queries", "c"], note="and misspelled")


add_wrong("faulty_map", "wrong-spelling", ("b", "mask after softmax"), note="case")


add_wrong("faulty_map", "wrong-spelling", ("Map B", "mask after softmax"))


add_wrong("faulty_map", "wrong-spelling", ("B ", "mask after softmax"), note="spaces")


add_wrong("faulty_map", "wrong-spelling", ("B", "Mask after softmax"), note="case")


add_wrong("faulty_map", "wrong-spelling", ("B", "mask_after_softmax"), note="underscores")


add_wrong("faulty_map", "wrong-spelling", ("B", "mask after softmax."), note="a full stop")


add_wrong("faulty_map", "wrong-spelling", ("B", '"mask after softmax"'), note="quotes in quotes")


add_wrong("faulty_map", "wrong-spelling", ("D", "mask-transposed"), note="of a wrong choice")


# None of the choices, or several


add_wrong("faulty_map", "not-one-of-the-choices", ("E", "mask after softmax"))


add_wrong("faulty_map", "not-one-of-the-choices", ("", ""))


add_wrong("faulty_map", "not-one-of-the-choices", ("B", "after softmax"))


add_wrong("faulty_map", "not-one-of-the-choices", ("B", "the mask comes too late"))


add_wrong("faulty_map", "not-one-of-the-choices", ("B", None))


add_wrong("faulty_map", "not-one-of-the-choices", True)


add_wrong("faulty_map", "more-than-one-choice", ("A, B", "mask after softmax"))


add_wrong("faulty_map", "more-than-one-choice", ("B", "mask after softmax or mask transposed"))


add_wrong("faulty_map", "more-than-one-choice", ("B", "mask after softmax", "mask transposed"))


add_wrong("faulty_map", "more-than-one-choice", list("ABCD"))


# Another form


add_wrong("faulty_map", "returns-string", "B")


add_wrong("faulty_map", "returns-string", "mask after softmax")


add_wrong("faulty_map", "returns-string", "B, mask after softmax")


add_wrong("faulty_map", "returns-string", '("B", "mask after softmax")')


add_wrong("faulty_map", "returns-set", {"B", "mask after softmax"})


add_wrong("faulty_map", "returns-dict", {"B": "mask after softmax"})


add_wrong("faulty_map", "one-output-missing", ("B",))


add_wrong("faulty_map", "one-output-missing", [])


add_wrong("faulty_map", "placeholder-left", ("B", "..."))


add_wrong("faulty_map", "placeholder-left", (..., "mask after softmax"))


add_wrong("faulty_map", "number-instead-of-name", 1)


add_wrong("faulty_map", "number-instead-of-name", (1, "mask after softmax"), note="the index of the map")


add_wrong("faulty_map", "number-instead-of-name", example.MAPS["B"], note="the map itself")


add_wrong("faulty_map", "number-instead-of-name", (example.MAPS["B"], "mask after softmax"))


add_wrong("faulty_map", "function-instead-of-name", ("B", np.exp))


# Answers of two people who had not seen the check


add_wrong(
    "faulty_map",
    "wrong-mistake",
    ("B", "hidden scores set to 0"),
    note="right letter, another mistake (the one 2 further in the list)",
)


add_wrong(
    "faulty_map",
    "wrong-map",
    ("C", "mask after softmax"),
    note="right mistake, another letter (the one 1 further)",
)


add_wrong(
    "faulty_map",
    "wrong-map",
    ("D", "mask after softmax"),
    note="right mistake, another letter (the one 2 further)",
)


add_wrong(
    "faulty_map",
    "wrong-map",
    ("A", "mask after softmax"),
    note="right mistake, another letter (the one 3 further)",
)


add_wrong(
    "faulty_map",
    "wrong-map",
    ("A", "softmax over queries"),
    note="another letter and another mistake: both wrong",
)


add_wrong(
    "faulty_map",
    "number-instead-of-name",
    (2, "mask after softmax"),
    note="MATLAB: number of the map, 1-based",
)


add_wrong("faulty_map", "number-instead-of-name", ("B", 2), note="number of the mistake, not its words")


add_wrong(
    "faulty_map",
    "not-one-of-the-choices",
    ("B", "the softmax saw the hidden scores, and zeros were put in afterwards"),
    note="the explanation and not the mistake's name",
)


add_wrong(
    "faulty_map", "not-one-of-the-choices", ("B", "the mask is wrong"), note="own words for the mistake"
)


add_wrong("faulty_map", "not-one-of-the-choices", ("B", ""), note="empty mistake")


add_wrong("faulty_map", "one-output-missing", (("B", "mask after softmax"),), note="a nested tuple")


add_wrong(
    "faulty_map",
    "more-than-one-choice",
    ("B", "mask after softmax", "because of the sums"),
    note="three strings",
)


add_wrong(
    "faulty_map",
    "more-than-one-choice",
    ("B", "softmax over queries", "mask after softmax", "mask transposed", "hidden scores set to 0"),
    note="all four mistakes, to be safe",
)


add_wrong(
    "faulty_map",
    "not-one-of-the-choices",
    ("B", ["softmax over queries", "mask after softmax", "mask transposed", "hidden scores set to 0"]),
    note="all mistakes as a list in the second place",
)


add_wrong(
    "faulty_map",
    "not-one-of-the-choices",
    (("A", "B", "C", "D"), "mask after softmax"),
    note="all four letters",
)


add_wrong(
    "faulty_map", "not-one-of-the-choices", ("ABCD", "mask after softmax"), note="all letters in one string"
)


add_wrong("faulty_map", "returns-none", None, note="unfinished: None")


add_wrong(
    "faulty_map", "not-one-of-the-choices", ("A", "no mask"), note="the name of a right map as a mistake"
)


add_wrong(
    "faulty_map",
    "not-one-of-the-choices",
    (max(example.MAPS, key=lambda l: (np.asarray(example.MAPS[l])[0] > 1e-06).sum()), "no causal mask"),
    note="takes the map with the fullest first row, and a mistake of its own invention",
)


add_wrong("faulty_map", "returns-string", "C", note="only the letter")


add_wrong(
    "faulty_map", "not-one-of-the-choices", ("B", "the mask came too late"), note="the mistake in own words"
)


add_wrong(
    "faulty_map",
    "not-one-of-the-choices",
    ("B", "each column sums to 1, instead of each row"),
    note="the explanation copied and not the name",
)


add_wrong(
    "faulty_map",
    "number-instead-of-name",
    (list(example.MAPS.values())[1], "mask after softmax"),
    note="the table itself instead of its letter",
)


add_wrong(
    "faulty_map",
    "more-than-one-choice",
    ("B", "mask after softmax", "hidden scores set to 0"),
    note="three strings: two mistakes at once",
)


add_wrong(
    "faulty_map",
    "not-one-of-the-choices",
    ("C", "low temperature"),
    note="names a right thing as the mistake: the low temperature",
)


add_wrong(
    "faulty_map",
    "not-one-of-the-choices",
    ("E", "mask transposed"),
    note="letter of a map that does not exist",
)


add_wrong(
    "faulty_map",
    "wrong-map",
    ("C", "softmax over queries"),
    note="takes a causal map with right row sums to be wrong, as its columns do not sum to 1",
)
