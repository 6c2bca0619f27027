"""Right and wrong answers to `scaled_scores`, as learners write them."""

import math

import numpy as np
import torch

from banks.registry import right, wrong

# Right answers, each in its own style


@right("scaled_scores", "divide last")
def scaled_divide(Q, K):
    return Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])


@right("scaled_scores", "scale Q first")
def scaled_q_first(Q, K):
    return np.matmul(Q / math.sqrt(Q.shape[-1]), np.moveaxis(K, -1, -2))


@right("scaled_scores", "scale K first")
def scaled_k_first(Q, K):
    return np.einsum("...qd,...kd->...qk", Q, K * K.shape[-1] ** -0.5)


@right("scaled_scores", "d ** -0.25 on both")
def scaled_both(Q, K):
    factor = Q.shape[-1] ** -0.25
    return (Q * factor) @ (K * factor).swapaxes(-2, -1)


@right("scaled_scores", "the scale inside einsum")
def scaled_einsum_factor(Q, K):
    return np.einsum("...qd,...kd,->...qk", Q, K, 1 / np.sqrt(K.shape[-1]))


@right("scaled_scores", "loops over every entry")
def scaled_loops(Q, K):
    d_k = Q.shape[-1]
    result = np.zeros((*Q.shape[:-1], K.shape[-2]))
    for lead in np.ndindex(Q.shape[:-2]):
        for i in range(Q.shape[-2]):
            for j in range(K.shape[-2]):
                total = 0.0
                for c in range(d_k):
                    total += Q[lead][i, c] * K[lead][j, c]
                result[lead][i, j] = total / d_k**0.5
    return result


@right("scaled_scores", "broadcasting and sum, in-place division of the new array")
def scaled_broadcast(Q, K):
    scores = (np.expand_dims(Q, -2) * np.expand_dims(K, -3)).sum(axis=-1)
    scores /= np.sqrt(Q.shape[-1])
    return scores


@right("scaled_scores", "torch inside, torch.sqrt of a float64 tensor")
def scaled_torch(Q, K):
    q, k = torch.from_numpy(Q), torch.from_numpy(K)
    return (q @ k.mT / torch.sqrt(torch.tensor(q.size(-1), dtype=torch.float64))).numpy()


@right("scaled_scores", "a transposed view")
def scaled_transposed_view(Q, K):
    return (K @ Q.swapaxes(-1, -2) / np.sqrt(K.shape[-1])).swapaxes(-1, -2)


@right("scaled_scores", "recursion over the leading axes, lists")
def scaled_recursive(Q, K):
    if Q.ndim == 2:
        return np.array([[float(q @ k) / math.sqrt(len(q)) for k in K] for q in Q])
    return np.array([scaled_recursive(q, k) for q, k in zip(Q, K, strict=True)])


@right("scaled_scores", "a mean times sqrt(d_k)")
def scaled_mean(Q, K):
    # A mean is a sum over d_k: mean * sqrt(d_k) = sum / sqrt(d_k).
    return np.mean(Q[..., :, None, :] * K[..., None, :, :], axis=-1) * np.sqrt(Q.shape[-1])


@right("scaled_scores", "scale split d_k**-0.25 each")
def scaled_scores_30(Q, K):
    s = Q.shape[-1] ** -0.25
    return (Q * s) @ np.swapaxes(K * s, -1, -2)


@right("scaled_scores", "torch baddbmm-like, numpy out")
def scaled_scores_31(Q, K):
    q, k = torch.tensor(Q), torch.tensor(K)
    return (q @ k.mT).mul(q.shape[-1] ** -0.5).numpy()


# Wrong answers, those with one mistake together


@wrong("scaled_scores", "no-scaling")
def scaled_no_scaling(Q, K):
    return Q @ np.swapaxes(K, -1, -2)


