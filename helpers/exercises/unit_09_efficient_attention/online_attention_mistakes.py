"""What people get wrong in `online_attention`: the same loop over blocks with one step replaced."""

from collections.abc import Callable, Iterable
from typing import Any

import torch
import torch.nn.functional as F

from helpers.exercises.wrong.rows import mistakes, paired, rows

Tensor = torch.Tensor


def blocks(n: int, size: int) -> Iterable[slice]:
    """The places of each block of keys."""
    return [slice(start, start + size) for start in range(0, n, size)]


def _row_max(scores: Tensor) -> Tensor:
    return scores.max(dim=1, keepdim=True).values


def variant(
    *,
    cut: Callable[[int, int], Iterable[slice]] = blocks,
    values: Callable[[Tensor, slice], Tensor] = lambda V, part: V[part],
    scale: Callable[[Tensor, Tensor, Tensor], float] = lambda Q, K, V: Q.shape[1] ** 0.5,
    limit: Callable[[Tensor], Tensor] = lambda scores: scores,
    first: float = -torch.inf,
    top: Callable[[Tensor, Tensor], Tensor] = lambda old, scores: torch.maximum(old, _row_max(scores)),
    powers: Callable[[Tensor, Tensor], Tensor] = lambda scores, new: torch.exp(scores - new),
    shrink: Callable[[Tensor, Tensor], Tensor] = lambda old, new: torch.exp(old - new),
    total: Callable[..., Tensor] = lambda total, shrink, powers: total * shrink + powers.sum(1, keepdim=True),
    mix: Callable[..., Tensor] = lambda output, shrink, powers, V: output * shrink + powers @ V,
    finish: Callable[..., Any] = lambda output, total, K: output / total,
) -> Callable[[Tensor, Tensor, Tensor, int], Any]:
    """The loop over blocks with some of its steps replaced by wrong ones."""

    def answer(Q: Tensor, K: Tensor, V: Tensor, block_size: int) -> Any:
        largest = Q.new_full((len(Q), 1), first)
        summed, output = Q.new_zeros(len(Q), 1), Q.new_zeros(len(Q), V.shape[1])
        for part in cut(len(K), block_size):
            scores = limit(Q @ K[part].T / scale(Q, K, V))
            new = top(largest, scores)
            less, these = shrink(largest, new), powers(scores, new)
            summed, output = total(summed, less, these), mix(output, less, these, values(V, part))
            largest = new
        return finish(output, summed, K)

    return answer


def _share_of_each_block(Q: Tensor, K: Tensor, V: Tensor, size: int) -> list[Tensor]:
    return [torch.softmax(Q @ K[p].T / Q.shape[1] ** 0.5, -1) @ V[p] for p in blocks(len(K), size)]


def _softmax_in_blocks(join: Callable[[list[Tensor]], Any]) -> Callable[..., Any]:
    return lambda Q, K, V, block_size: join(_share_of_each_block(Q, K, V, block_size))


def _mean_by_length(Q: Tensor, K: Tensor, V: Tensor, block_size: int) -> Tensor:
    shares = [len(K[part]) / len(K) for part in blocks(len(K), block_size)]
    parts = _share_of_each_block(Q, K, V, block_size)
    return sum(share * one for share, one in zip(shares, parts, strict=True))


def _moved_back(n: int, size: int) -> list[int]:
    return [max(0, min(i, n - size)) for i in range(0, n, size)]


def _divided_each_time(Q: Tensor, K: Tensor, V: Tensor, block_size: int) -> Tensor:
    summed: Tensor | None = None

    def total(before: Tensor, shrink: Tensor, powers: Tensor) -> Tensor:
        nonlocal summed
        summed = before * shrink + powers.sum(1, keepdim=True)
        return summed

    steps = {"mix": lambda output, shrink, powers, V: (output * shrink + powers @ V) / summed}
    return variant(total=total, finish=lambda output, *_: output, **steps)(Q, K, V, block_size)


