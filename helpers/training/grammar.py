"""A small grammar.  "saw", "duck" and "watch" are nouns or verbs: only their neighbours tell."""

import torch

BOTH = ("saw", "duck", "watch")
"""Words that are noun and verb."""

NAMES, NOUNS, VERBS, ARTICLES = (
    ("I", "you", "we"),
    ("dog", "man", "cat"),
    ("like", "know", "see"),
    ("a", "the"),
)
WORDS = (".", *NAMES, *NOUNS, *VERBS, *ARTICLES, *BOTH)
TAGS = (".", "N", "V", "DET")

SENTENCES = (
    ("name", "verb", "article", "noun"),
    ("article", "noun", "verb", "article", "noun"),
    ("article", "noun", "verb", "name"),
)
"""What a sentence is made of: I saw a saw. The dog saw a duck. A watch saw you."""

KINDS = {
    "name": (NAMES, "N"),
    "noun": (NOUNS + BOTH, "N"),
    "verb": (VERBS + BOTH, "V"),
    "article": (ARTICLES, "DET"),
}
"""Of each part: the words it may be, and its tag."""

_LONGEST = 6  # words of a sentence, with its full stop
_FRONT = 60  # words that may stand in front; whatever else is counted here divides it


def text(batch: int, n: int, generator: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """Pieces of n words, cut out of running text at any place, so that a position tells nothing of a tag.

    Returns:
        `tokens (batch, n)` and `tags (batch, n)`, whole numbers: places in `WORDS` and `TAGS`.
    """
    # Numbers are drawn all at once, more than enough, and then again those that were used: one call for each
    # of them was most of a training.
    before = generator.get_state()
    drawn = torch.randint(_FRONT, (batch * (6 * _LONGEST + _FRONT + n),), generator=generator).tolist()
    left = iter(drawn)

    def draw(count: int) -> int:
        return next(left) % count

    pieces = []
    for _ in range(batch):
        # so much text in front that every place of a sentence is equally likely to come first
        start, line = 5 * _LONGEST + draw(_FRONT), []
        while len(line) < start + n:
            line += [_word(part, draw) for part in SENTENCES[draw(len(SENTENCES))]] + [(".", ".")]
        pieces.append(line[start : start + n])
    generator.set_state(before)
    torch.randint(_FRONT, (len(drawn) - len([*left]),), generator=generator)
    tokens = [[WORDS.index(word) for word, _ in piece] for piece in pieces]
    tags = [[TAGS.index(tag) for _, tag in piece] for piece in pieces]
    return torch.tensor(tokens), torch.tensor(tags)


def _word(part: str, draw) -> tuple[str, str]:  # noqa: ANN001 - a function from a count to a place
    words, tag = KINDS[part]
    return words[draw(len(words))], tag


def ambiguous(tokens: torch.Tensor) -> torch.Tensor:
    """Which tokens are words that may be noun or verb."""
    return torch.isin(tokens, torch.tensor([WORDS.index(word) for word in BOTH]))
