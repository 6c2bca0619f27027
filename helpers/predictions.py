"""Why each prediction comes out as it does, and which of two rival explanations holds; here, since no cell may say."""

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
    "spread-of-a-score": "Large and small products partly cancel, so a sum of 100 spreads only by the root of 100. Below you see why.",
    "more-tokens": (
        "More tokens are more scores, with the same spread. Dividing by √n would shrink them for nothing."
    ),
    "shape-of-padding": "Axes of length 1 stretch: over the heads and over the queries.",
    "padding-that-is-heard": "Its rows of padding are silent, but its real rows look at all five keys. The causal masks need no word about padding that stands at the end: it is future to every real token. What padded queries look at, nobody reads.",
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
    "a-batch-in-front": "4 by 3 times 3 by 2 gives 4 by 2, and the axis of 10 in front is repeated over.",
    "all-keys-doubled": "All dot products are doubled alike, so the largest stays the largest.",
    "one-key-doubled": "Its dot product is doubled, up or down, while the others stay: length counts, not only direction.",
    "query-of-zeros": "All its scores are 0. Equal scores get equal shares, and there are four.",
    "another-last-word": "Its share for the last token and the value it takes from there are both new. Nothing keeps a token from hearing from what comes after it.",
    "four-times-as-wide": "Four times as many variances are added up, and the std is the root of the variance.",
    "divided-by-the-width": "The scores have std 16, the root of 256. Divided by 256 they have 1/16, and the wider the vectors, the flatter the weights.",
    "allowed-pairs": "1 + 2 + ... + 100: half of the table and half of its diagonal besides.",
    "first-token-alone": "Whatever the score: what is left of the row shares the 1, and here a single key is left.",
    "one-key-hidden": "The hidden score never enters the sum, so the other two share the whole 1.",
    "heads-in-another-order": "Each head now meets the rows of W_o that were made for the other.",
    "four-ways-to-cut": "Row 0 of its head 0 holds column 0 of tokens 0 and 1, so row i is not what token i asks, whatever the weights are. The others only deal out the columns differently, and the columns of trained matrices can stand in any order.",
    "loss-of-guessing": "Each has probability 1/16, and minus the logarithm of that is 2.77.",
    "slope-at-the-second-look": "backward adds to .grad: the old 4 and the new 3.2. A step along the sum would go too far.",
    "without-the-head-before": "The heads in layer 1 look for a token that has heard from the right one, and the head that told it is silent.",
    "nothing-to-find": "By far the most. While all tokens differ, the only thing ever asked is which token comes after the end of the passage: its first one, so the heads fetch that.",
    "share-of-the-first-token": "Half of everything, six times its even share.",
    "four-ways-to-silence": "A query of zeros gives equal scores, and equal scores share out the whole 1: the head then passes on the plain mean of its values. Where the values, or its rows of W_o, are 0, nothing is passed on.",
    "mean-in-place-of-zero": "Hardly at all. What 0 took away was nearly all constant: what the head adds to every sentence alike.",
    "layers-of-windows": "Three more with each layer: what it looks at has already heard from three further back.",
    "cache-of-a-real-model": "131,072 bytes a token, and as many tokens: 17.2 GB, more than the model itself, whose 8 billion numbers of 2 bytes are 16 GB.",
}

RIVALS: dict[str, tuple[str, str]] = {
    "inner-sizes": (
        "B",
        "Stretching is what * and + do. @ pairs each number of a row with one of a column, so both need equally many.",
    ),
    "dot-product-of-zero": (
        "B",
        "A dot product is length times length times the cosine. It is 0 where the cosine is, at a right angle, or where a length is; short vectors make it small, and not 0.",
    ),
    "key-and-value": (
        "A",
        "You doubled the values, and no score changed. Values never enter a score, so they have nothing to do with its size.",
    ),
    "root-of-n": (
        "A",
        "A score adds up d_k products, however long the sentence is. More tokens are more scores, and not larger ones.",
    ),
    "forgotten-padded-keys": (
        "B",
        "A mask by rows silences queries that nobody reads. What spoils an output is a padded key that a real query may look at.",
    ),
    "add-or-multiply": (
        "A",
        "The softmax sees differences alone. Adding 100 leaves them as they are; multiplying by 100 makes them 100 times as large. (Scores that are equal stay equal.)",
    ),
    "eight-heads-or-one": (
        "B",
        "Heads deal out the columns of matrices of one size, so they are no more numbers. What they add is several sets of weights, each from a narrower look.",
    ),
    "who-moves-the-query-matrix": (
        "B",
        "backward computes slopes of the loss, and the optimizer follows them down. You watched an entry move, and nothing told it where to stop but the slope itself.",
    ),
    "weight-and-use": (
        "B",
        "Weights say what a head mixes. Whether anything depends on the mixture, only its absence shows, and even then it matters what takes its place.",
    ),
    "cache-and-prompt": (
        "A",
        "In one pass under a causal mask nothing is computed twice. (Where many prompts begin alike, their common beginning can be kept from one to the next.)",
    ),
}
"""Of two explanations, A and B, the letter of the one that holds, and why."""
