"""Why each prediction comes out as it does; kept here, so that no cell gives it away under the guess."""

WHY = {
    "shape-of-column-sums": "Down the columns: the four rows become one, the two columns stay.",
    "times-its-transpose": "(2, 3) @ (3, 2): the inner 3 is summed over, the outer sizes stay.",
    "after-the-call": "The function and you share one array. 2 * x makes a new one instead.",
    "three-times-as-long": "The dot product grows with the length of each vector.",
    "reshape-or-transpose": (
        "reshape reads the numbers row by row and cuts them anew; a transpose turns rows into columns."
    ),
    "one-weight-for-both": (
        "Query i dot key j is then the same as query j dot key i. Two weights are what lets a token ask for "
        "something else than it offers."
    ),
    "double-values": "Scores come from queries and keys alone; values do not enter.",
    "spread-of-a-score": "Variances add up: 100 of them. The std is the root of the variance.",
    "more-tokens": (
        "More tokens are more scores, with the same spread. Dividing by √n would shrink them for nothing."
    ),
    "shape-of-padding": "Axes of length 1 stretch: over the heads and over the queries.",
    "token-of-the-future": "Token 2 comes after token 1, so the mask leaves it no weight at all.",
    "largest-weight": "Only the differences count: both rows have the differences 1 and 1.",
    "high-temperature": "All differences are gone, so all weights are equal.",
    "word-and-position": (
        "After I and after a, saw at one position is the same vector, so it gets the same tag both times: "
        "half of the eight saw are wrong."
    ),
    "outside-the-slice": (
        "The projection comes first and reads the whole token; heads cut what comes out of it."
    ),
    "tagger-without-attention": (
        "Its numbers for a word are the same whatever stands beside it, so it has one answer: at best the "
        "commoner."
    ),
    "behind-the-earlier-one": "B stood at 5 - 4 = 1 before. What came after it stands at 2, and is a C.",
    "width-of-a-head": "768 / 12. One head or twelve, the four matrices have 4 x 768 x 768 weights.",
    "bias-of-the-keys": (
        "Query i meets the same bias in every key, so all scores of its row move by one number, and the "
        "softmax does not see that."
    ),
    "it-is-delicious": "It looks from it to dog either way. A weight that fits one sentence proves little.",
    "smaller-cache": "12 query heads share 3 key heads, and only keys and values are kept: 12 / 3.",
    "shifted-positions": (
        "Query and key turn by the same extra angle. The angle between them stays, and so does their dot "
        "product."
    ),
}
