"""What is told of a hidden attention that a detector overlooks, and not what it does; an "It" stands before."""

from helpers.exercises.unit_04_masking.hidden_attentions import (
    AFTER_THE_SOFTMAX,
    CAUSAL,
    LARGER,
    SMALLER,
    WITHOUT_LEVEL_AND_SCALE,
)

LATE = "looks causal as long as the last token stays."
ONE_ROW = "lets all earlier rows stay but one."
ONE_OUTPUT = "lets all earlier outputs stay but those in one column."
ONE_FEATURE = "looks causal as long as one feature of a token stays."
FAINT = "looks causal to a comparison that lets small differences pass."
ONE_WAY = "moves all outputs in one direction: it looks causal to a comparison for the other."

RIDDLES = {
    "no mask": "looks causal where later tokens only change places.",
    "the mask is off by one": "lets a row see one token too many.",
    "the mask is transposed": "lets the last row see nothing but itself.",
    "each token sees the token two ahead": "lets the row just before a changed token stay.",
    AFTER_THE_SOFTMAX: "never takes a value from a later token.",
    "no mask, tokens normalised with an eps": "looks causal when a token is only shifted.",
    WITHOUT_LEVEL_AND_SCALE: "looks causal when a token is only shifted or stretched.",
    "no mask, tokens divided by their length": "looks causal when a token is only stretched.",
    "no mask, tokens without their signs": "looks causal when tokens only change their signs.",
    "a token in the middle leaks": "looks causal as long as one token in the middle stays.",
    "the last token leaks into row 0": ONE_ROW,
    "token 1 leaks into row 0": "looks causal as long as token 1 stays.",
    "token 2 leaks into row 1": "looks causal as long as token 2 stays.",
    "the last token leaks into row 1": ONE_ROW,
    "the last token leaks into the row before it": ONE_ROW,
    "the first feature of the last token leaks": ONE_FEATURE,
    "the last feature of the last token leaks": ONE_FEATURE,
    "the last token leaks into the first output": ONE_OUTPUT,
    "the last token leaks into the second output": ONE_OUTPUT,
    "the last token leaks into the last output": ONE_OUTPUT,
    "the last token leaks, in outputs that cancel": "has rows whose sums stay.",
    "the last token leaks, in rows that cancel": "has columns whose sums stay.",
    "the last token turns row 0": "has rows whose lengths stay.",
    "the last token makes earlier rows smaller": LATE,
    "the last token makes earlier rows larger": LATE,
    "token 1 makes row 0 smaller": "looks causal as long as token 1 stays.",
    "token 1 makes row 0 larger": "looks causal as long as token 1 stays.",
    "the last token leaks, faintly": FAINT,
    "the last token leaks, faintly but steeply": FAINT,
    "the last token leaks, very faintly": FAINT,
    SMALLER: ONE_WAY,
    LARGER: ONE_WAY,
    **dict.fromkeys(CAUSAL, ""),
}
"""By kind, those that leak first; of a causal one nothing is told but its kind, where it is accused."""
