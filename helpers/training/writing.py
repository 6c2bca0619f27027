"""A decoder that writes, with a cache and without: what is equal, and how long each takes (unit 09)."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import torch

from helpers.reference import KVCache
from helpers.training.models import Decoder
from helpers.training.runs import letters


@torch.no_grad()
def write(
    model: Decoder, tokens: torch.Tensor, num_new: int, make_cache: Callable[[], Any] = KVCache
) -> torch.Tensor:
    """Continue `tokens (B, n)` greedily, as `generate` of unit 07 does; each token is read once, then kept.

    Args:
        model: a decoder.
        tokens: the prompt.
        num_new: how many tokens to write.
        make_cache: makes a `KVCache`, empty, one for each block.
    """
    caches = [make_cache() for _ in model.blocks]
    new = tokens
    for _ in range(num_new):
        new = model(new, caches)[:, -1].argmax(dim=-1, keepdim=True)
        tokens = torch.cat([tokens, new], dim=1)
    return tokens


def say_writing(model: Decoder, texts: torch.Tensor, start: int, make_cache: Callable[[], Any]) -> None:
    """Let a model go on after `start` tokens of `texts (B, n)`, both ways, and print what comes out."""
    prompts, new = texts[:, :start], texts.shape[1] - start
    write(model, prompts, new, make_cache)  # the first call is slow
    again, kept, seconds = _both_ways(model, prompts, new, make_cache)
    print("the prompt:     ", *letters(prompts[0]))
    print("goes on:        ", *letters(kept[0, start:]))
    print(f"letters right:   {(kept == texts)[:, start:].double().mean():.1%}")
    print("equal:          ", torch.equal(again, kept))
    print(f"with a cache:    {seconds[0] / seconds[1]:.1f} times as fast")


def time_writing(
    model: Decoder, lengths: Sequence[int], num_new: int, make_cache: Callable[[], Any]
) -> dict[str, list[float]]:
    """Seconds to write `num_new` tokens after prompts of some lengths, both ways; prints the ratios."""
    found = []
    for n in lengths:
        again, kept, seconds = _both_ways(model, torch.randint(16, (1, n)), num_new, make_cache)
        found.append(seconds)
        equal, ratio = torch.equal(again, kept), seconds[0] / seconds[1]
        print(f"after {n:5} tokens: equal: {equal}, with a cache {ratio:.1f} times as fast")
    names = ("all over again", "with a cache")
    return {name: list(column) for name, column in zip(names, zip(*found, strict=True), strict=True)}


@torch.no_grad()
def _all_over_again(model: Decoder, tokens: torch.Tensor, num_new: int, make_cache: Callable[[], Any]) -> Any:
    """The same with caches that are empty before each new token: same attention, nothing kept."""
    for _ in range(num_new):
        caches = [make_cache() for _ in model.blocks]
        tokens = torch.cat([tokens, model(tokens, caches)[:, -1].argmax(dim=-1, keepdim=True)], dim=1)
    return tokens


def _both_ways(
    model: Decoder, prompts: torch.Tensor, num_new: int, make_cache: Callable[[], Any]
) -> tuple[torch.Tensor, torch.Tensor, tuple[float, float]]:
    """What is written all over again and with a cache, and the seconds that each took."""
    began = time.perf_counter()
    again = _all_over_again(model, prompts, num_new, make_cache)
    between = time.perf_counter()
    kept = write(model, prompts, num_new, make_cache)
    return again, kept, (between - began, time.perf_counter() - between)