@wrong("scaled_scores", "scaled-by-d_k")
def scaled_d_k(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / Q.shape[-1]


@wrong("scaled_scores", "scaled-by-d_k", note="both sides divided by sqrt(d_k)")
def scaled_twice(Q, K):
    root = np.sqrt(Q.shape[-1])
    return (Q / root) @ np.swapaxes(K / root, -1, -2)


@wrong(
    "scaled_scores",
    "scaled-by-d_k",
    note="Divides both Q and K by sqrt(d_k), which divides the scores by d_k.",
)
def scaled_3(Q, K):
    root = np.sqrt(Q.shape[-1])
    return (Q / root) @ (K / root).swapaxes(-2, -1)


@wrong("scaled_scores", "scaled-by-d_k", note="Scales both Q and K by sqrt(d_k): divides twice")
def scaled_scores_77(Q, K):
    r = np.sqrt(Q.shape[-1])
    return (Q / r) @ np.swapaxes(K / r, -1, -2)


@wrong("scaled_scores", "scaled-up", note="multiplies by sqrt(d_k)")
def scaled_up(Q, K):
    return Q @ np.swapaxes(K, -1, -2) * np.sqrt(Q.shape[-1])


@wrong("scaled_scores", "scaled-up", note="divides by d_k ** -0.5")
def scaled_divides_by_inverse(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / Q.shape[-1] ** -0.5


@wrong("scaled_scores", "scaled-up", note="The factor d_k ** 0.5 is multiplied instead of divided.")
def scaled_4(Q, K):
    scale = Q.shape[-1] ** 0.5
    return torch.matmul(torch.as_tensor(Q), torch.as_tensor(K).mT).mul(scale).numpy()


@wrong("scaled_scores", "scaled-up", note="Multiplies by sqrt(d_k) instead of dividing")
def scaled_scores_75(Q, K):
    return Q @ np.swapaxes(K, -1, -2) * np.sqrt(Q.shape[-1])


@wrong("scaled_scores", "scaled-by-sqrt-n", note="sqrt(n_k): right when n_k == d_k")
def scaled_n_k(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-2])


@wrong("scaled_scores", "scaled-by-sqrt-n", note="sqrt(n_q)")
def scaled_n_q(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-2])


@wrong("scaled_scores", "scaled-by-sqrt-n", note="size of the score matrix")
def scaled_size(Q, K):
    S = Q @ np.swapaxes(K, -1, -2)
    return S / np.sqrt(S.shape[-1] * S.shape[-2])


@wrong(
    "scaled_scores", "scaled-by-sqrt-n", note="Takes the square root of the number of keys as the divisor."
)
def scaled_2(Q, K):
    n, _ = K.shape[-2:]
    return np.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(n)


@wrong("scaled_scores", "axis-counted-from-front", note="shape[1]: right for 2-D")
def scaled_shape_one(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[1])


@wrong("scaled_scores", "axis-counted-from-front", note="len(Q): the batch or the tokens")
def scaled_len(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(len(Q))


@wrong(
    "scaled_scores",
    "axis-counted-from-front",
    note="Reads the width from K.shape[1], which is right for 2-D arrays but not for batches.",
)
def scaled_5(Q, K):
    d_k = K.shape[1]
    return np.matmul(Q, np.moveaxis(K, -1, -2)) / math.sqrt(d_k)


@wrong("scaled_scores", "reversed-all-axes")
def scaled_k_t(Q, K):
    return Q @ K.T / np.sqrt(Q.shape[-1])


@wrong("scaled_scores", "keys-by-queries")
def scaled_k_q(Q, K):
    return K @ np.swapaxes(Q, -1, -2) / np.sqrt(Q.shape[-1])


@wrong("scaled_scores", "reshape-instead-of-transpose")
def scaled_reshape(Q, K):
    return Q @ K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2]) / np.sqrt(Q.shape[-1])


@wrong("scaled_scores", "half-the-scaling", note="d_k ** -0.25 on one side only")
def scaled_quarter(Q, K):
    return Q * Q.shape[-1] ** -0.25 @ np.swapaxes(K, -1, -2)


@wrong("scaled_scores", "input-changed")
def scaled_in_place(Q, K):
    Q /= np.sqrt(Q.shape[-1])
    return Q @ np.swapaxes(K, -1, -2)


@wrong("scaled_scores", "input-changed", note="Q /= sqrt(d_k) divides inside the caller's array.")
def scaled_8(Q, K):
    Q /= np.sqrt(Q.shape[-1])
    return Q @ K.swapaxes(-1, -2)


@wrong("scaled_scores", "input-changed", note="In-place Q /= sqrt(d_k): right result but mutates the input")
def scaled_scores_80(Q, K):
    Q /= np.sqrt(Q.shape[-1])
    return Q @ np.swapaxes(K, -1, -2)


