"""Right and wrong answers to `faulty_map`, as learners write them."""

import numpy as np

from banks.registry import add_right, add_wrong
from helpers import example

# Right answers, each in its own style


add_right("faulty_map", "a tuple", ("C", "queries and keys swapped"))


add_right("faulty_map", "a list", ["C", "queries and keys swapped"])


add_right(
    "faulty_map",
    "the letter found by the order of its row 1, so a list of names indexed by a NumPy integer",
    (
        list(example.MAPS)[np.argmax([weights[1, 1] - weights[1, 0] for weights in example.MAPS.values()])],
        "queries and keys swapped",
    ),
)


add_right("faulty_map", "an array of strings", np.array(["C", "queries and keys swapped"]))


add_right(
    "faulty_map",
    "np.str_, picked from an array of names",
    (np.array(list("ABCD"))[2], np.array(["mask transposed", "queries and keys swapped"])[1]),
)


add_right(
    "faulty_map", "put together from two names", tuple(["C", " ".join(["queries", "and", "keys", "swapped"])])
)


# Wrong answers: another map, another mistake


for letter in "ABD":
    add_wrong("faulty_map", "wrong-map", (letter, "queries and keys swapped"))
    add_wrong("faulty_map", "wrong-map", (letter, "mask transposed"))
    add_wrong("faulty_map", "wrong-map", [letter, "softmax over queries"])
    add_wrong("faulty_map", "wrong-map", (letter, "hidden scores set to 0"))


add_wrong("faulty_map", "wrong-mistake", ("C", "softmax over queries"))


add_wrong("faulty_map", "wrong-mistake", ("C", "mask transposed"))


add_wrong("faulty_map", "wrong-mistake", ["C", "hidden scores set to 0"])


add_wrong("faulty_map", "wrong-mistake", ("C", "mask after softmax"))


add_wrong("faulty_map", "wrong-map", ("B", "mask after softmax"), note="right before the maps changed")


# Order and spelling


add_wrong("faulty_map", "swapped-order", ("queries and keys swapped", "C"))


add_wrong("faulty_map", "swapped-order", ["Softmax over queries", "b"], note="and misspelled")


add_wrong("faulty_map", "wrong-spelling", ("c", "queries and keys swapped"), note="case")


add_wrong("faulty_map", "wrong-spelling", ("Map C", "queries and keys swapped"))


add_wrong("faulty_map", "wrong-spelling", ("C ", "queries and keys swapped"), note="spaces")


add_wrong("faulty_map", "wrong-spelling", ("C", "Queries and keys swapped"), note="case")


add_wrong("faulty_map", "wrong-spelling", ("C", "queries_and_keys_swapped"), note="underscores")


add_wrong("faulty_map", "wrong-spelling", ("C", "queries and keys swapped."), note="a full stop")


add_wrong("faulty_map", "wrong-spelling", ("C", '"queries and keys swapped"'), note="quotes in quotes")


add_wrong("faulty_map", "wrong-spelling", ("D", "mask-transposed"), note="of a wrong choice")


# None of the choices, or several


add_wrong("faulty_map", "not-one-of-the-choices", ("E", "queries and keys swapped"))


add_wrong("faulty_map", "not-one-of-the-choices", ("", ""))


add_wrong("faulty_map", "not-one-of-the-choices", ("C", "after softmax"))


add_wrong("faulty_map", "not-one-of-the-choices", ("C", "the mask comes too late"))


add_wrong("faulty_map", "not-one-of-the-choices", ("C", None))


add_wrong("faulty_map", "not-one-of-the-choices", True)


add_wrong("faulty_map", "more-than-one-choice", ("A, B", "queries and keys swapped"))


add_wrong("faulty_map", "more-than-one-choice", ("C", "queries and keys swapped or mask transposed"))


add_wrong("faulty_map", "more-than-one-choice", ("C", "queries and keys swapped", "mask transposed"))


add_wrong("faulty_map", "more-than-one-choice", list("ABCD"))


# Another form


add_wrong("faulty_map", "returns-string", "C")


add_wrong("faulty_map", "returns-string", "queries and keys swapped")


add_wrong("faulty_map", "returns-string", "C, queries and keys swapped")


add_wrong("faulty_map", "returns-string", '("C", "queries and keys swapped")')


