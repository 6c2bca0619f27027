"""What a sentence in the real model shows, in words: the last two sentences are those on meaning and rest."""

from typing import Any

import numpy as np

from helpers.pretrained.reading import Reading

_DIFFER = 1e-3


def words(both: Any) -> list[str]:
    """Sentences for all readers: the two words, what the learner's answers change, and where weight rests."""
    found, right, yours = both.sentence, both.right, both.yours
    said = list(both.trouble)
    if found.count > len(found.tokens):
        said.append(f"Of {found.count} tokens only the first {len(found.tokens) - 1} are read, and [SEP].")
    said += _of_the_words(both)
    said += _of_the_heads(both)
    said.append(_nearest(yours.reading, right.reading))
    rests = float(abs(right.reading.weights[..., 0]).mean())
    whose = "" if yours.reading is right.reading else "With a right attention "
    said.append(
        f"{whose}{rests:.0%} of all weight rests on [CLS], the sink of this model: its threads are pale."
    )
    return said


def _of_the_words(both: Any) -> list[str]:
    tokens, right, yours = both.sentence.tokens, both.right.reading, both.yours.reading
    one, other = (f"“{tokens[place]}” ({place})" for place in both.pair)
    start, end = right.similarities[0], right.similarities[-1]
    says = f"{one} and {other} have a cosine of {start:.2f} before layer 0, and of {end:.2f} after the last"
    twice = tokens[both.pair[0]] == tokens[both.pair[1]]
    if twice and start - end < 0.05:
        says += ": the model hardly tells them apart"
    elif twice:
        says += ": attention has told them apart"
    said = [f"{says}." if yours is right else f"With a right attention {says}."]
    if not twice:
        said.append(f"No word stands twice here: choose two with pair={both.pair}, or other places.")
    if "bert_attention" not in both.tried:
        return said
    if yours is right:
        return [*said, "✓ With your bert_attention the model says the same, in every row and all 72 heads."]
    off = abs(yours.weights - right.weights).max((1, 2, 3))
    if max(off.max(), abs(yours.similarities - right.similarities).max()) <= _DIFFER:
        other = "✗ Your bert_attention is right here, and wrong in other sentences, which are filled up"
        return [f"{other} with padding: a mask should hide it.", *said]
    where = f"weights differ from layer 0 on, by up to {off.max():.2f}"
    if off[0] <= _DIFFER:
        where = "in layer 0 the weights are right, the output is not"
    moved = yours.similarities[-1]
    ends = f"✗ With your bert_attention the cosine ends at {moved:.2f} instead of {end:.2f}: {where}."
    if twice and start - end >= 0.05 and yours.similarities[0] - moved < (start - end) / 2:
        ends += " The model does not tell the two words apart any more."
    elif abs(moved - end) < 0.05:
        ends += " In these two words that hardly shows."
    return [ends, *said]


def _of_the_heads(both: Any) -> list[str]:
    right, yours = both.right, both.yours
    if right.effects is None:
        return []
    layer, head = np.unravel_index(abs(right.effects).argmax(), right.effects.shape)
    end, without = right.reading.similarities[-1], right.effects[layer, head]
    said = [
        f"Without head {head} of layer {layer} the cosine ends at {end + without:.2f} instead of {end:.2f}: "
        "of all 72 heads it changes most. Bars below the heads show what each changes; black is more alike."
    ]
    if "silence_head" not in both.tried or yours.reading is not right.reading:
        return said
    if yours is right:
        return [*said, "✓ With your silence_head it is the same for all 72 heads."]
    wrong = int((abs(yours.effects - right.effects) > _DIFFER).sum())
    gives = end + yours.effects[layer, head]
    wrong_one = f"for head {head} of layer {layer} the cosine ends at {gives:.2f}"
    return [f"✗ With your silence_head {wrong} of 72 heads change something else; {wrong_one}.", *said]


def _nearest(yours: Reading, right: Reading) -> str:
    def first(seen: Reading) -> str:
        return ", ".join(f"“{text}” ({close:.2f})" for close, text in seen.nearest[:3])

    if yours is right:
        return f"Nearest in meaning of {len(right.nearest)} sentences: {first(right)}."
    return (
        f"Nearest in meaning of {len(right.nearest)} sentences, with yours: {first(yours)}. "
        f"With a right attention: {first(right)}."
    )