def _one(old: Tensor, new: Tensor) -> Tensor:
    """Nothing is shrunk."""
    return torch.ones_like(new)


def _sum_of_all(total: Tensor, shrink: Tensor, powers: Tensor) -> Tensor:
    return total * shrink + powers.sum()


STARTS = (-1.0, -10.0, -100.0, -1e3, -1e4, -65504.0, -1e5, -1e6)
LIMITS = (10, 20, 30, 50, 80, 88, 100)
_SHRINK = (
    "Sums so far were taken with the old maximum. By which factor do they change when it becomes larger?"
)
_LAST = "n_k need not be a multiple of block_size: how many keys has the last block?"
_SCALE = "Which size does the spread of a score grow with?"

MISTAKES = mistakes(
    variant,
    *rows(
        "not-rescaled: You never shrink what was summed so far, so earlier blocks count too much when a larger score comes.",
        _SHRINK,
        paired(shrink=_one),
        "not-rescaled: You shrink the sum of exponentials but not the output so far.",
        _SHRINK,
        paired(mix=lambda output, shrink, powers, V: output + powers @ V),
        "not-rescaled: You shrink the output so far but not the sum of exponentials.",
        _SHRINK,
        paired(total=lambda total, shrink, powers: total + powers.sum(1, keepdim=True)),
        "rescaled-upside-down: You multiply what was summed so far by exp(new - old); it should become smaller.",
        _SHRINK,
        paired(shrink=lambda old, new: torch.exp(new - old).nan_to_num(0, 0, 0)),
        {"shrink": lambda old, new: torch.where(old == -torch.inf, 1.0, torch.exp(new - old))},
        "zero-times-inf: Your numbers are NaN from the first block on: the largest score so far is still -inf there, "
        "and 0 times infinity, or infinity minus infinity, is NaN.",
        "What are `exp(old - new)` and `exp(new - old)` while old is -inf? Which of the two is 0?",
        lambda Q, K, V, block_size: variant(shrink=lambda old, new: torch.exp(new - old))(
            Q, K, V, block_size
        ),
        "rescaled-too-much: You shrink the new block as well; only what was there before is to shrink.",
        _SHRINK,
        {
            "total": lambda total, shrink, powers: (total + powers.sum(1, keepdim=True)) * shrink,
            "mix": lambda output, shrink, powers, V: (output + powers @ V) * shrink,
        },
        "softmax-per-block: Each block has a softmax of its own, and you added up their outputs.",
        "Weights should sum to 1 over all keys, not over those of a block.",
        _softmax_in_blocks(sum),
        "softmax-per-block: Each block has a softmax of its own, and you averaged their outputs.",
        "A block with larger scores should get more weight than another.",
        _softmax_in_blocks(lambda parts: sum(parts) / len(parts)),
        "softmax-per-block: Each block has a softmax of its own, and you averaged their outputs by how many keys they have.",
        "A block with larger scores should get more weight than another.",
        _mean_by_length,
        "last-block-only: Only the last block is left of your output.",
        "What do earlier blocks leave behind? Is the running maximum updated, and your factor above 0?",
        _softmax_in_blocks(lambda parts: parts[-1]),
        "first-block-only: Only the first block of keys counts in your output.",
        "How many rounds does your loop run, and is your `return` inside it?",
        _softmax_in_blocks(lambda parts: parts[0]),
        "block-maximum-forgotten: You keep the maximum of the newest block; a smaller one than before makes earlier exponentials overflow.",
        "May the running maximum ever become smaller?",
        paired(top=lambda old, scores: _row_max(scores)),
        "first-block-maximum: You keep the maximum of the first block for ever; larger scores of later blocks overflow.",
        "May the running maximum become larger?",
        paired(top=lambda old, scores: torch.where(old == -torch.inf, _row_max(scores), old)),
        "no-max-subtraction: Your exponentials overflow when the scores are large.",
        "What may be taken away from all scores of a row without changing the weights?",
        {"powers": lambda scores, new: torch.exp(scores), "shrink": _one},
        "no-max-subtraction: You keep a maximum but do not take it away from the new scores.",
        "Which scores does `exp` get?",
        paired(powers=lambda scores, new: torch.exp(scores)),
        "global-max: You took one maximum for all queries: a row far below it becomes 0, and 0 / 0 gives NaN.",
        "Every query has a maximum of its own.",
        paired(top=lambda old, scores: torch.maximum(old, scores.max())),
        "softmax-over-everything: You add the exponentials of all queries into one sum; each query has a sum of its own.",
        "Over which axis should the sum run, and how does it stay a column?",
        {"total": _sum_of_all},
        {"total": _sum_of_all, "top": lambda old, scores: torch.maximum(old, scores.max())},
        "wrong-start: Your running maximum starts at a number that all scores of a row can lie below: then its exponentials are 0, and 0 / 0 gives NaN.",
        "Which number is below every score?",
        paired(first=0.0),
        *({"first": value} for value in STARTS),
        "no-max-subtraction: You cut large scores off: cut off they are equal, and so are their weights.",
        "What may be taken away from all scores of a row without changing the weights?",
        *({"limit": lambda scores, k=k: scores.clamp(-k, k)} for k in LIMITS),
        *({"limit": lambda scores, k=k: scores.clamp(max=k)} for k in LIMITS),
        "block-maximum-for-running: Exponentials are taken with the maximum of their own block, and shrunk as if it were the running one.",
        "Which maximum do two blocks have in common, so that their exponentials may be added?",
        {"powers": lambda scores, new: torch.exp(scores - _row_max(scores))},
        "last-block-dropped: You leave out the last keys, those that do not fill a whole block.",
        _LAST,
        paired(cut=lambda n, size: blocks(n // size * size, size)),
        "last-block-dropped: You never reach the last block, whole or not.",
        "Where does your loop end?",
        paired(cut=lambda n, size: blocks(n, size)[:-1]),
        "first-block-dropped: You skip the first block.",
        "Where does your loop begin?",
        paired(cut=lambda n, size: blocks(n, size)[1:]),
        "blocks-overlap: Your last block is moved back until it is full, so some keys count twice.",
        _LAST,
        {"cut": lambda n, size: [slice(i, i + size) for i in _moved_back(n, size)]},
        "first-left-out: The first key is left out.",
        "Where does your loop begin?",
        {"cut": lambda n, size: [slice(i, i + size) for i in range(1, n, size)]},
        "last-left-out: The last key is left out.",
        "Where does your loop end?",
        {"cut": lambda n, size: [slice(i, min(i + size, n - 1)) for i in range(0, n - 1, size)]},
        "blocks-overlap: Your blocks move on by one key each time, so keys count several times.",
        "By how much should the start of a block grow?",
        paired(cut=lambda n, size: [slice(i, i + size) for i in range(n)]),
        "off-by-one: Your blocks hold one key too many, which counts twice.",
        "A slice ends before its second number.",
        paired(cut=lambda n, size: [slice(i, i + size + 1) for i in range(0, n, size)]),
        "off-by-one: Your blocks hold one key too few.",
        "A slice ends before its second number.",
        paired(cut=lambda n, size: [slice(i, i + size - 1) for i in range(0, n, size)]),
        "not-normalised: Your output is not divided by the sum of the exponentials.",
        "What should the weights of a query sum to?",
        paired(finish=lambda output, total, K: output),
        "not-normalised: You divided by the number of keys, not by the sum of the exponentials.",
        "What should the weights of a query sum to?",
        {"finish": lambda output, total, K: output / len(K)},
        "normalised-each-block: You divide the output by the sum in every block; what follows is then added to shares.",
        "How often should the output be divided by the sum?",
        _divided_each_time,
        "sum-of-last-block: You divided by the sum of the last block's exponentials; the sum runs over all keys.",
        "Is the sum kept from block to block?",
        paired(total=lambda total, shrink, powers: powers.sum(1, keepdim=True)),
        "overwritten-instead-of-summed: Your output starts anew in each block, while the sum goes on.",
        "Is the output kept from block to block?",
        paired(mix=lambda output, shrink, powers, V: powers @ V),
        "no-scaling: You did not divide the scores by the root of d_k, so your weights are too sharp.",
        _SCALE,
        paired(scale=lambda Q, K, V: 1.0),
        "scaled-by-d_k: Your scores are divided by d_k; it should be its square root.",
        _SCALE,
        paired(scale=lambda Q, K, V: Q.shape[1]),
        "scaled-by-sqrt-n: You divided by the root of the number of keys; it should be the root of d_k.",
        _SCALE,
        paired(scale=lambda Q, K, V: len(K) ** 0.5),
        "scaled-by-sqrt-d_v: You divided by the root of d_v; it should be the root of d_k.",
        _SCALE,
        paired(scale=lambda Q, K, V: V.shape[1] ** 0.5),
        "scaled-by-sqrt-n: You divided by the root of the number of queries; it should be the root of d_k.",
        _SCALE,
        paired(scale=lambda Q, K, V: len(Q) ** 0.5),
        "scaled-by-sqrt-n: You divided by the root of the number of keys in a block; it should be the root of d_k.",
        _SCALE,
        {"scale": lambda Q, K, V: 1.0, "limit": lambda scores: scores / scores.shape[-1] ** 0.5},
        lambda Q, K, V, size: variant(scale=lambda *_: size**0.5)(Q, K, V, size),
        "padding-counted: You fill the last block up with zeros, and these keys get weight too.",
        "Which score has a key of zeros, and which exponential?",
        lambda Q, K, V, size: variant()(Q, *(F.pad(x, (0, 0, 0, -len(K) % size)) for x in (K, V)), size),
        "causal-by-default: You hide later keys; here every query may look at every key.",
        "Does the task ask for a mask?",
        lambda Q, K, V, size: F.scaled_dot_product_attention(Q, K, V, is_causal=True),
        "values-summed-apart: Each exponential meets all values of its block; it should meet its own key's.",
        "In a sum over keys, do exponentials and values have the same letter?",
        {"mix": lambda out, shrink, powers, V: out * shrink + powers.sum(1, keepdim=True) * V.sum(0)},
        "row-for-column: Numbers of shape (n_q,) meet the columns of your output; they need an axis more.",
        "Which shape have the output, the factor and the sums? `[:, None]` makes a column.",
        {"mix": lambda output, shrink, powers, V: output * shrink[:, 0] + powers @ V},
        {"finish": lambda output, total, K: output / total[:, 0]},
        {"total": lambda total, shrink, powers: total * shrink + powers.sum(1)},
        "first-values-for-all: Every block is mixed with the first values; each block has values of its own.",
        "Which slice of V goes with a slice of K?",
        {"values": lambda V, part: V[: len(V[part])]},
        "wrong-base: You took powers of 2; the softmax takes powers of e.",
        "Which function computes e to the x?",
        {"powers": lambda scores, new: 2 ** (scores - new), "shrink": lambda old, new: 2 ** (old - new)},
        "returns-list: You returned a list of the blocks' outputs; the exercise asks for one tensor.",
        "How do the blocks come together?",
        _softmax_in_blocks(lambda parts: parts),
        "one-output-too-many: You returned more than the output; the exercise asks for the output alone.",
        "Look at your `return` line.",
        {"finish": lambda output, total, K: (output / total, total)},
        "outputs-side-by-side: You put the outputs of the blocks side by side; they should be added up.",
        "How wide should the output be?",
        _softmax_in_blocks(lambda parts: torch.cat(parts, dim=1)),
        "outputs-side-by-side: You put the outputs of the blocks one below the other; they should be added up.",
        "How many rows should the output have?",
        _softmax_in_blocks(torch.cat),
    ),
)
