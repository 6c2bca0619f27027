"""What people get wrong in `next_token_probabilities`: the temperature, the choice of k, the softmax."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

from helpers.exercises.wrong import softmax as known
from helpers.exercises.wrong.generic import CHANGES
from helpers.exercises.wrong.rows import alone, in_step, mistakes, only, paired, rows, without
from helpers.exercises.wrong.softmax import as_it_is, largest, nothing, powers, shares, softmax
from helpers.exercises.wrong.tensors import in_numpy

Array = np.ndarray
Axis = int | None
Least = Callable[[Array, int], Any]
Keep = Callable[[Array, int | None], Array]


def least(z: Array, k: int) -> Array:
    """The smallest of the k largest of each row; of all where there are fewer."""
    return np.sort(z, -1)[..., -min(k, z.shape[-1]), None]


def below(
    least: Least, fill: float = -np.inf, *, strict: bool = False
) -> Callable[[Array, int | None], Array]:
    """What is below a threshold filled up."""

    def keep(z: Array, k: int | None) -> Array:
        if k is None:
            return z
        out = z <= least(z, k) if strict else z < least(z, k)
        return np.where(out, fill, z).astype(z.dtype)

    return keep


only_largest = below(least)


def all_kept(z: Array, *_: Any) -> Array:
    """Wrong: a step in which nothing is taken away."""
    return z


def variant(
    *,
    numbers: Callable[[Array], Array] = lambda x: x,
    early: Keep = all_kept,
    scale: Callable[[Array, float], Array] = lambda x, temperature: x / temperature,
    keep: Keep = only_largest,
    axis: Axis = -1,
    shift: Callable[[Array, Axis], Any] = largest,
    power: Callable[[Array, Axis], Array] = powers,
    divide: Callable[[Array, Axis], Array] = shares,
    late: Keep = all_kept,
    after: Callable[..., Any] = lambda weights, temperature, k: weights,
) -> Callable[..., Any]:
    """The probabilities with some of the steps replaced; `early` and `late` keep k before and after the others."""

    def answer(logits: Array, temperature: float = 1.0, top_k: int | None = None) -> Any:
        z = keep(scale(early(numbers(logits), top_k), temperature), top_k)
        weights = divide(power(z - shift(z, axis), axis), axis)
        return after(late(weights, top_k), temperature, top_k)

    return in_numpy(answer)


def _stops(choose: Callable[[torch.Tensor, int], Any]) -> dict[str, Any]:
    """PyTorch itself stops where k is larger than a row."""

    def keep(z: Array, k: int | None) -> Array:
        if k is not None:
            choose(torch.from_numpy(z), k)
        return only_largest(z, k)

    return {"keep": keep}


def _kth(place: Callable[[int], int]) -> Least:
    """The threshold from another place of the sorted row; at most the smallest, at least the largest."""
    return lambda z, k: np.sort(z, -1)[..., -min(max(place(k), 1), z.shape[-1]), None]


def _unchecked(place: Callable[[int], int]) -> Least:
    """The same, with an error where there is no such place."""
    return lambda z, k: np.sort(z, -1)[..., ::-1][..., place(k), None]


def _only_the_best(
    order: Callable[[Array], Array] = lambda z: np.sort(z, -1)[..., ::-1],
) -> Callable[..., Array]:
    """K numbers of each row, in another order."""
    return lambda z, k: z if k is None else order(z)[..., :k]


def _hiding(hidden: Callable[[Array, int], Array], *, pairs: bool = False) -> list[dict[str, Any]]:
    """A wrong choice, with the two ways to treat a `top_k` too large, and the two ways to hide a logit."""

    def keep(guarded: bool, fill: float) -> Keep:
        def hide(z: Array, k: int | None) -> Array:
            if k is None or (guarded and k >= z.shape[-1]):
                return z
            return np.where(hidden(z, k), fill, z).astype(z.dtype)

        return hide

    kept = [keep(guarded, fill) for guarded in (False, True) for fill in (-np.inf, -1e30)]
    return [paired(keep=one) if pairs and not i else {"keep": one} for i, one in enumerate(kept)]


def _alike(weights: Array, k: int | None) -> Array:
    return weights if k is None else shares(1.0 * (weights >= least(weights, k)), -1).astype(weights.dtype)


def _logarithm(x: Array, temperature: float = 1.0, k: int | None = None) -> Array:
    z = only_largest(x / temperature, k)
    return z - np.logaddexp.reduce(z, axis=-1, keepdims=True)


def _divided(*, numbers: bool) -> Callable[..., Array]:
    """Only the numbers, or only their maximum, are divided by the temperature."""

    def answer(x: Array, temperature: float = 1.0, k: int | None = None) -> Array:
        z, most = only_largest(x, k), largest(x, -1)
        return shares(np.exp(z / temperature - most if numbers else z - most / temperature), -1)

    return in_numpy(answer)


def _too_large(other: Callable[[Array, float], Array]) -> Callable[..., Array]:
    """Something else comes back where `top_k` is as large as a row, or larger."""

    def answer(x: Array, temperature: float = 1.0, k: int | None = None) -> Array:
        if k is not None and k >= x.shape[-1]:
            return other(x, temperature)
        return softmax(only_largest(x / temperature, k))

    return in_numpy(answer)


def _first_of_equals(z: Array, k: int | None) -> Array:
    """Exactly k, also where rounding has made logits equal."""
    if k is None:
        return z
    best = torch.from_numpy(z).topk(min(k, z.shape[-1])).indices.numpy()
    kept = np.full_like(z, -np.inf)
    np.put_along_axis(kept, best, np.take_along_axis(z, best, -1), -1)
    return kept


def _whole(x: Array, temperature: float) -> Array:
    """PyTorch's own division, which rounds down, and makes NaN of infinity."""
    return (torch.from_numpy(x) // temperature).numpy()


def _without_top_k(reckon: Callable[[Any, int], Any]) -> dict[str, Any]:
    """What is reckoned with `top_k` stops where that is None."""

    def keep(z: Array, k: int | None) -> Array:
        reckon(k, z.shape[-1])
        return only_largest(z, k)

    return {"keep": keep}


def _scattered(values: torch.Tensor, k: int | None) -> torch.Tensor:
    """Values for places and places for values."""
    if k is None:
        return values
    best = values.topk(min(k, values.shape[-1]))
    return torch.full_like(values, -torch.inf).scatter(-1, best.values, best.indices)


def _default(*, temperature: float = 1.0, top_k: int | None = None) -> Callable[..., Array]:
    """Other values where none are given."""
    return lambda x, t=temperature, k=top_k: variant()(x, t, k)


def _in_front(weights: Array, k: int | None) -> Array:
    """Sorted weights: they stand in the first columns, not in those of their tokens."""
    return weights if k is None else np.sort(weights, -1)[..., ::-1]


def _zeroed(weights: Array, k: int | None) -> Array:
    return weights if k is None else np.where(weights < least(weights, k), 0, weights).astype(weights.dtype)


def _over_all(weights: Array, k: int | None) -> Array:
    return weights if k is None else _zeroed(weights, k) / _zeroed(weights, k).sum()


def _multiplied(z: Array, k: int | None) -> Array:
    return z if k is None else z * (z >= least(z, k))


_LOW = "Which logit has the exponential 0, whatever the others are?"
_OWN = "Each row has k largest logits of its own. Which axis does your threshold keep?"
_COUNT = "With top_k = 1, how many tokens should have a share?"
_BEFORE = "The temperature belongs to the logits, before the softmax."
_PLACES = "Column j of the result belongs to token j. Which function puts numbers back where they came from?"

MISTAKES = mistakes(
    variant,
    *rows(
        "temperature-multiplied: You multiplied by the temperature; a high temperature then sharpens instead of flattening.",
        "At temperature 1000, should the probabilities be equal or one-hot?",
        paired(scale=lambda x, temperature: x * temperature),
        "temperature-ignored: The temperature changes nothing: it is not used, or what it does drops out again, as when it is added to all logits or divides all weights.",
        "Only a change of the differences between the logits changes the weights.",
        paired(scale=lambda x, temperature: x),
        "temperature-after-softmax: You divided the weights; they then no longer sum to 1.",
        _BEFORE,
        paired(scale=lambda x, temperature: x, after=lambda weights, temperature, k: weights / temperature),
        "temperature-after-softmax: You multiplied the weights by the temperature; they then no longer sum to 1.",
        {"scale": lambda x, temperature: x, "after": lambda weights, temperature, k: weights * temperature},
        "temperature-after-softmax: You took a power of the weights after the softmax; they then no longer sum to 1.",
        {
            "scale": lambda x, temperature: x,
            "after": lambda weights, temperature, k: weights ** (1 / temperature),
        },
        "temperature-after-softmax: You divided the logits by the temperature, and the weights once more; they then no longer sum to 1.",
        _BEFORE,
        {"after": lambda weights, temperature, k: weights / temperature},
        "softmax-again: You divided the weights of a first softmax by the temperature and took a second softmax of them.",
        "Divide the logits, and take one softmax.",
        {"scale": lambda x, temperature: softmax(x) / temperature},
        {"early": only_largest, "scale": lambda x, temperature: softmax(x) / temperature, "keep": all_kept},
        "scaled-by-sqrt-temperature: You divided by the square root of the temperature.",
        "The temperature itself divides the logits.",
        {"scale": lambda x, temperature: x / np.sqrt(temperature)},
        "temperature-squared: You divided by the temperature twice.",
        "Divide once.",
        {"scale": lambda x, temperature: x / temperature**2},
        "temperature-clamped: You raised low temperatures to a lowest one; every temperature above 0 counts as it is.",
        "Can a small temperature do any harm?",
        {"scale": lambda x, temperature: x / max(temperature, 0.1)},
        "temperature-clamped: You cut high temperatures off; every temperature above 0 counts as it is.",
        "What should the probabilities be at temperature 1000?",
        {"scale": lambda x, temperature: x / min(temperature, 1.0)},
        *(
            part
            for epsilon in (1e-8, 1e-6)
            for part in (
                f"epsilon-too-large: You added {epsilon:g} to the temperature, which shows where the temperature is small.",
                "The temperature is above 0: what would the addition protect from?",
                {"scale": lambda x, temperature, e=epsilon: x / (temperature + e)},
            )
        ),
        "truncates-to-int: The divided logits are rounded down to whole numbers.",
        "What is 3 // 2, and what is 3 / 2?",
        *(
            {"scale": scale, "keep": keep}
            for scale in (lambda x, temperature: np.floor(x / temperature), _whole)
            for keep in (only_largest, _first_of_equals)
        ),
        "truncates-to-int: You cut the temperature off to an integer; below 1 it becomes 0.",
        "What is int(0.5)?",
        {"scale": lambda x, temperature: x / int(temperature)},
        "softmax-missing: You returned logits; the softmax is missing.",
        "What should a row of probabilities add up to?",
        {"shift": nothing, "power": as_it_is, "divide": as_it_is},
        "softmax-missing: Without top_k you return logits; the softmax is missing there.",
        "Which lines of your code run only with top_k?",
        lambda x, temperature=1.0, k=None: x / temperature if k is None else variant()(x, temperature, k),
        "temperature-ignored: Without top_k you do not use the temperature.",
        "Which lines of your code run only with top_k?",
        lambda x, temperature=1.0, k=None: variant()(x, 1.0 if k is None else temperature, k),
        "temperature-ignored: With top_k you do not use the temperature.",
        "Which lines of your code run only without top_k?",
        lambda x, temperature=1.0, k=None: variant()(x, temperature if k is None else 1.0, k),
        "log-softmax: You returned the logarithm of the probabilities.",
        "Probabilities lie between 0 and 1.",
        {"after": lambda weights, temperature, k: np.log(weights)},
        in_numpy(_logarithm),
        "softmax-over-batch: Your softmax runs over the batch: columns sum to 1 where rows should.",
        "Which axis of (B, vocab) are the tokens?",
        paired(axis=0),
        "softmax-over-everything: Your weights sum to 1 over the whole batch; each row should.",
        "Which axis of (B, vocab) are the tokens?",
        paired(axis=None),
        "no-exponential: You divided by the sum without exponentials.",
        "Which function makes every number positive?",
        {"shift": nothing, "power": as_it_is},
        {"shift": nothing, "power": as_it_is, "keep": below(least, 0.0)},
        {"shift": nothing, "power": as_it_is, "keep": _multiplied},
        "operator-precedence: You divided only the maximum by the temperature, not the logits: `x - m / t` is x - (m / t).",
        "Where do parentheses belong?",
        _divided(numbers=False),
        "operator-precedence: You divided the logits by the temperature, but not the maximum you took away: the exponentials overflow, or all become 0.",
        "Take the maximum of what goes into the exponential.",
        _divided(numbers=True),
        "softmax-missing: Where `top_k` is no smaller than the number of tokens you return logits; the softmax is missing there.",
        "Where does each way through your function end?",
        _too_large(lambda x, temperature: x),
        _too_large(lambda x, temperature: x / temperature),
        "temperature-ignored: Where `top_k` is no smaller than the number of tokens you do not use the temperature.",
        "Where does each way through your function end?",
        _too_large(lambda x, temperature: softmax(x)),
        "no-max-subtraction: Your exponentials overflow.",
        "Does `torch.softmax` overflow? What does it take away before the exponential?",
        paired(shift=nothing),
        "no-max-subtraction: Your exponentials overflow, and turning the NaN into 0 only hides it: these weights do not sum to 1.",
        {"shift": nothing, "after": lambda weights, temperature, k: np.nan_to_num(weights)},
        "top-k-ignored: Your `top_k` changes nothing: all tokens keep a share.",
        "Where does `top_k` come in, and does what it changes reach the softmax?",
        paired(keep=all_kept),
        "only-the-largest-kept: You keep the one largest logit whatever `top_k` is.",
        "Which of the k largest do you compare with: the first or the last of them?",
        *_hiding(lambda z, k: z < _kth(lambda k: 1)(z, k)),
        "shares-all-alike: With top_k you give the k tokens equal shares; the softmax of their logits should decide.",
        "Which of the tokens that stay is the likeliest?",
        {"late": _alike},
        {"late": lambda w, k: w if k is not None and k >= w.shape[-1] else _alike(w, k)},
        "mask-after-softmax: You set the other tokens to 0 after the softmax, so the rest of a row no longer sums to 1.",
        "Which comes first: choosing k, or making the row sum to 1?",
        paired(keep=all_kept, late=_zeroed),
        "mask-after-softmax: You put -inf in place of the weights of the other tokens; it belongs in place of their logits, before the softmax.",
        "Which comes first: choosing k, or making the row sum to 1?",
        {"keep": all_kept, "late": lambda w, k: w if k is None else np.where(w < least(w, k), -np.inf, w)},
        "softmax-over-everything: After top_k you divide by the sum over the whole batch; each row should sum to 1.",
        "Which axis does your sum get?",
        {"late": _over_all},
        "softmax-again: With top_k you take a softmax of weights that are made by one already.",
        "How often does a softmax appear in your code?",
        {"keep": lambda z, k: z if k is None else only_largest(softmax(z), k)},
        {"keep": lambda z, k: z if k is None or k >= z.shape[-1] else only_largest(softmax(z), k)},
        "mask-multiplied: The other tokens got a logit of 0, or nearly 0; e^0 is 1, so they still get a share.",
        _LOW,
        paired(keep=below(least, 0.0)),
        {"keep": _multiplied},
        "mask-multiplied: The other tokens got a weight of 0 and then went through the softmax once more; e^0 is 1, so they still get a share.",
        _LOW,
        {"late": lambda w, k: w if k is None else softmax(w)},
        "mask-value-too-small: The other tokens got a low logit, but not low enough: they still get a share beside other low logits.",
        _LOW,
        *(
            {step: below(least, low), **more}
            for low in (-1.0, -1e4)
            for step, more in (("keep", {}), ("early", {"keep": all_kept}))
        ),
        "mask-value-too-small: The other tokens got the k-th largest logit, which is not low enough: they share like that one.",
        _LOW,
        {"keep": lambda z, k: z if k is None else np.maximum(z, least(z, k))},
        "mask-value-too-small: The other tokens got the smallest logit of all, which is not low enough: they still get a share.",
        _LOW,
        {"keep": lambda z, k: z if k is None else np.where(z < least(z, k), z.min(), z).astype(z.dtype)},
        "mask-value-sign: The other tokens got +inf, or NaN, which turns the whole row into NaN; it should be minus infinity.",
        _LOW,
        {"keep": below(least, np.inf)},
        "mask-value-sign: The other tokens got a very large logit, so all the weight goes to them; the minus sign is missing.",
        {"keep": below(least, 1e9)},
        "mask-inverted: The k largest logits are taken out, and all the others stay.",
        "Which tokens should end with probability 0?",
        *_hiding(lambda z, k: z >= least(z, k)),
        "smallest-for-largest: You keep the k smallest logits; the k largest should stay.",
        "In which direction do you sort, or which end of the sorted row do you take?",
        *_hiding(lambda z, k: z > np.sort(z, -1)[..., min(k, z.shape[-1]) - 1, None], pairs=True),
        "first-columns-kept: You keep the first k columns, whichever logits stand there; the k largest of each row should stay.",
        "What decides which tokens stay: their number, or their logit?",
        *_hiding(lambda z, k: np.arange(z.shape[-1]) >= k),
        "off-by-one: You keep k + 1 tokens of a row.",
        _COUNT,
        *_hiding(lambda z, k: z < _kth(lambda k: k + 1)(z, k), pairs=True),
        *_hiding(lambda z, k: z < _unchecked(lambda k: k)(z, k)),
        "off-by-one: You keep k - 1 tokens of a row, with top_k = 1 none: the k-th largest logit should stay too.",
        "Should the comparison with the k-th largest be `<` or `<=`?",
        *_hiding(lambda z, k: z <= least(z, k), pairs=True),
        "off-by-one: You keep k - 1 tokens of a row: the k-th largest logit should stay too.",
        _COUNT,
        *_hiding(lambda z, k: z < _kth(lambda k: k - 1)(z, k)),
        "off-by-one: You keep k - 1 tokens of a row, and with top_k = 1 all: counted from the end, place -0 is the first.",
        _COUNT,
        *_hiding(lambda z, k: z < np.sort(z, -1)[..., -min(k - 1, z.shape[-1]), None]),
        "one-threshold-for-all: You keep the k largest of the whole batch; each row has k of its own.",
        _OWN,
        *_hiding(lambda z, k: z < np.sort(z, None)[-min(k, z.size)]),
        *_hiding(lambda z, k: z < np.sort(z, None)[-min(k, z.shape[-1])]),
        "one-threshold-for-all: You compare all rows with the k-th largest logit of the first one.",
        _OWN,
        *_hiding(lambda z, k: z < least(z, k)[:1]),
        "one-threshold-for-all: You compare all rows with the k-th largest logit of the last one.",
        _OWN,
        *_hiding(lambda z, k: z < least(z, k)[-1:]),
        "one-threshold-for-all: You compare all rows with the smallest of their k-th largest logits.",
        _OWN,
        *_hiding(lambda z, k: z < least(z, k).min()),
        "one-threshold-for-all: You compare all rows with the largest of their k-th largest logits.",
        _OWN,
        *_hiding(lambda z, k: z < least(z, k).max()),
        "top-k-of-first-row: All rows keep the tokens that are largest in the first one.",
        _OWN,
        *_hiding(lambda z, k: z[:1] < least(z, k)[:1]),
        "keepdims-forgotten: Your thresholds have lost an axis: they meet the columns, or fit nothing at all.",
        "One threshold for each row: which shape must they have to meet (B, vocab)?",
        *_hiding(lambda z, k: z < least(z, k)[..., 0]),
        "keepdims-forgotten: You compare the logits with `values[-1]`, the k largest of the last row, not the last of the k largest of each.",
        "Which shape has what `torch.topk` gives, and which axis does your index count?",
        *_hiding(lambda z, k: z < np.sort(z, -1)[-1, ::-1][:k]),
        "batch-taken-for-vocab: You keep no more tokens than there are rows: `top_k` is cut off at B in place of vocab.",
        "Which axis of (B, vocab) are the tokens?",
        *_hiding(lambda z, k: z < least(z, min(k, len(z)))),
        "order-for-rank: You compare `argsort` with k: it tells which token stands at each place, not at which place each token stands.",
        "The first k of an `argsort`: what are they, and what can you index with them?",
        *_hiding(lambda z, k: torch.from_numpy(z).argsort(-1, descending=True).numpy() >= k),
        "topk-over-batch: Your k largest are those of each column, over the batch; they should be those of each row.",
        "Which axis of (B, vocab) are the tokens?",
        *_hiding(lambda z, k: z < np.sort(z, 0)[-min(k, len(z))]),
        *_hiding(lambda z, k: z < torch.from_numpy(z).topk(k, dim=0).values[-1:].numpy()),
        "blocked-keys-removed: You returned k numbers for a row; each token needs one, if only 0.",
        _PLACES,
        {"early": _only_the_best(), "keep": all_kept},
        {"early": _only_the_best(lambda z: np.sort(z, -1)), "keep": all_kept},
        {"keep": all_kept, "late": _only_the_best()},
        "sorted-tokens: Your probabilities are right, but sorted: they stand in the first columns, not in those of their tokens.",
        _PLACES,
        {"late": _in_front},
        "sorted-tokens: Your probabilities are sorted, also without top_k: column j should belong to token j.",
        _PLACES,
        {"late": lambda w, k: np.sort(w, -1)[..., ::-1]},
        {"late": lambda w, k: np.sort(w, -1)},
        "returns-token: You returned the likeliest token of each row; a probability for every token is asked for.",
        "Which shape should the result have?",
        {"after": lambda weights, temperature, k: weights.argmax(-1)},
        {"after": lambda weights, temperature, k: weights.argmax(-1)[:, None]},
        "returns-largest: You returned the largest probability of each row; every token needs one.",
        "Which shape should the result have?",
        {"after": lambda weights, temperature, k: weights.max(-1)},
        {"after": lambda weights, temperature, k: weights.max(-1), "keep": all_kept},
        {"after": lambda weights, temperature, k: weights.max(-1, keepdims=True)},
        "first-batch-only: Only the first row is left of the result.",
        "Which step drops rows?",
        {"after": lambda weights, temperature, k: weights[0]},
        {"after": lambda weights, temperature, k: weights[:1]},
        "only-last-token: Only the last row is left of the result.",
        "Which step drops rows?",
        {"after": lambda weights, temperature, k: weights[-1]},
        {"after": lambda weights, temperature, k: weights[-1:]},
        "shape-flattened: You removed axes of size 1: one row is still a matrix with one row.",
        "Does the number of axes depend on the sizes?",
        {"after": lambda weights, temperature, k: weights.squeeze()},
        "topk-too-large: Your code stops where `top_k` is larger than the number of tokens; all of them should stay then.",
        "How many largest logits can a row have at most?",
        _stops(lambda z, k: torch.topk(z, k, dim=-1)),
        _stops(lambda z, k: z.sort(dim=-1, descending=True).values[:, k - 1]),
        _stops(lambda z, k: z.sort(dim=-1).values[:, -k]),
        _stops(lambda z, k: torch.kthvalue(z, z.shape[-1] - k + 1, dim=-1)),
        _stops(lambda z, k: np.partition(z.numpy(), -k, axis=-1)),
        "topk-too-large: Where `top_k` is larger than the number of tokens you return nothing usable: all of them should stay then.",
        "How many largest logits can a row have at most?",
        {
            "after": lambda w, temperature, k: (
                np.full_like(w, np.nan) if k is not None and k > w.shape[-1] else w
            )
        },
        {"after": lambda w, temperature, k: None if k is not None and k > w.shape[-1] else w},
        "topk-too-large: Where `top_k` is larger than the number of tokens, a count from the end runs past the row: only some tokens stay, where all should.",
        "How many largest logits can a row have at most?",
        {"keep": below(lambda z, k: np.sort(z, -1)[..., max(z.shape[-1] - k, -z.shape[-1]), None])},
        "none-compared: Without top_k it is None, and your code reckons with it as with a number.",
        "Which line should run only where `top_k` is not None?",
        _without_top_k(lambda k, vocab: k < vocab),
        _without_top_k(lambda k, vocab: k > vocab),
        _without_top_k(lambda k, vocab: k <= vocab),
        _without_top_k(lambda k, vocab: k >= vocab),
        _without_top_k(lambda k, vocab: vocab > k),
        _without_top_k(lambda k, vocab: vocab - k),
        _without_top_k(lambda k, vocab: k - 1),
        _without_top_k(lambda k, vocab: -k),
        _without_top_k(
            lambda k, vocab: (
                torch.zeros(1, vocab).topk(min(k or vocab, vocab)) if k else torch.zeros(1, vocab).topk(k)
            )
        ),
        "values-for-indices: What you give as places holds no whole numbers: are values and indices exchanged?",
        "In which order does `topk` give its two results?",
        lambda x, temperature=1.0, k=None: torch.softmax(_scattered(x / temperature, k), -1),
        "temperature-as-axis: Your softmax gets a number that is not whole for its axis: its second argument is no temperature.",
        "Where does the temperature come in: inside the softmax, or before it?",
        lambda x, temperature=1.0, k=None: F.softmax(x, temperature),
        lambda x, temperature=1.0, k=None: torch.softmax(x, temperature),
        "wrong-default: Without the argument your temperature is not 1.",
        "Which temperature leaves the logits as they are?",
        *(_default(temperature=value) for value in (0.1, 0.5, 0.7, 0.8, 0.9, 2.0)),
        "wrong-default: Without the argument your `top_k` is a number; then all tokens should stay.",
        "What stands in the line of your `def` behind `top_k`?",
        *(_default(top_k=value) for value in (1, 2, 3, 4, 5, 10, 20, 40, 50)),
    ),
    *without(known.POWERS, "lost-sign"),
    *only(known.SHARES, "not-normalised", "mean-instead-of-sum", "epsilon-too-large"),
    *alone(known.KEEPDIMS),
    *alone(known.SHIFTS),
    *known.AGAIN,
    *in_step("after", only(CHANGES, "returns-list", "returns-none")),
    it="the result",
    number="logit",
    numbers="logits",
    all_powers="all exponentials",
    no_epsilon=known.CAN_IT_BE_0,
)
