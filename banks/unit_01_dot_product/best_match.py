"""Right and wrong answers to `best_match`, as learners write them."""

import numpy as np
import torch

from banks.registry import add_wrong, right, wrong

# Right answers, each in its own style


@right("best_match", "argmax of @")
def best_match_argmax(query, keys):
    return np.argmax(keys @ query)


@right("best_match", "int of argmax of einsum")
def best_match_einsum(query, keys):
    return int(np.einsum("d,nd->n", query, keys).argmax())


@right("best_match", "loop with a strict comparison")
def best_match_loop(query, keys):
    best, best_score = 0, float("-inf")
    for i, key in enumerate(keys):
        score = sum(float(q) * float(k) for q, k in zip(query, key, strict=True))
        if score > best_score:
            best, best_score = i, score
    return best


@right("best_match", "max with a key")
def best_match_max(query, keys):
    return max(range(len(keys)), key=lambda i: query @ keys[i])


@right("best_match", "stable sort")
def best_match_sort(query, keys):
    return np.argsort(-(keys * query).sum(axis=1), kind="stable")[0]


@right("best_match", "list.index of the maximum")
def best_match_index(query, keys):
    scores = np.inner(keys, query).tolist()
    return scores.index(max(scores))


@right("best_match", "flatnonzero of the maxima")
def best_match_flatnonzero(query, keys):
    scores = query @ keys.T
    return np.flatnonzero(scores == scores.max())[0]


@right("best_match", "torch.argmax, the library call")
def best_match_torch(query, keys):
    return torch.argmax(torch.tensor(keys) @ torch.tensor(query)).item()


@right("best_match", "torch, a 0-d array")
def best_match_torch_array(query, keys):
    return torch.mv(torch.from_numpy(keys), torch.from_numpy(query)).argmax().numpy()


@right("best_match", "tuples compared")
def best_match_tuples(query, keys):
    return -max((np.dot(key, query), -i) for i, key in enumerate(keys))[1]


@right("best_match", "python max with key=, range: first wins")
def best_match_11(query, keys):
    s = [sum(float(p) * float(q) for p, q in zip(query, k)) for k in keys]
    return max(range(len(s)), key=s.__getitem__)


@right("best_match", "stable argsort of negatives, np.int64")
def best_match_12(query, keys):
    return np.argsort(-(keys @ query), kind="stable")[0]


@right("best_match", "nonzero of equality with max")
def best_match_13(query, keys):
    s = keys @ query
    return np.flatnonzero(s == s.max())[0]


# Wrong answers, those with one mistake together


@wrong("best_match", "cosine-instead-of-dot", note="right for keys of equal length")
def best_cosine(query, keys):
    return int(np.argmax(keys @ query / (np.linalg.norm(keys, axis=1) + 1e-12)))


@wrong("best_match", "argmin")
def best_argmin(query, keys):
    return int(np.argmin(keys @ query))


@wrong("best_match", "argmin", note="Sorts with argsort ascending and takes [0]: the least similar key")
def best_match_26(query, keys):
    return int(np.argsort(keys @ query)[0])


@wrong("best_match", "last-on-tie")
def best_last(query, keys):
    scores = keys @ query
    return len(scores) - 1 - int(np.argmax(scores[::-1]))


@wrong("best_match", "last-on-tie", note=">= in the loop")
def best_loop_ge(query, keys):
    best, where = -np.inf, 0
    for i, key in enumerate(keys):
        if key @ query >= best:
            best, where = key @ query, i
    return where


@wrong("best_match", "last-on-tie", note="argsort()[-1]")
def best_argsort(query, keys):
    return int(np.argsort(keys @ query, kind="stable")[-1])


@wrong(
    "best_match", "last-on-tie", note="Sorts and takes the last index, which on a tie is not the first key."
)
def best_2(query, keys):
    order = np.argsort(keys @ query, kind="stable")
    return int(order[-1])


@wrong("best_match", "last-on-tie", note="on a tie the partition puts any of the best keys last")
def best_by_argpartition(query, keys):
    return int(np.argpartition(keys @ query, -1)[-1])


@wrong("best_match", "last-on-tie", note="the end of a sorted order")
def best_at_the_end(query, keys):
    scores = [float(np.dot(query, key)) for key in keys]
    return int(np.argsort(scores)[-1])


@wrong("best_match", "last-on-tie", note="Uses >= in the loop so the last key wins a tie")
def best_match_22(query, keys):
    best, idx = -np.inf, 0
    for i, k in enumerate(keys):
        s = query @ k
        if s >= best:
            best, idx = s, i
    return idx


