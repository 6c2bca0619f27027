"""What people get wrong in `best_match`: the same function with one step replaced."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from helpers.exercises.base import Mistake, replaceable


@replaceable
def variant(
    *,
    measure: Callable[[np.ndarray, np.ndarray], np.ndarray] = lambda query, keys: keys @ query,
    pick: Callable[[np.ndarray], Any] = lambda scores: int(np.argmax(scores)),
    after: Callable[[Any, np.ndarray], Any] = lambda place, keys: place,
) -> Callable[..., Any]:
    """The search for the best key with one or more of its steps replaced by a wrong one."""
    return lambda query, keys: after(pick(measure(query, keys)), keys)


def _lengths(keys: np.ndarray) -> np.ndarray:
    return np.sqrt((keys**2).sum(axis=1))


def _cosines(query: np.ndarray, keys: np.ndarray) -> np.ndarray:
    return (keys @ query) / np.maximum(_lengths(keys), 1e-12)


def _last(scores: np.ndarray) -> int:
    return len(scores) - 1 - int(np.argmax(scores[::-1]))


def _last_positive(scores: np.ndarray) -> int:
    positive = np.flatnonzero(scores > 0)
    return int(positive[-1]) if positive.size else 0


def _last_rise(scores: np.ndarray) -> int:
    """Compares each score with the one before it only."""
    rises = np.flatnonzero(np.diff(scores) > 0)
    return int(rises[-1]) + 1 if rises.size else 0


def _top(scores: np.ndarray) -> int:
    return int(torch.topk(torch.from_numpy(scores), 1).indices[0])


def _in_place(query: np.ndarray, keys: np.ndarray) -> np.ndarray:
    keys *= query
    return keys.sum(axis=1)


MISTAKES = (
    Mistake(
        "returns-value-instead-of-index",
        "You returned the largest dot product itself; the exercise asks for the index of its key.",
        variant(pick=np.max),
        "Which row of keys is it?",
    ),
    Mistake(
        "returns-value-instead-of-index",
        "You returned the key itself; the exercise asks for its index.",
        variant(after=lambda place, keys: keys[place]),
        "Return the number of the row.",
    ),
    Mistake(
        "returns-all-scores",
        "You returned the dot products of all keys; the exercise asks for the place of the largest.",
        variant(pick=lambda scores: scores),
        "Which number in your result is the largest, and where does it stand?",
    ),
    Mistake(
        "returns-order",
        "You returned an order of all keys; the exercise asks for the best one alone.",
        variant(pick=np.argsort),
        "`argsort` sorts all; which function gives the place of the largest?",
    ),
    Mistake(
        "returns-order",
        "You returned an order of all keys; the exercise asks for the best one alone.",
        variant(pick=lambda scores: np.argsort(-scores, kind="stable")),
        "Which entry of your result is asked for?",
    ),
    Mistake(
        "returns-list",
        "You returned the places of all the best keys in one array; the exercise asks for one number, the first of them.",
        variant(pick=lambda scores: np.flatnonzero(scores == scores.max())),
        "Which of the places is asked for?",
    ),
    Mistake(
        "returns-list",
        "You returned a tuple with the places of all the best keys; the exercise asks for one number, the first of them.",
        variant(pick=lambda scores: np.where(scores == scores.max())),
        "Which of the places is asked for?",
    ),
    Mistake(
        "returns-index-and-value",
        "You returned the index and the dot product; the exercise asks for the index alone.",
        variant(pick=lambda scores: (int(np.argmax(scores)), np.max(scores))),
        "How many numbers should come back?",
    ),
    Mistake(
        "returns-one-hot",
        "You marked the best keys in an array; the exercise asks for the index of the first of them.",
        variant(pick=lambda scores: (scores == scores.max()).astype(int)),
        "How many numbers should come back?",
    ),
    Mistake(
        "returns-one-hot",
        "You marked the best keys in an array; the exercise asks for the index of the first of them.",
        variant(pick=lambda scores: scores == scores.max()),
        "How many numbers should come back?",
    ),
    Mistake(
        "returns-float-index",
        "Your index is a float; rows are counted with whole numbers.",
        variant(after=lambda place, keys: float(place)),
        "Would `keys[2.0]` give you a row?",
    ),
    Mistake(
        "argmin",
        "You picked the key with the smallest dot product.",
        variant(pick=lambda scores: int(np.argmin(scores))),
        "Does a good match have a large or a small dot product?",
    ),
    Mistake(
        "last-on-tie",
        "On a tie you return the last of the best keys; the exercise asks for the first.",
        variant(pick=_last),
        "Does your comparison use `>=` where `>` is meant?",
    ),
    Mistake(
        "last-on-tie",
        "You take the last place of a sorted order: on a tie a later one of the best keys stands there; the exercise "
        "asks for the first.",
        variant(pick=lambda scores: int(np.argsort(scores)[-1])),
        "Which of the best keys does `np.argmax` give?",
    ),
    Mistake(
        "last-on-tie",
        "You take the last place of a partition: on a tie a later one of the best keys stands there; the exercise asks "
        "for the first.",
        variant(pick=lambda scores: int(np.argpartition(scores, -1)[-1])),
        "Which of the best keys does `np.argmax` give?",
    ),
    Mistake(
        "unstable-sort",
        "You sort, and this sort does not keep equal scores in their order: on a tie any of the best keys may come "
        "first. The exercise asks for the one with the smallest index.",
        variant(pick=lambda scores: int(np.argsort(-scores)[0])),
        "You need no sort to find the largest; one that keeps the order of equals is called stable.",
    ),
    Mistake(
        "unstable-sort",
        "You take the top of the scores, and equal ones do not keep their order there: on a tie any of the best keys may "
        "come first. The exercise asks for the one with the smallest index.",
        variant(pick=_top),
        "Which function gives the place of the largest, and the first one on a tie?",
    ),
    Mistake(
        "second-best",
        "You picked the second best key.",
        variant(pick=lambda scores: int(np.argsort(-scores, kind="stable")[min(1, len(scores) - 1)])),
        "Which end of the sorted scores do you look at?",
    ),
    Mistake(
        "best-not-updated",
        "Your answer is always the last key: you never keep the best score found so far.",
        lambda query, keys: len(keys) - 1,
        "With which number do you compare each score, and when does it change?",
    ),
    Mistake(
        "best-not-updated",
        "Your answer is the last key whose score is larger than 0: you never keep the best score found so far.",
        variant(pick=_last_positive),
        "With which number do you compare each score, and when does it change?",
    ),
    Mistake(
        "best-not-updated",
        "You compare each score only with the one before it, not with the best so far.",
        variant(pick=_last_rise),
        "With which number do you compare each score, and when does it change?",
    ),
    Mistake(
        "returned-inside-loop",
        "Your answer is always 0, the first key: the others are never compared.",
        lambda query, keys: 0,
        "How far is your `return` indented?",
    ),
    Mistake(
        "cosine-instead-of-dot",
        "You matched by the cosine. With the dot product a longer key can win.",
        variant(measure=_cosines),
        "Do you divide by the length of the keys?",
    ),
    Mistake(
        "lost-sign",
        "You ignored the sign: a key that points the other way is the worst match, not the best.",
        variant(measure=lambda query, keys: np.abs(keys @ query)),
        "Is -5 a better match than 3?",
    ),
    Mistake(
        "lost-sign",
        "You dropped the minus signs of the products before adding: what points the other way must count against a key.",
        variant(measure=lambda query, keys: np.abs(keys * query).sum(axis=1)),
        "Where in your code does a minus sign get lost?",
    ),
    Mistake(
        "starts-at-zero",
        "Your best score starts at 0, so keys with negative dot products can never win.",
        variant(measure=lambda query, keys: np.maximum(keys @ query, 0)),
        "What should the first key be compared with?",
    ),
    Mistake(
        "starts-at-zero",
        "Your best score starts at 0, so when all dot products are negative no key wins, and you return -1.",
        variant(pick=lambda scores: int(np.argmax(scores)) if scores.max() > 0 else -1),
        "What should the first key be compared with?",
    ),
    Mistake(
        "starts-at-zero",
        "Your best score starts at 0, so when all dot products are negative no key wins, and you return nothing.",
        variant(pick=lambda scores: int(np.argmax(scores)) if scores.max() > 0 else None),
        "What should the first key be compared with?",
    ),
    Mistake(
        "euclidean-distance",
        "You picked the nearest key by distance; the exercise asks for the largest dot product.",
        variant(measure=lambda query, keys: -((keys - query) ** 2).sum(axis=1)),
        "Which operation compares the query with a key here?",
    ),
    Mistake(
        "euclidean-distance",
        "You picked the nearest key by the sum of the differences; the exercise asks for the largest dot product.",
        variant(measure=lambda query, keys: -np.abs(keys - query).sum(axis=1)),
        "Which operation compares the query with a key here?",
    ),
    Mistake(
        "euclidean-distance",
        "You picked the key farthest away; the exercise asks for the largest dot product.",
        variant(measure=lambda query, keys: ((keys - query) ** 2).sum(axis=1)),
        "Which operation compares the query with a key here?",
    ),
    Mistake(
        "query-not-used",
        "You picked the longest key, whatever the query asks.",
        variant(measure=lambda query, keys: _lengths(keys)),
        "Does the query appear in your code?",
    ),
    Mistake(
        "query-not-used",
        "You picked the key with the largest sum, whatever the query asks.",
        variant(measure=lambda query, keys: keys.sum(axis=1)),
        "Does the query appear in your code?",
    ),
    Mistake(
        "added-instead-of-multiplied",
        "You picked the key with the largest single entry: nothing was added up as a dot product does.",
        variant(measure=lambda query, keys: keys.max(axis=1)),
        "Does the query appear in your code?",
    ),
    Mistake(
        "wrong-argmax-axis",
        "You looked for the largest of all single products; their sum for each key is missing.",
        variant(measure=lambda query, keys: (keys * query).ravel()),
        "How many numbers does one key have, and how many dot products?",
    ),
    Mistake(
        "wrong-argmax-axis",
        "You returned one index for each feature; add up the products of each key first.",
        variant(pick=lambda scores: scores, measure=lambda query, keys: np.argmax(keys * query, axis=0)),
        "Which axis runs over the keys, and how many numbers should come back?",
    ),
    Mistake(
        "wrong-argmax-axis",
        "You returned one index for each key; add up the products of each key first.",
        variant(pick=lambda scores: scores, measure=lambda query, keys: np.argmax(keys * query, axis=1)),
        "Which axis runs over the keys, and how many numbers should come back?",
    ),
    Mistake(
        "wrong-argmax-axis",
        "You added up over the keys and looked for the best feature.",
        variant(measure=lambda query, keys: (keys * query).sum(axis=0)),
        "Over which axis does the dot product of one key add up?",
    ),
    Mistake(
        "max-for-sum",
        "You compared the largest single product of each key; the dot product adds them up.",
        variant(measure=lambda query, keys: (keys * query).max(axis=1)),
        "Which function joins the products of one key?",
    ),
    Mistake(
        "one-feature-only",
        "You compared only the first entry of each key.",
        variant(measure=lambda query, keys: keys[:, 0] * query[0]),
        "Which entries does your dot product add up?",
    ),
    Mistake(
        "one-feature-only",
        "You compared only the last entry of each key.",
        variant(measure=lambda query, keys: keys[:, -1] * query[-1]),
        "Which entries does your dot product add up?",
    ),
    Mistake(
        "outer-product",
        "You multiplied the sums of query and key; each entry meets only the entry at the same place.",
        variant(measure=lambda query, keys: keys.sum(axis=1) * query.sum()),
        "Which entry of the key belongs to the first entry of the query?",
    ),
    Mistake(
        "no-transpose",
        "You put the query on the left of the keys: it meets their columns, not their rows.",
        variant(measure=lambda query, keys: query @ keys),
        "Which axis of `keys` must have the length of the query?",
    ),
    Mistake(
        "no-transpose",
        "You put the query on the left of the keys: it meets their columns, not their rows.",
        variant(measure=lambda query, keys: np.dot(query, keys)),
        "Which axis of `keys` must have the length of the query?",
    ),
    Mistake(
        "no-transpose",
        "You turned the keys: the query meets their columns, not their rows.",
        variant(measure=lambda query, keys: keys.T @ query),
        "Which axis of `keys` must have the length of the query?",
    ),
    Mistake(
        "off-by-one",
        "You counted from 1; Python counts rows from 0.",
        variant(after=lambda place, keys: place + 1),
        "Which index has the first key?",
    ),
    Mistake(
        "off-by-one",
        "Your index is one too small.",
        variant(after=lambda place, keys: place - 1),
        "Which index has the first key?",
    ),
    Mistake(
        "counted-from-the-end",
        "You counted the rows from the end.",
        variant(after=lambda place, keys: place - len(keys)),
        "Which index has the first key?",
    ),
    Mistake(
        "counted-from-the-end",
        "You counted the rows from the end.",
        variant(after=lambda place, keys: len(keys) - 1 - place),
        "Do you turn the scores round somewhere?",
    ),
    Mistake(
        "last-left-out",
        "You never look at the last key.",
        variant(measure=lambda query, keys: keys[:-1] @ query),
        "Which indices does your loop or slice visit?",
    ),
    Mistake(
        "last-left-out",
        "You never look at the first key, and count from the second.",
        variant(measure=lambda query, keys: keys[1:] @ query),
        "Which indices does your loop or slice visit?",
    ),
    Mistake(
        "last-left-out",
        "You never look at the first key.",
        variant(measure=lambda query, keys: np.r_[-np.inf, keys[1:] @ query]),
        "Which indices does your loop or slice visit?",
    ),
    Mistake(
        "truncates-to-int",
        "You cut the dot products off to whole numbers; those that differ by less than 1 may then tie.",
        variant(measure=lambda query, keys: np.trunc(keys @ query)),
        "Look for `int`, `//` or an array made for whole numbers.",
    ),
    Mistake(
        "truncates-to-int",
        "You rounded the dot products to whole numbers; those that differ by less than 1 may then tie.",
        variant(measure=lambda query, keys: np.round(keys @ query)),
        "Look for `round`.",
    ),
    Mistake(
        "input-changed",
        "You changed the caller's keys; compute new arrays and leave the inputs alone.",
        variant(measure=_in_place),
        "`keys *= query` writes into keys; `keys * query` makes a new array.",
    ),
)
