"""Right and wrong answers to `to_blocked`, as learners write them."""

import numpy as np
import torch

from banks.registry import add_right, right, wrong

# Right answers, each in its own style


@right("to_blocked", "~")
def blocked_invert(allowed):
    return ~allowed


@right("to_blocked", "== False")
def blocked_equal(allowed):
    return allowed == False


@right("to_blocked", "1 - allowed, back to bool")
def blocked_allowed_back_bool(allowed):
    return (1 - allowed.astype(int)).astype(bool)


@right("to_blocked", "exclusive or")
def blocked_xor(allowed):
    return allowed ^ True


@right("to_blocked", "np.where")
def blocked_where(allowed):
    return np.where(allowed, False, True)


@right("to_blocked", "loop over every entry")
def blocked_loop(allowed):
    result = np.empty(allowed.shape, dtype=bool)
    for index in np.ndindex(allowed.shape):
        result[index] = not allowed[index]
    return result


@right("to_blocked", "torch.logical_not, prints")
def blocked_torch(allowed):
    print(allowed)
    return torch.tensor(allowed).logical_not().numpy()


add_right("to_blocked", "the name np.logical_not itself", np.logical_not)


@right("to_blocked", "xor True")
def to_blocked_39(allowed):
    return np.asarray(allowed) ^ True


@right("to_blocked", "allowed == False")
def to_blocked_40(allowed):
    return allowed == False


# Wrong answers, those with one mistake together


@wrong("to_blocked", "mask-not-inverted")
def blocked_same(allowed):
    return allowed.copy()


@wrong("to_blocked", "mask-not-inverted", note="inverted twice")
def blocked_twice(allowed):
    return ~np.logical_not(allowed)


@wrong(
    "to_blocked", "mask-not-inverted", note="Only converts to bool and thinks both conventions are the same."
)
def blocked_1(allowed):
    return np.array(allowed, dtype=bool)


@wrong("to_blocked", "mask-missing", note="nothing blocked")
def blocked_nothing(allowed):
    return np.zeros_like(allowed)


@wrong("to_blocked", "mask-missing", note="everything blocked")
def blocked_everything(allowed):
    return np.ones_like(allowed)


@wrong("to_blocked", "mask-missing", note="~ on integers gives -1 and -2, both of which count as True.")
def blocked_2(allowed):
    return (~allowed.astype(int)).astype(bool)


@wrong("to_blocked", "mask-not-bool", note="int: nn.MultiheadAttention refuses it")
def blocked_one_minus(allowed):
    return 1 - allowed


@wrong("to_blocked", "mask-not-bool", note="additive with the signs swapped: -inf where allowed")
def blocked_float_swapped(allowed):
    return np.where(allowed, -np.inf, 0.0)


@wrong("to_blocked", "mask-not-bool", note="1.0 where blocked is ADDED to the scores")
def blocked_float(allowed):
    return 1.0 - allowed


@wrong("to_blocked", "mask-not-bool", note="-allowed.astype(int): 0 / -1")
def to_blocked_107(allowed):
    return -allowed.astype(int)


@wrong("to_blocked", "mask-not-bool", note="Returns additive float bias 0/-inf")
def to_blocked_108(allowed):
    return np.where(allowed, 0.0, -np.inf)


@wrong("to_blocked", "bitwise-on-int", note="~ of integers is -1 and -2")
def blocked_int_invert(allowed):
    return ~allowed.astype(int)


@wrong("to_blocked", "minus-on-bool", note="NumPy refuses -mask")
def blocked_minus(allowed):
    return -allowed


@wrong(
    "to_blocked",
    "minus-on-bool",
    note="1 minus a boolean is meant, but True - allowed is not defined for NumPy booleans.",
)
def blocked_7(allowed):
    return np.True_ - allowed


@wrong("to_blocked", "array-truth-value", note="`not` wants one truth value")
def blocked_not(allowed):
    return not allowed


@wrong("to_blocked", "array-truth-value", note="The Python word not cannot be applied to an array.")
def blocked_3(allowed):
    return np.array(not allowed)


@wrong("to_blocked", "transposed-mask", note="right for symmetric masks")
def blocked_transposed(allowed):
    return ~np.swapaxes(allowed, -1, -2)


@wrong("to_blocked", "transposed-mask", note="transposed but not inverted: a causal mask looks right")
def blocked_only_transposed(allowed):
    return np.swapaxes(allowed, -1, -2)


@wrong(
    "to_blocked",
    "transposed-mask",
    note="Swaps queries and keys (causal allowed.T looks like blocked) instead of negating.",
)
def blocked_4(allowed):
    return np.swapaxes(allowed, -1, -2) if allowed.ndim > 1 else allowed.copy()


@wrong("to_blocked", "transposed-mask", note="Transposes instead of negating")
def to_blocked_109(allowed):
    return np.swapaxes(allowed, -1, -2) if allowed.ndim > 1 else allowed