@wrong("scaled_scores", "truncates-to-int", note="right when d_k is a perfect square")
def scaled_isqrt(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / math.isqrt(Q.shape[-1])


@wrong("scaled_scores", "truncates-to-int", note="Rounds the square root down to an integer before dividing.")
def scaled_6(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / math.isqrt(Q.shape[-1])


@wrong("scaled_scores", "truncates-to-int", note="Integer square root int(np.sqrt(d_k))")
def scaled_scores_73(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / int(np.sqrt(Q.shape[-1]))


@wrong("scaled_scores", "normalised-by-measured-std")
def scaled_measured(Q, K):
    S = Q @ np.swapaxes(K, -1, -2)
    return S / S.std()


@wrong(
    "scaled_scores",
    "normalised-by-measured-std",
    note="Divides by the std of these very scores instead of by sqrt(d_k).",
)
def scaled_7(Q, K):
    S = Q @ np.swapaxes(K, -1, -2)
    s = S.std()
    return S / s if s > 0 else S


@wrong(
    "scaled_scores",
    "normalised-by-measured-std",
    note="Divides by the measured std of the scores ('so std becomes 1')",
)
def scaled_scores_76(Q, K):
    S = Q @ np.swapaxes(K, -1, -2)
    return S / S.std()


@wrong("scaled_scores", "cosine-instead-of-dot")
def scaled_cosine(Q, K):
    norms = np.linalg.norm(Q, axis=-1)[..., :, None] * np.linalg.norm(K, axis=-1)[..., None, :]
    return Q @ np.swapaxes(K, -1, -2) / norms


@wrong(
    "scaled_scores",
    "cosine-instead-of-dot",
    note="Normalises Q and K to unit length (cosine) and divides by sqrt(d_k)",
)
def scaled_scores_78(Q, K):
    q = Q / np.linalg.norm(Q, axis=-1, keepdims=True)
    k = K / np.linalg.norm(K, axis=-1, keepdims=True)
    return q @ np.swapaxes(k, -1, -2) / np.sqrt(Q.shape[-1])


@wrong("scaled_scores", "softmax-too-early")
def scaled_softmax(Q, K):
    S = torch.from_numpy(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]))
    return torch.softmax(S, dim=-1).numpy()


@wrong("scaled_scores", "constant-divisor", note="the 8 of d_k = 64")
def scaled_eight(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / 8.0


@wrong("scaled_scores", "float32")
def scaled_float32(Q, K):
    q, k = torch.tensor(Q, dtype=torch.float32), torch.tensor(K, dtype=torch.float32)
    return (q @ k.mT / math.sqrt(q.shape[-1])).numpy()


@wrong("scaled_scores", "operator-precedence", note="sqrt of the scores' quotient")
def scaled_precedence(Q, K):
    S = Q @ np.swapaxes(K, -1, -2)
    return np.sign(S) * np.sqrt(np.abs(S) / Q.shape[-1])


@wrong(
    "scaled_scores",
    "operator-precedence",
    note="d_k ** 1 / 2 is d_k / 2 in Python, so the divisor is not a square root.",
)
def scaled_1(Q, K):
    d_k = K.shape[-1]
    return Q @ np.swapaxes(K, -1, -2) / (d_k**1 / 2)


@wrong("scaled_scores", "operator-precedence", note="Operator precedence: Q K^T / d_k ** 1 / 2")
def scaled_scores_74(Q, K):
    d_k = Q.shape[-1]
    return Q @ np.swapaxes(K, -1, -2) / d_k**1 / 2


@wrong(
    "scaled_scores",
    "no-scaling+reversed-all-axes",
    note="No divisor at all, and K.T breaks as soon as there is a batch.",
)
def scaled_9(Q, K):
    return Q.dot(K.T)


@wrong("scaled_scores", "scaled-by-sqrt-n+keys-by-queries", note="Swaps Q and K AND divides by sqrt(n)")
def scaled_scores_79(Q, K):
    return K @ np.swapaxes(Q, -1, -2) / np.sqrt(Q.shape[-2])


@wrong("scaled_scores", "operator-precedence", note="the root of the scores, and no division")
def scaled_root_of_the_scores(Q, K):
    return np.sqrt(Q @ np.swapaxes(K, -2, -1))


@wrong("scaled_scores", "softmax-too-early", note="the largest score of each row is taken away")
def scaled_and_shifted(Q, K):
    S = Q @ np.swapaxes(K, -2, -1) * Q.shape[-1] ** -0.5
    return S - S.max(axis=-1, keepdims=True)


@wrong("scaled_scores", "no-scaling", note="the quotient is not kept")
def scaled_scores_quotient_lost(Q, K):
    scores = Q @ np.swapaxes(K, -2, -1)
    scores / np.sqrt(Q.shape[-1])
    return scores