@wrong("best_match", "euclidean-distance")
def best_euclid(query, keys):
    return int(np.argmin(np.linalg.norm(keys - query, axis=1)))


@wrong(
    "best_match",
    "euclidean-distance",
    note="Picks the nearest key by distance, not the one with the largest dot product.",
)
def best_4(query, keys):
    distances = [np.sqrt(((query - k) ** 2).sum()) for k in keys]
    return distances.index(min(distances))


@wrong("best_match", "euclidean-distance", note="Picks the nearest key (smallest Euclidean distance)")
def best_match_24(query, keys):
    return int(np.argmin(np.linalg.norm(keys - query, axis=1)))


@wrong("best_match", "lost-sign", note="right when no score is negative")
def best_abs(query, keys):
    return int(np.argmax(np.abs(keys @ query)))


@wrong("best_match", "lost-sign", note="Takes the absolute value first, so a strongly opposite key wins.")
def best_5(query, keys):
    return int(np.argmax(np.abs(np.einsum("d,nd->n", query, keys))))


@wrong("best_match", "lost-sign", note="argmax of absolute score")
def best_match_25(query, keys):
    return int(np.argmax(np.abs(keys @ query)))


@wrong("best_match", "returns-value-instead-of-index")
def best_score(query, keys):
    return np.max(keys @ query)


@wrong("best_match", "returns-value-instead-of-index", note="the key itself")
def best_key(query, keys):
    return keys[np.argmax(keys @ query)]


@wrong("best_match", "returns-value-instead-of-index", note="Returns the winning key vector, not its index.")
def best_6(query, keys):
    scores = keys @ query
    return keys[np.argmax(scores)]


@wrong("best_match", "returns-value-instead-of-index", note="Returns the best score and not its index")
def best_match_27(query, keys):
    return max(keys @ query)


@wrong("best_match", "wrong-argmax-axis", note="argmax over all products, flattened")
def best_flat(query, keys):
    return int(np.argmax(keys * query))


@wrong("best_match", "wrong-argmax-axis", note="one index per feature")
def best_axis_zero(query, keys):
    return np.argmax(keys * query, axis=0)


@wrong(
    "best_match",
    "wrong-argmax-axis",
    note="argmax over all single products of the (n, d) array, so the index counts entries and not keys.",
)
def best_3(query, keys):
    return np.argmax(query * keys)


@wrong(
    "best_match",
    "wrong-argmax-axis",
    note="Flattened argmax of elementwise product keys*query (no sum): index may exceed n",
)
def best_match_28(query, keys):
    return int(np.argmax(keys * query))


@wrong("best_match", "returns-list", note="all the winners")
def best_all(query, keys):
    scores = keys @ query
    return np.flatnonzero(scores == scores.max())


@wrong("best_match", "starts-at-zero", note="wrong when every score is negative")
def best_start_zero(query, keys):
    best, where = 0.0, 0
    for i, key in enumerate(keys):
        if key @ query > best:
            best, where = key @ query, i
    return where


@wrong(
    "best_match",
    "starts-at-zero",
    note="The running maximum starts at 0, so when all dot products are negative nothing ever wins.",
)
def best_1(query, keys):
    best, best_score = 0, 0
    for i, key in enumerate(keys):
        score = sum(q * k for q, k in zip(query, key))
        if score > best_score:
            best, best_score = i, score
    return best


@wrong("best_match", "starts-at-zero", note="Initialises best = 0, so all-negative products return key 0")
def best_match_23(query, keys):
    best, idx = 0, 0
    for i, k in enumerate(keys):
        s = np.dot(query, k)
        if s > best:
            best, idx = s, i
    return idx


@wrong("best_match", "query-not-used", note="the longest key")
def best_longest(query, keys):
    return int(np.argmax(np.linalg.norm(keys, axis=1)))


@wrong("best_match", "off-by-one", note="counted from 1")
def best_one_based(query, keys):
    return int(np.argmax(keys @ query)) + 1


@wrong("best_match", "last-left-out", note="never looks at the last key")
def best_skip_last(query, keys):
    return int(np.argmax(keys[:-1] @ query))


@wrong(
    "best_match",
    "off-by-one",
    note="Skips key 0 as the starting point and forgets to add 1 back to the index.",
)
def best_7(query, keys):
    scores = [float(np.dot(query, k)) for k in keys[1:]]
    if not scores or np.dot(query, keys[0]) >= max(scores):
        return 0
    return int(np.argmax(scores))


@wrong("best_match", "returns-one-hot")
def best_one_hot(query, keys):
    scores = keys @ query
    return (scores == scores.max()).astype(int)