add_wrong("faulty_map", "returns-set", {"C", "queries and keys swapped"})


add_wrong("faulty_map", "returns-dict", {"C": "queries and keys swapped"})


add_wrong("faulty_map", "one-output-missing", ("C",))


add_wrong("faulty_map", "one-output-missing", [])


add_wrong("faulty_map", "placeholder-left", ("C", "..."))


add_wrong("faulty_map", "placeholder-left", (..., "queries and keys swapped"))


add_wrong("faulty_map", "number-instead-of-name", 1)


add_wrong(
    "faulty_map", "number-instead-of-name", (1, "queries and keys swapped"), note="the index of the map"
)


add_wrong("faulty_map", "number-instead-of-name", example.MAPS["C"], note="the map itself")


add_wrong("faulty_map", "number-instead-of-name", (example.MAPS["C"], "queries and keys swapped"))


add_wrong("faulty_map", "function-instead-of-name", ("C", np.exp))


# Answers of two people who had not seen the check


add_wrong(
    "faulty_map",
    "wrong-mistake",
    ("C", "hidden scores set to 0"),
    note="right letter, another mistake (the one 2 further in the list)",
)


add_wrong(
    "faulty_map",
    "wrong-map",
    ("B", "queries and keys swapped"),
    note="right mistake, another letter (the one before)",
)


add_wrong(
    "faulty_map",
    "wrong-map",
    ("D", "queries and keys swapped"),
    note="right mistake, another letter (the one after)",
)


add_wrong(
    "faulty_map",
    "wrong-map",
    ("A", "queries and keys swapped"),
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
    (3, "queries and keys swapped"),
    note="MATLAB: number of the map, 1-based",
)


add_wrong("faulty_map", "number-instead-of-name", ("C", 2), note="number of the mistake, not its words")


add_wrong(
    "faulty_map",
    "not-one-of-the-choices",
    ("C", "row i belongs to key i"),
    note="the explanation and not the mistake's name",
)


add_wrong(
    "faulty_map", "not-one-of-the-choices", ("C", "the mask is wrong"), note="own words for the mistake"
)


add_wrong("faulty_map", "not-one-of-the-choices", ("C", ""), note="empty mistake")


add_wrong("faulty_map", "one-output-missing", (("C", "queries and keys swapped"),), note="a nested tuple")


add_wrong(
    "faulty_map",
    "more-than-one-choice",
    ("C", "queries and keys swapped", "because of the sums"),
    note="three strings",
)


add_wrong(
    "faulty_map",
    "more-than-one-choice",
    ("C", "softmax over queries", "queries and keys swapped", "mask transposed", "hidden scores set to 0"),
    note="all four mistakes, to be safe",
)


add_wrong(
    "faulty_map",
    "not-one-of-the-choices",
    ("C", ["softmax over queries", "queries and keys swapped", "mask transposed", "hidden scores set to 0"]),
    note="all mistakes as a list in the second place",
)


add_wrong(
    "faulty_map",
    "not-one-of-the-choices",
    (("A", "C", "B", "D"), "queries and keys swapped"),
    note="all four letters",
)


add_wrong(
    "faulty_map",
    "not-one-of-the-choices",
    ("ABCD", "queries and keys swapped"),
    note="all letters in one string",
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


add_wrong("faulty_map", "returns-string", "B", note="only the letter")


add_wrong(
    "faulty_map",
    "not-one-of-the-choices",
    ("C", "Q and K the wrong way round"),
    note="the mistake in own words",
)


add_wrong(
    "faulty_map",
    "not-one-of-the-choices",
    ("C", "each column sums to 1, instead of each row"),
    note="the explanation copied and not the name",
)


add_wrong(
    "faulty_map",
    "number-instead-of-name",
    (list(example.MAPS.values())[2], "queries and keys swapped"),
    note="the table itself instead of its letter",
)


add_wrong(
    "faulty_map",
    "more-than-one-choice",
    ("C", "queries and keys swapped", "hidden scores set to 0"),
    note="three strings: two mistakes at once",
)


add_wrong(
    "faulty_map",
    "not-one-of-the-choices",
    ("B", "low temperature"),
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
    ("B", "softmax over queries"),
    note="takes a causal map with right row sums to be wrong, as its columns do not sum to 1",
)
