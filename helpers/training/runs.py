"""One call for each training of unit 07, and what is measured afterwards."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers.errors import BadArgument
from helpers.exercises.oracle import one_thread
from helpers.reference import TransformerBlock, induction_score, leaks_future, next_token_loss
from helpers.training import grammar
from helpers.training.blocks import repeated
from helpers.training.loop import optimizer_of, step_down, train
from helpers.training.models import AfterPrompt, Block, Decoder, Places, Tagger

TAGGED, VOCAB = 12, 16
PERIODS = (4, 10)
"""Words in a piece of text; different tokens of the decoder; the shortest and the longest block."""


@dataclass
class Run:
    """What a training leaves behind: the model, and the loss of every step."""

    model: nn.Module
    losses: list[float] = field(repr=False)

    @property
    def last_loss(self) -> float:
        """The mean over the last 50 steps."""
        return sum(self.losses[-50:]) / len(self.losses[-50:])

    def mean_losses(self, steps: int) -> list[float]:
        """The mean over every so many steps."""
        parts = [self.losses[i : i + steps] for i in range(0, len(self.losses), steps)]
        return [sum(part) / len(part) for part in parts]

    def first_below(self, loss: float, steps: int) -> int | None:
        """The step at which one of `mean_losses` is below a loss for the first time; `None` if none is."""
        means = self.mean_losses(steps)
        return next((steps * (i + 1) for i, mean in enumerate(means) if mean < loss), None)


def train_tagger(
    seed: int = 0, steps: int = 300, *, looks_around: bool = True, block: Block = TransformerBlock
) -> Run:
    """Train a tagger on pieces of text; without attention each word may look at nothing but itself."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = Tagger(len(grammar.WORDS), len(grammar.TAGS), TAGGED, looks_around=looks_around, block=block)
    guessing = math.log(len(grammar.TAGS))
    with_or_without = "with" if looks_around else "without"
    optimizer = optimizer_of(model, 3e-3)

    def one_step() -> float:
        tokens, tags = grammar.text(32, TAGGED, generator)
        return step_down(optimizer, F.cross_entropy(model(tokens).flatten(0, 1), tags.flatten()))

    with one_thread():
        losses = train(one_step, steps, title=f"A tagger {with_or_without} attention", guessing=guessing)
    return Run(model, losses)


@torch.no_grad()
def accuracy_on_both(run: Run, seed: int = 12345) -> tuple[float, float]:
    """Of new words that may be noun or verb: the share tagged right, and that of the commoner tag."""
    tokens, tags = grammar.text(400, TAGGED, torch.Generator().manual_seed(seed))
    asked = grammar.ambiguous(tokens)
    right = run.model(tokens).argmax(-1)[asked] == tags[asked]
    return right.float().mean().item(), F.one_hot(tags[asked]).float().mean(0).max().item()


def beats_the_commoner(run: Run, by: float = 0.02) -> bool:
    """Whether a tagger has more of these words right, by so much, than who always says the commoner tag."""
    share, commoner = accuracy_on_both(run)
    return share > commoner + by


def compare_taggers(with_attention: Run, without: Run) -> None:
    """Print how well each tags the words that may be noun or verb."""
    (one, commoner), (other, _) = accuracy_on_both(with_attention), accuracy_on_both(without)
    print("Right tags of saw, duck and watch, on 400 new pieces of text:")
    print(f"  with attention      {one:.3f}")
    print(f"  without attention   {other:.3f}")
    print(f"  always the commoner {commoner:.3f}")


@torch.no_grad()
def say_tags(sentence: str, **runs: Run) -> None:
    """Print the tags that models give to the words of a sentence."""
    words = sentence.split()
    tokens = torch.tensor([[grammar.WORDS.index(word) for word in words]])
    print(f"{'':18}", *(f"{word:6}" for word in words))
    for name, run in runs.items():
        tags = run.model(tokens)[0].argmax(-1)
        print(f"{name.replace('_', ' '):18}", *(f"{grammar.TAGS[tag]:6}" for tag in tags))


