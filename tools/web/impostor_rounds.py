"""The rounds of "Who is the impostor?": inputs, labels, and the wrong program behind the label with a *."""

from typing import NamedTuple


class Round(NamedTuple):
    """One round.

    Attributes:
        exercise: whose record has the wrong program.
        mistake: the id of its row there, and how the row's sentence begins.
        tables: the inputs that are shown, rows between bars.
        labels: what the four maps say of themselves, in words of `impostor_maps.WORDS` between commas.
        at: the query and the key, or the column of an output, that give the impostor away.
        did: what the wrong program did.
        shows: how one can see it; numbers with two digits stand in the maps, or are sums of a row.
        line: the exercise where one writes the line that is wrong, if it is another.
    """

    exercise: str
    mistake: str
    tables: dict[str, str]
    labels: tuple[str, str, str, str]
    at: tuple[int, int]
    did: str
    shows: str
    line: str = ""


PLAIN, SHOWN, QUERIES, KEYS = (
    "plain softmax",
    "Q and K as shown",
    "queries in reverse order",
    "keys in reverse order",
)
HUNDRED, LATE = "100 added to every score", "masked after the softmax and then each row divided by its sum"
MIX, BOTH = "weights and V as shown", "keys in reverse order in both tables"

ROUNDS = (
    Round(
        "softmax", "softmax-over-queries: You always use the first axis",
        {"scores": "2 0 1|0 0 3|1 2 0"},
        ("temperature 4", f"*{PLAIN}", "temperature 0.5", QUERIES), (0, 2),
        "It took the softmax down the columns.",
        "Each column sums to 1, and the weights of q0 sum to 0.89.",
    ),
    Round(
        "softmax", "wrong-base: You took powers of 2;",
        {"scores": "0 1 2|2 0 1|1 3 0"},
        ("temperature 2", QUERIES, PLAIN, f"*{HUNDRED}"), (0, 2),
        "It took powers of 2, not of e.",
        "Of q0, k2 has twice the weight of k1 for a score that is 1 larger; that should be e, or 2.7 times.",
    ),
    Round(
        "masked_softmax", "zero-as-sentinel: You hid every score that is 0",
        {"scores": "2 0 1|1 -1 1|0 1 3", "allowed": "1 0 1|1 1 0|0 1 1"},
        ("*no mask", f"mask as shown, {QUERIES}", "mask as shown", "causal mask"), (0, 1),
        "It hid every score that is 0.",
        "Nothing is hidden here, and 0 is a score like any other: e⁰ is 1.",
    ),
    Round(
        "softmax", "lost-sign: You dropped the signs before the exponential",
        {"scores": "-3 0 1|2 -2 0|-1 1 3"},
        (PLAIN, "signs of all scores turned", "*temperature 2", QUERIES), (0, 0),
        "It dropped the signs of the scores.",
        "The score of k0, −3, is the smallest of q0, and gets the largest weight.",
    ),
    Round(
        "mix_values", "mean-instead-of-sum: You divided by the number of keys",
        {"weights": "0.5 0.5 0|0.2 0.2 0.6|0 0.9 0.1", "V": "4 0|2 6|3 3"},
        (MIX, "*V doubled", "1 added to every value", BOTH), (0, 0),
        "It divided by the number of keys, once more.",
        "Doubled, the values of k0 and k1 are 8 and 4: a mix of them lies between.",
    ),
    Round(
        "attention", "no-scaling: You did not divide the scores",
        {"Q": "1 0 1 0|0 1 0 1|1 1 0 0", "K": "2 0 2 0|0 1 0 1|1 0 0 1"},
        ("Q doubled", "*columns of Q and K in reverse order", "temperature 2", SHOWN), (0, 0),
        "It did not divide the scores by √4 = 2, the root of a query's width.",
        "The dot products of q0 with k0 and k1 are 4 and 0. Divided they are 2 apart, so k0 gets e² = 7.4 times as "
        "much as k1; e⁴ would be 55 times.",
        "scaled_scores",
    ),
    Round(
        "masked_softmax", "mask-after-softmax: You hid the keys after the softmax",
        {"scores": "1 0 2|0 1 0|2 2 1", "allowed": "1 1 0|0 1 1|1 0 1"},
        ("no mask", LATE, "causal mask", "*mask as shown"), (0, 0),
        "It hid keys after the softmax, and left the rest of the row as it was.",
        "The weights of q0 sum to 0.33; what hidden keys lose belongs to the others.",
    ),
    Round(
        "softmax", "no-exponential: You made the numbers positive by taking the smallest away",
        {"scores": "1 3 2|0 1 4|-1 0 1"},
        ("temperature 0.5", PLAIN, f"*{QUERIES}", "signs of all scores turned"), (1, 1),
        "It took the smallest score of each row away, and divided by the sum: there is no exponential.",
        "One key of each row has exactly 0, and a power of e is never 0.",
    ),
    Round(
        "masked_softmax", "weights-ignored: Every allowed key gets the same weight",
        {"scores": "1 0 2|0 2 1|2 0 1"},
        ("causal mask, temperature 50", "no mask", f"causal mask, {QUERIES}", "*causal mask"), (1, 0),
        "It gave all allowed keys of a row the same weight.",
        "At temperature 50 that is nearly right. Here the score of k1 is 2 above that of k0: 7.4 times the weight.",
    ),
    Round(
        "multi_head_attention", "off-by-one: Each head compares its queries",
        {"Q": "1 0 2 1|0 1 1 2|2 1 0 1|1 2 1 0", "K": "1 2 0 1|2 0 1 1|0 1 1 2|1 0 2 0"},
        ("*head 2 of 4", "head 0 of 4", "head 1 of 4, temperature 2", "head 3 of 4"), (0, 0),
        "It compared the queries of a head with the keys of the head beside it.",
        "In column 2, k0 is 0 and k3 is 2, and q0 is 2: the scores are 0 and 4, so k0 gets least and k3 most.",
        "split_heads",
    ),
    Round(
        "softmax", "extra-layernorm: You brought the numbers to mean 0",
        {"scores": "0 1 2|0 2 4|0 3 1"},
        ("temperature 0.5", PLAIN, QUERIES, "*temperature 2"), (0, 2),
        "It brought each row to mean 0 and spread 1 first.",
        "q0 and q1 get the same weights, though the scores of q1 are twice as far apart.",
    ),
    Round(
        "masked_softmax", "transposed-mask: Your mask is turned round",
        {"scores": "1 0 2|0 1 0|2 2 1", "allowed": "1 0 1|1 1 0|1 1 1"},
        ("mask as shown", f"*mask as shown, {QUERIES}", "causal mask", "no mask"), (2, 1),
        "It used the mask turned round: its columns as rows.",
        "The mask has ✓ for q2 and k1. The other way round, at q1 and k2, it has ×.",
    ),
    Round(
        "softmax", "scaled-by-sqrt-n: You divided the numbers by the root of how many there are",
        {"scores": "2 0 1 1|0 3 1 2|1 1 -1 0"},
        ("temperature 2", PLAIN, f"*{HUNDRED}", KEYS), (1, 1),
        "It divided the scores by √4 = 2, the root of how many there are in a row.",
        "These are the weights of temperature 2. The scores of k1 and k0 are 3 apart: e³ = 20 times the weight.",
    ),
    Round(
        "attention", "cosine-instead-of-dot: You divided queries and keys by their lengths",
        {"Q": "1 1|2 0|0 1", "K": "1 0|3 0|0 2"},
        (f"*{KEYS}", SHOWN, "Q doubled", QUERIES), (1, 1),
        "It divided queries and keys by their lengths: its scores are cosines.",
        "k0 and k1 point the same way, and k1 is three times as long. Its dot product with q1 is 6, that of k0 is 2.",
        "attention_scores",
    ),
    Round(
        "mix_values", "weights-transposed: You used the weights transposed: row",
        {"weights": "0.8 0.2 0|0.2 0.2 0.6|0.5 0.5 0", "V": "10 0|0 10|5 5"},
        (BOTH, MIX, "1 added to every value", f"*{QUERIES}"), (0, 0),
        "It took the weights of a query from a column.",
        "No value in column 0 is above 10, so no mix of them is.",
    ),
    Round(
        "softmax", "hard-lookup: You gave all the weight to the largest number",
        {"scores": "1 3 2|2 1 0|0 2 3"},
        ("temperature 0.1", f"temperature 0.1, {KEYS}", f"*{PLAIN}", "temperature 50"), (1, 1),
        "It gave all the weight to the largest score.",
        "At temperature 0.1 that is nearly right. Here k1 is 1 below k0, which is worth 2.7 times the weight, no more.",
    ),
    Round(
        "masked_softmax", "mask-multiplied: Hidden keys got a score of 0",
        {"scores": "-1 2 -2|1 -2 0|2 -1 3", "allowed": "1 1 0|1 0 1|0 1 1"},
        ("*mask as shown", "no mask", f"mask as shown, {QUERIES}", "causal mask"), (1, 1),
        "It gave hidden keys the score 0, where minus infinity belongs.",
        "e⁰ is 1: k1, which is hidden, gets as much as k2, whose score is 0.",
        "apply_mask",
    ),
    Round(
        "softmax", "softmax-again: You applied the softmax twice",
        {"scores": "3 0 1|0 2 2|1 4 0"},
        ("temperature 5", f"*{QUERIES}", HUNDRED, PLAIN), (0, 0),
        "It took the softmax of the weights once more.",
        "Weights are less than 1 apart, so k0 gets at most e times as much as k1. Its score is 3 larger: e³ = 20 times.",
    ),
    Round(
        "multi_head_attention", "weights-averaged-over-heads: You averaged the weights over the heads",
        {"Q": "2 0 2 0|0 2 0 2|2 0 0 2|0 2 2 0", "K": "2 0 0 2|0 2 2 0|2 0 2 0|0 2 0 2"},
        ("head 0 of 2", "head 1 of 2", "head 0 of 2, temperature 4", f"*head 1 of 2, {QUERIES}"), (0, 0),
        "It averaged the weights over both heads.",
        "In columns 2 and 3 the dot product of q0 and k0 is 0, the smallest of q0. 0.25 is halfway between 0.03 and "
        "the 0.47 of head 0.",
    ),
    Round(
        "softmax", "truncates-to-int: You cut the numbers off to integers",
        {"scores": "1.9 1.1 0.5|0.2 2.8 2.1|-0.9 0.9 0.4"},
        (HUNDRED, "temperature 3", PLAIN, f"*{KEYS}"), (0, 1),
        "It cut the scores off to whole numbers.",
        "k0 gets just as much, though its score is 1.9 and that of k1 is 1.1.",
    ),
    Round(
        "attention", "query-not-used: You compared the keys with themselves",
        {"Q": "1 0 0 1|0 2 0 0|0 0 1 1", "K": "0 2 0 0|1 0 0 1|0 1 2 0"},
        ("*only every other query", "Q and K change places", SHOWN, "temperature 0.5"), (0, 0),
        "It compared the keys with each other, and left Q out.",
        "The dot products of q0 with k0, k1 and k2 are 0, 2 and 0, so k1 gets most.",
        "attention_scores",
    ),
    Round(
        "masked_softmax", "blocked-row-uniform: A row with no allowed key gets equal weights",
        {"scores": "1 0 2|2 1 0|0 0 1", "allowed": "1 0 1|0 0 0|0 1 1"},
        ("mask as shown", "no mask, temperature 50", "*mask as shown, temperature 2", "causal mask"), (1, 0),
        "It gave a query that may see no key equal weights.",
        "The mask has × for all keys of q1, so that there is nothing to share out.",
    ),
    Round(
        "attention", "scaled-by-sqrt-n: You divided by the root of the number of keys",
        {"Q": "1|2|-1", "K": "0|1|2|-1"},
        ("temperature 2", "only every other query", f"*{SHOWN}", KEYS), (1, 2),
        "It divided the scores by √4, as there are 4 keys; a query is 1 wide, and √1 = 1.",
        "The scores of q1 are 0, 2, 4 and −2. k2 is 2 above k1, so it gets 7.4 times as much, not 2.7 times.",
        "scaled_scores",
    ),
    Round(
        "multi_head_attention", "heads-interleaved: You gave every h-th channel to a head; a",
        {"Q": "2 0 0 1|0 2 1 0|1 1 0 0|0 0 2 2", "K": "1 0 2 0|0 1 0 2|2 0 0 1|0 2 1 0"},
        ("head 1 of 2", f"head 0 of 2, {QUERIES}", "head 0 of 1", "*head 0 of 2"), (1, 0),
        "It gave head 0 every other column, 0 and 2.",
        "In columns 0 and 1 the dot product of q1 with k0 is 0 and with k3 it is 4, so k3 gets most.",
        "split_heads",
    ),
)  # fmt: skip
"""In the order in which they are played."""