@wrong("to_blocked", "transposed-mask", note="Negates and transposes")
def to_blocked_112(allowed):
    return ~np.swapaxes(allowed, -1, -2)


@wrong("to_blocked", "mask-ignored", note="always the causal one")
def blocked_causal(allowed):
    return np.triu(np.ones(allowed.shape, dtype=bool), k=1)


@wrong("to_blocked", "mask-ignored", note="Builds the blocked causal triangle whatever mask comes in.")
def blocked_5(allowed):
    n_q, n_k = allowed.shape[-2:] if allowed.ndim > 1 else (1, allowed.shape[-1])
    out = np.triu(np.ones((n_q, n_k), dtype=bool), k=1)
    return np.broadcast_to(out.reshape(out.shape if allowed.ndim > 1 else (n_k,)), allowed.shape)


@wrong(
    "to_blocked", "mask-ignored", note="Ignores the input: always the causal blocked mask np.triu(ones, 1)"
)
def to_blocked_110(allowed):
    return np.broadcast_to(np.triu(np.ones(allowed.shape[-2:], bool), 1), allowed.shape).copy()


@wrong("to_blocked", "diagonal-left-open", note="a token may always see itself")
def blocked_keeps_diagonal(allowed):
    return ~allowed & ~np.eye(*allowed.shape[-2:], dtype=bool)


@wrong("to_blocked", "input-changed")
def blocked_in_place(allowed):
    np.logical_not(allowed, out=allowed)
    return allowed


@wrong(
    "to_blocked",
    "input-changed",
    note="Negates in place through out=allowed, so the caller's mask is flipped too.",
)
def blocked_6(allowed):
    return np.logical_not(allowed, out=allowed)


@wrong("to_blocked", "input-changed", note="In-place np.logical_not(allowed, out=allowed) changes the input")
def to_blocked_111(allowed):
    return np.logical_not(allowed, out=allowed)


@wrong("to_blocked", "reduced-to-one-value")
def blocked_any(allowed):
    return not allowed.all()


@wrong("to_blocked", "reduced-to-one-value", note="one flag per query")
def blocked_per_query(allowed):
    return ~allowed.any(axis=-1)


@wrong("to_blocked", "blocked-row-left-open", note="opens a fully blocked row to avoid NaN")
def blocked_opens_rows(allowed):
    return ~allowed & allowed.any(axis=-1, keepdims=True)


@wrong("to_blocked", "flipped-triangle", note="np.flip is not `not`")
def blocked_flip(allowed):
    return np.flip(allowed)


@wrong(
    "to_blocked",
    "square-only",
    note="Loops n by n over the number of queries, so it fails or misses keys when n_q != n_k.",
)
def blocked_8(allowed):
    n = allowed.shape[-2]
    blocked = allowed.copy()
    for i in range(n):
        for j in range(n):
            blocked[..., i, j] = np.logical_not(allowed[..., i, j])
    return blocked


@wrong(
    "to_blocked",
    "mask-ignored",
    note="Builds the upper triangle by position instead of negating the mask (right only for causal masks, padding is ignored); and it includes the diagonal (j >= i), so a token is blocked from itself.",
)
def to_blocked_mask_ignored(allowed):
    n = len(allowed)
    blocked = np.zeros((n, n), dtype=bool)
    for i in range(n):
        for j in range(n):
            if j >= i:
                blocked[i, j] = True
    return blocked


@wrong("to_blocked", "mask-ignored", note="the blocked causal triangle of the keys, with the axes in front")
def blocked_causal_square_of_keys(allowed):
    n = allowed.shape[-1]
    p = np.arange(n)
    return np.broadcast_to(p > p[:, None], allowed.shape[:-2] + (n, n)).copy()


@wrong("to_blocked", "mask-not-bool+transposed-mask", note="turned round and transposed, as whole numbers")
def blocked_transposed_in_whole_numbers(allowed):
    return 1 - np.swapaxes(allowed, -2, -1).astype(int)


@wrong("to_blocked", "mask-not-bool+diagonal-left-open", note="whole numbers 0 and 1")
def blocked_one_minus_with_open_diagonal(allowed):
    blocked = 1 - allowed.astype(int)
    for i in range(min(allowed.shape[-2:])):
        blocked[..., i, i] = 0
    return blocked


@wrong("to_blocked", "returns-string", note="True and False in quotes")
def to_blocked_in_quotes(allowed):
    return np.where(allowed, "False", "True")


@wrong("to_blocked", "mask-ignored", note="a triangle with the diagonal, of the mask's shape")
def blocked_upper_triangle(allowed):
    return np.triu(np.ones(allowed.shape, dtype=bool))


@wrong("to_blocked", "mask-ignored", note="a causal mask of as many tokens as keys")
def blocked_causal_of_keys_alone(allowed):
    sz = allowed.shape[-1]
    return np.triu(np.ones((sz, sz), dtype=bool), k=1)


@wrong("to_blocked", "flipped-triangle", note="reads the second axis from behind")
def blocked_columns_from_behind(allowed):
    return allowed[:, ::-1]