def train_decoder(
    seed: int = 0,
    steps: int = 600,
    *,
    block: Block = TransformerBlock,
    loss: Callable[[torch.Tensor, torch.Tensor], torch.Tensor] = next_token_loss,
    attention: Callable[[int, int], nn.Module] | None = None,
    step: Callable[[nn.Module, torch.optim.Optimizer, torch.Tensor], float] | None = None,
    layers: int = 2,
    num_heads: int = 2,
    places: Places | None = None,
    show: bool = True,
) -> Run:
    """Train a decoder on blocks that come twice.

    Args:
        seed: of the weights and of the text.
        steps: how many batches.
        block: makes a block.
        loss: of `logits (B, n, vocab)` on `tokens (B, n)`; it counts where the second block begins.
        attention: what stands in the blocks in place of `reference.MultiHeadAttention`.
        step: a step of training, as `training_step` does it, in place of `loss`; block one is a prompt.
        layers: how many blocks.
        num_heads: how many heads each has.
        places: gives the vectors of places, as `sinusoidal_positions` does; by default they are learned.
        show: `False` trains in silence.

    Raises:
        BadArgument: where no gradient comes through the loss.
    """
    generator = torch.Generator().manual_seed(seed)
    model = new_decoder(seed, block=block, layers=layers, num_heads=num_heads, places=places)
    for one in model.blocks if attention else ():
        one.attention = attention(32, 2)
    optimizer = optimizer_of(model, 6e-3)

    def one_step() -> float:
        period = int(torch.randint(PERIODS[0], PERIODS[1] + 1, (), generator=generator))
        tokens = repeated(32, period, VOCAB, generator)
        start = period - 1  # of the first block nothing can be known, so nothing can be learned from it
        if step:
            return step(AfterPrompt(model, tokens[:, :start]), optimizer, tokens[:, start:])
        return step_down(optimizer, _trainable(loss(model(tokens)[:, start:], tokens[:, start:])))

    with one_thread():
        title = "A decoder on blocks that come twice"
        losses = train(one_step, steps, title=title, show=show, guessing=math.log(VOCAB))
    return Run(model, losses)


def new_decoder(seed: int = 0, **shape: Any) -> Decoder:
    """A decoder for blocks that come twice, before any training; `shape` as `Decoder` takes it."""
    torch.manual_seed(seed)
    return Decoder(VOCAB, 2 * PERIODS[1], **shape)


@torch.no_grad()
def copying_loss(model: Decoder, period: int = 8, seed: int = 4) -> float:
    """The loss of a decoder on the second block alone, where all can be known."""
    tokens = repeated(64, period, VOCAB, torch.Generator().manual_seed(seed))
    return next_token_loss(model(tokens)[:, period - 1 :], tokens[:, period - 1 :]).item()


def _trainable(loss: Any) -> torch.Tensor:
    """A loss through which a training can go back.

    Raises:
        BadArgument: where no gradient comes through it.
    """
    if isinstance(loss, torch.Tensor) and loss.requires_grad:
        return loss
    raise BadArgument(
        "loss: expected a tensor that a training can go back through; no gradient comes through yours. "
        "Look for `.item()`, `.detach()`, `no_grad` or a way through NumPy."
    )


def best_head(
    weights: torch.Tensor, period: int, score: Callable = induction_score
) -> tuple[int, int, float]:
    """Layer, head and score of the head with the largest induction score; `weights (layers, B, h, n, n)`."""
    scores = torch.stack([score(layer, period) for layer in weights])
    layer, head = divmod(int(scores.argmax()), scores.shape[1])
    return layer, head, float(scores.max())


def say_best_head(weights: torch.Tensor, period: int, score: Callable = induction_score) -> None:
    """Print which head has the largest induction score."""
    layer, head, largest = best_head(weights, period, score)
    print(f"The largest induction score is {largest:.3f}, of head {head} in layer {layer}.")


def letters(tokens: torch.Tensor) -> list[str]:
    """Letters for tokens."""
    return [chr(ord("A") + token) for token in tokens.tolist()]


def show_text(pieces: int, seed: int) -> None:
    """Print pieces of text with the right tags below the words."""
    drawn = grammar.text(pieces, TAGGED, torch.Generator().manual_seed(seed))
    for words, tags in zip(*(part.tolist() for part in drawn), strict=True):
        print(*(f"{grammar.WORDS[word]:6}" for word in words))
        print(*(f"{grammar.TAGS[tag]:6}" for tag in tags), end="\n\n")


def leaks(attention: Callable[[int, int], nn.Module]) -> bool:
    """Whether an attention under a causal mask lets the future through: `leaks_future` of unit 04 says so."""
    torch.manual_seed(0)
    layer, causal = attention(6, 2).double(), torch.ones(5, 5, dtype=torch.bool).tril()

    def attend(X: np.ndarray) -> np.ndarray:
        x = torch.from_numpy(X)[None]
        return layer(x, x, x, causal)[0][0].detach().numpy()

    return leaks_future(attend, 5, 6)