@wrong("best_match", "input-changed")
def best_in_place(query, keys):
    keys *= query
    return int(np.argmax(keys.sum(axis=1)))


@wrong("best_match", "truncates-to-int", note="scores within 1 of each other tie")
def best_int(query, keys):
    return int(np.argmax((keys @ query).astype(int)))


@wrong("best_match", "max-for-sum", note="largest single product")
def best_max_product(query, keys):
    return int(np.argmax((keys * query).max(axis=1)))


@wrong("best_match", "state-between-calls", note="remembers the best score of earlier calls")
def best_remembers(query, keys, best=[-np.inf, 0]):
    for i, key in enumerate(keys):
        if key @ query > best[0]:
            best[:] = [key @ query, i]
    return best[1]


@wrong("best_match", "random-on-tie", note="any of the best keys on a tie, not the first")
def best_random(query, keys):
    scores = keys @ query
    return int(np.random.default_rng().choice(np.flatnonzero(scores == scores.max())))


@wrong(
    "best_match",
    "cosine-instead-of-dot+last-on-tie",
    note="Divides by the key lengths and uses >= so the later of two equal keys wins.",
)
def best_8(query, keys):
    best, top = 0, -np.inf
    for i in range(len(keys)):
        norm = np.linalg.norm(keys[i])
        s = query @ keys[i] / norm if norm > 0 else 0.0
        if s >= top:
            top, best = s, i
    return best


@wrong("best_match", "unstable-sort", note="on a tie the sort puts any of the best keys first")
def best_by_argsort(query, keys):
    return np.argsort(-(keys @ query))[0]


@wrong("best_match", "unstable-sort", note="the same, written with a slice")
def best_of_the_top(query, keys):
    top = np.argsort(-np.dot(keys, query))[:1]
    return int(top[0])


@wrong("best_match", "unstable-sort", note="PyTorch's topk keeps no order among equal scores either")
def best_by_topk(query, keys):
    scores = torch.as_tensor(keys) @ torch.as_tensor(query)
    return int(torch.topk(scores, 1).indices[0])


@wrong("best_match", "float32")
def best_match_float32(query, keys):
    return int(np.argmax(keys.astype(np.float32) @ query.astype(np.float32)))


@wrong("best_match", "sorted-before-index")
def best_match_sorted_before_index(query, keys):
    scores = [np.dot(query, k) for k in keys]
    scores.sort()
    return scores.index(max(scores))


@wrong("best_match", "returns-string", note="a word of the notebook is looked up with the index")
def best_match_word(query, keys):
    words = ["a cup", "tools", "a film"] + 300 * ["more"]
    return words[np.argmax(keys @ query)]


@wrong("best_match", "float32", note="rounds the dot products to one digit, and the tenth digit is lost")
def best_match_rounded_to_a_digit(query, keys):
    return int(np.argmax(np.round(keys @ query, 1)))


@wrong("best_match", "best-not-updated")
def best_match_against_the_first_key(query, keys):
    best, first = 0, keys[0] @ query
    for i in range(1, len(keys)):
        if keys[i] @ query > first:
            best = i
    return best


@wrong("best_match", "no-max-subtraction", note="exponentials overflow, or are all 0")
def best_match_of_overflowing_weights(query, keys):
    weights = np.exp(keys @ query)
    return int((weights / weights.sum()).argmax())


def _from(start, best=0):
    """A search for the largest that starts at a number."""

    def search(query, keys):
        score, place = start, best
        for i in range(len(keys)):
            if keys[i] @ query > score:
                score, place = keys[i] @ query, i
        return place

    return search


for start in (-1, -10, -100, -999, -1000, -100000, -1e9, -(2**63)):
    add_wrong("best_match", "starts-at-zero", _from(start), f"the best score starts at {start}")
add_wrong(
    "best_match", "starts-at-zero", _from(-1000, None), "the best score starts at -1000, and there is no key"
)


@right("best_match", "a loop from minus infinity")
def best_match_from_minus_infinity(query, keys):
    return _from(-np.inf)(query, keys)


@wrong("best_match", "square-only", note="a loop over the entries of the query, not over the keys")
def best_match_among_the_first_keys(query, keys):
    scores = []
    for i in range(len(query)):
        scores.append(query @ keys[i])
    return scores.index(max(scores))


@wrong("best_match", "hard-lookup", note="searches for a key that equals the query")
def best_match_that_equals_the_query(query, keys):
    for i in range(len(keys)):
        if np.array_equal(keys[i], query):
            return i
    return 0
