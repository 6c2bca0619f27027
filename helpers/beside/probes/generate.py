"""The probe of `generate`: it builds the model to write with from the arrays of a case, beside the learner's code."""

from typing import Any

import torch
from torch import nn

from helpers.beside.probes.base import ProbeError, call
from helpers.beside.probes.tensors import must_be_a_table, must_be_whole, watched


class Following(nn.Module):
    """A small model whose next token depends on every token so far.

    Args:
        follow: `(k, vocab, vocab)`; the token s places back adds its row of `follow[s % k]` to the logits.
        most: the length of the finished text; who hands over more lets it grow too fast, and without end.
        both_ways: whether a position also looks at the tokens behind it, at all that is handed over.
    """

    def __init__(self, follow: torch.Tensor, most: int, *, both_ways: bool = False) -> None:
        super().__init__()
        self.most, self.both_ways = most, both_ways
        self.follow = nn.Parameter(follow.clone())

    def forward(self, tokens: Any) -> torch.Tensor:
        """Logits `(B, n, vocab)` for `tokens (B, n)`."""
        k, vocab, _ = self.follow.shape
        self._must_be_tokens(tokens, vocab)
        n = tokens.shape[1]
        query, key = torch.arange(n)[:, None], torch.arange(n)
        said = self.follow[(query - key) % k, tokens[:, None, :]]  # (B, query, key, vocab)
        return said.sum(2) if self.both_ways else (said * (key <= query)[..., None]).sum(2)

    def _must_be_tokens(self, tokens: Any, vocab: int) -> None:
        """Refuse what no decoder takes; indexing would read some of it in another way.

        Raises:
            ProbeError: with what the model was called with.
        """
        must_be_a_table(tokens, "Keep the batch axis, and the axis of positions even for one token.")
        if tokens.shape[1] > self.most:
            raise ProbeError(
                f"model is called with {tokens.shape[1]} tokens a sequence, and the finished text has only {self.most}",
                "all-positions-appended",
                "The model predicts at every position. Which of its predictions is new?",
            )
        must_be_whole(
            tokens,
            "Which step makes floats: `torch.zeros` or `torch.tensor([])` without a dtype, or a logit in place of a token?",
        )
        if tokens.numel() and not 0 <= int(tokens.min()) <= int(tokens.max()) < vocab:
            raise ProbeError(
                f"model knows tokens 0 to {vocab - 1}; it was called with {int(tokens.max())}",
                "argmax-over-wrong-axis",
                "Over which axis does `argmax` run, and over which do the words lie? Without an axis it counts all numbers.",
            )


def probe(answer: Any, args: dict[str, Any]) -> Any:
    """Let the learner's function write with a model made of `args["follow"]`.

    Raises:
        ProbeError: when what it writes is drawn at random.
    """
    num_new, most = args["num_new"], args["tokens"].shape[1] + args["num_new"]
    follow = torch.from_numpy(args["follow"])

    def write() -> Any:
        model = Following(follow, most, both_ways=args["both_ways"])
        tokens = torch.from_numpy(args["tokens"])
        try:
            with watched(args, {"tokens": tokens}):
                return call(answer, {"model": model, "tokens": tokens, "num_new": num_new})
        except RuntimeError as error:
            raise _named(error) from None

    dice = torch.get_rng_state()
    with torch.random.fork_rng(devices=[]):
        written = write()
        drawn = not torch.equal(dice, torch.get_rng_state())
    if drawn and _varies(write, written):
        raise ProbeError(
            "the same call writes other tokens each time: they are drawn at random; here the likeliest is taken",
            "sampled-not-greedy",
            "Look for `multinomial` and `Categorical`: which function gives the place of the largest logit?",
        )
    return written


def _named(error: RuntimeError) -> Exception:
    """What two errors of `torch.cat` say of the answer; any other error is the answer's own."""
    if "same number of dimensions" in str(error):
        return ProbeError(
            "the new tokens have shape (B,) and the others (B, n), so they cannot be joined: an axis is missing",
            "new-has-no-axis",
            "`argmax` can keep the axis; `x[:, None]` adds one.",
        )
    if "except in dimension 0" in str(error):
        return ProbeError(
            "the new tokens are put below the others, as more sequences: a sequence grows along its positions",
            "batch-grows",
            "Along which axis does `torch.cat` join unless told?",
        )
    return error


def _varies(write: Any, first: Any) -> bool:
    with torch.random.fork_rng(devices=[]):
        for seed in range(8):
            torch.manual_seed(seed)
            again = write()
            if (
                isinstance(first, torch.Tensor)
                and isinstance(again, torch.Tensor)
                and not torch.equal(first, again)
            ):
                return True
    return False
