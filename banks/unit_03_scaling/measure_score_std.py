"""Right and wrong answers to `measure_score_std`, as learners write them."""

import copy
import math
from itertools import product

import numpy as np
import torch

from banks.registry import right, wrong

# Right answers, each in its own style


@right("measure_score_std", "standard_normal")
def measure_standard_normal(n, d_k, rng):
    Q = rng.standard_normal((n, d_k))
    K = rng.standard_normal((n, d_k))
    return (Q @ K.T).std()


@right("measure_score_std", "rng.normal, K first, a Python float")
def measure_k_first(n, d_k, rng):
    K = rng.normal(0, 1, size=(n, d_k))
    Q = rng.normal(0, 1, size=(n, d_k))
    return float(np.std(np.einsum("id,jd->ij", Q, K)))


@right("measure_score_std", "one draw for both")
def measure_one_draw(n, d_k, rng):
    Q, K = rng.normal(size=(2, n, d_k))
    return np.std(np.inner(Q, K))


@right("measure_score_std", "drawn transposed")
def measure_transposed(n, d_k, rng):
    Q = rng.standard_normal((d_k, n)).T
    K = rng.standard_normal((d_k, n)).T
    return np.sqrt(np.var(Q @ K.T))


@right("measure_score_std", "torch std, which divides by n * n - 1")
def measure_torch(n, d_k, rng):
    Q = torch.from_numpy(rng.standard_normal((n, d_k)))
    K = torch.from_numpy(rng.standard_normal((n, d_k)))
    return (Q @ K.T).std().item()


@right("measure_score_std", "torch std without correction, a 0-d array")
def measure_torch_population(n, d_k, rng):
    Q, K = (torch.tensor(rng.normal(size=(n, d_k))) for _ in range(2))
    return torch.std(torch.matmul(Q, K.transpose(0, 1)), correction=0).numpy()


@right("measure_score_std", "ddof=1, prints")
def measure_ddof(n, d_k, rng):
    Q = rng.normal(loc=0.0, scale=1.0, size=(n, d_k))
    K = rng.normal(loc=0.0, scale=1.0, size=(n, d_k))
    scores = np.tensordot(Q, K, axes=([1], [1]))
    print("mean", scores.mean())
    return scores.std(ddof=1)


@right("measure_score_std", "by hand, query by query")
def measure_by_hand(n, d_k, rng):
    Q = [rng.standard_normal(d_k) for _ in range(n)]
    K = [rng.standard_normal(d_k) for _ in range(n)]
    scores = [float(q @ k) for q, k in product(Q, K)]
    mean = math.fsum(scores) / len(scores)
    return math.sqrt(math.fsum((s - mean) ** 2 for s in scores) / len(scores))


@right("measure_score_std", "float32 draws")
def measure_float32(n, d_k, rng):
    Q = rng.standard_normal((n, d_k), dtype=np.float32)
    K = rng.standard_normal((n, d_k), dtype=np.float32)
    return np.std(np.matmul(Q, K.swapaxes(0, 1)))


@right("measure_score_std", "Box-Muller from uniform draws")
def measure_box_muller(n, d_k, rng):
    radius = np.sqrt(-2 * np.log(1 - rng.random((n, d_k))))
    angle = 2 * np.pi * rng.random((n, d_k))
    return (radius * np.cos(angle) @ (radius * np.sin(angle)).T).std()


@right("measure_score_std", "K first, one big draw (2, n, d_k), torch std population")
def measure_score_std_26(n, d_k, rng):
    K, Q = rng.standard_normal((2, n, d_k))
    return torch.from_numpy(Q @ K.T).std().item()


@right("measure_score_std", "row by row loop, ddof=1")
def measure_score_std_27(n, d_k, rng):
    Q = np.array([[rng.normal() for _ in range(d_k)] for _ in range(n)])
    K = np.array([[rng.normal() for _ in range(d_k)] for _ in range(n)])
    return np.std([q @ k for q in Q for k in K], ddof=1)


# Wrong answers, those with one mistake together


@wrong("measure_score_std", "formula-instead-of-measurement")
def measure_formula(n, d_k, rng):
    return np.sqrt(d_k)


@wrong("measure_score_std", "formula-instead-of-measurement", note="with noise that looks like a draw")
def measure_formula_noise(n, d_k, rng):
    return np.sqrt(d_k) * (1 + rng.normal() / 1000)


@wrong(
    "measure_score_std",
    "formula-instead-of-measurement",
    note="Draws Q and K but returns sqrt(d_k) from the formula.",
)
def measure_2(n, d_k, rng):
    Q = rng.standard_normal((n, d_k))
    K = rng.standard_normal((n, d_k))
    scores = Q @ K.T
    return np.sqrt(Q.shape[1]) * 1.0


@wrong("measure_score_std", "variance-instead-of-std")
def measure_var(n, d_k, rng):
    return (rng.normal(size=(n, d_k)) @ rng.normal(size=(n, d_k)).T).var()


@wrong("measure_score_std", "rng-ignored", note="the global generator")
def measure_global(n, d_k, rng):
    Q, K = np.random.randn(n, d_k), np.random.randn(n, d_k)
    return np.std(Q @ K.T)


@wrong("measure_score_std", "rng-ignored", note="a new unseeded generator")
def measure_fresh(n, d_k, rng):
    rng = np.random.default_rng()
    return np.std(rng.normal(size=(n, d_k)) @ rng.normal(size=(n, d_k)).T)


@wrong("measure_score_std", "rng-ignored", note="K comes from torch")
def measure_half_global(n, d_k, rng):
    Q = rng.normal(size=(n, d_k))
    K = torch.randn(n, d_k).numpy()
    return float(np.std(Q @ K.T))


@wrong(
    "measure_score_std", "rng-ignored", note="Draws from the global np.random instead of the given generator."
)
def measure_1(n, d_k, rng):
    Q = np.random.randn(n, d_k)
    K = np.random.randn(n, d_k)
    return np.std(Q @ K.T)


@wrong(
    "measure_score_std",
    "rng-ignored",
    note="Makes its own default_rng() inside, ignoring the given generator",
)
def measure_score_std_59(n, d_k, rng):
    rng = np.random.default_rng()
    Q = rng.normal(size=(n, d_k))
    K = rng.normal(size=(n, d_k))
    return np.std(Q @ K.T)


@wrong("measure_score_std", "rng-reseeded", note="every state gives the same number")
def measure_reseeded(n, d_k, rng):
    rng = np.random.default_rng(0)
    return np.std(rng.normal(size=(n, d_k)) @ rng.normal(size=(n, d_k)).T)


@wrong(
    "measure_score_std", "rng-reseeded", note="Own seeded generator default_rng(0), ignoring the given one"
)
def measure_score_std_60(n, d_k, rng):
    r = np.random.default_rng(0)
    Q = r.normal(size=(n, d_k))
    K = r.normal(size=(n, d_k))
    return np.std(Q @ K.T)


@wrong("measure_score_std", "uniform-draws", note="in [0, 1)")
def measure_uniform(n, d_k, rng):
    return np.std(rng.random((n, d_k)) @ rng.random((n, d_k)).T)


@wrong("measure_score_std", "uniform-draws", note="in [-1, 1)")
def measure_uniform_centred(n, d_k, rng):
    return np.std(rng.uniform(-1, 1, (n, d_k)) @ rng.uniform(-1, 1, (n, d_k)).T)


@wrong(
    "measure_score_std",
    "uniform-draws",
    note="rng.random draws uniform numbers in [0, 1), not standard normal ones.",
)
def measure_5(n, d_k, rng):
    Q = rng.random((n, d_k))
    K = rng.random((n, d_k))
    return (Q @ K.T).std()


@wrong(
    "measure_score_std", "uniform-draws", note="Draws uniform numbers (rng.random) instead of standard normal"
)
def measure_score_std_57(n, d_k, rng):
    Q = rng.random((n, d_k))
    K = rng.random((n, d_k))
    return (Q @ K.T).std()


@wrong("measure_score_std", "one-matrix-twice", note="K is Q: large n hides it")
def measure_q_q(n, d_k, rng):
    Q = rng.normal(size=(n, d_k))
    return np.std(Q @ Q.T)


@wrong("measure_score_std", "one-matrix-twice", note="same numbers drawn twice")
def measure_same_state(n, d_k, rng):
    state = rng.bit_generator.state
    Q = rng.normal(size=(n, d_k))
    rng.bit_generator.state = state
    K = rng.normal(size=(n, d_k))
    return np.std(Q @ K.T)


@wrong(
    "measure_score_std",
    "one-matrix-twice",
    note="Multiplies Q with itself: the diagonal of squared lengths inflates the std.",
)
def measure_3(n, d_k, rng):
    Q = rng.normal(size=(n, d_k))
    K = Q
    return float((Q @ K.T).std())


@wrong(
    "measure_score_std",
    "one-matrix-twice",
    note="Uses K = Q (draws once), so the diagonal squared lengths distort the std",
)
def measure_score_std_58(n, d_k, rng):
    Q = rng.standard_normal((n, d_k))
    return (Q @ Q.T).std()


@wrong("measure_score_std", "scaled-too-early", note="about 1, the number after scaling")
def measure_scaled(n, d_k, rng):
    Q, K = rng.normal(size=(n, d_k)), rng.normal(size=(n, d_k))
    return np.std(Q @ K.T / np.sqrt(d_k))


@wrong(
    "measure_score_std",
    "scaled-too-early",
    note="Divides the scores by sqrt(d_k) before measuring, so the answer is always about 1.",
)
def measure_7(n, d_k, rng):
    Q = rng.standard_normal((n, d_k))
    K = rng.standard_normal((n, d_k))
    scores = Q @ K.T / math.sqrt(d_k)
    return scores.std()


@wrong("measure_score_std", "wrong-std-axis", note="mean of the row stds: right for large d_k")
def measure_row_mean(n, d_k, rng):
    Q, K = rng.normal(size=(n, d_k)), rng.normal(size=(n, d_k))
    return np.std(Q @ K.T, axis=1).mean()


@wrong("measure_score_std", "wrong-std-axis", note="one number per column")
def measure_axis_zero(n, d_k, rng):
    Q, K = rng.normal(size=(n, d_k)), rng.normal(size=(n, d_k))
    return np.std(Q @ K.T, axis=0)


@wrong(
    "measure_score_std",
    "wrong-std-axis",
    note="Std of the column std: averages the per-row standard deviations? takes std over rows of the mean score",
)
def measure_score_std_61(n, d_k, rng):
    Q = rng.normal(size=(n, d_k))
    K = rng.normal(size=(n, d_k))
    return np.std((Q @ K.T).mean(axis=1))


@wrong("measure_score_std", "rows-paired", note="of the diagonal only: x_i with y_i")
def measure_diagonal(n, d_k, rng):
    Q, K = rng.normal(size=(n, d_k)), rng.normal(size=(n, d_k))
    return np.std((Q * K).mean(axis=1))


@wrong(
    "measure_score_std",
    "rows-paired",
    note="Only takes query i with key i, so n numbers are measured and not the n by n matrix.",
)
def measure_4(n, d_k, rng):
    Q, K = rng.normal(0, 1, (2, n, d_k))
    return np.std([q @ k for q, k in zip(Q, K)])


@wrong("measure_score_std", "rows-paired", note="Only the diagonal scores: one dot product per pair (i, i)")
def measure_score_std_64(n, d_k, rng):
    Q = rng.normal(size=(n, d_k))
    K = rng.normal(size=(n, d_k))
    return np.std((Q * K).sum(axis=1))


@wrong("measure_score_std", "columns-as-tokens", note="Q.T @ K: sqrt(n), right when n == d_k")
def measure_features(n, d_k, rng):
    Q, K = rng.normal(size=(n, d_k)), rng.normal(size=(n, d_k))
    return np.std(Q.T @ K)


@wrong(
    "measure_score_std",
    "columns-as-tokens",
    note="Computes Q.T @ K, so the sum runs over n and the std is about sqrt(n).",
)
def measure_6(n, d_k, rng):
    Q = rng.standard_normal((n, d_k))
    K = rng.standard_normal((n, d_k))
    return np.einsum("nd,ne->de", Q, K).std()


@wrong("measure_score_std", "columns-as-tokens", note="Q.T @ K: a (d_k, d_k) product, std about sqrt(n)")
def measure_score_std_62(n, d_k, rng):
    Q = rng.normal(size=(n, d_k))
    K = rng.normal(size=(n, d_k))
    return np.std(Q.T @ K)


@wrong("measure_score_std", "measures-inputs", note="std of Q, not of the scores")
def measure_inputs(n, d_k, rng):
    Q, K = rng.normal(size=(n, d_k)), rng.normal(size=(n, d_k))
    return np.std(np.concatenate([Q, K]))


@wrong("measure_score_std", "lost-sign")
def measure_abs(n, d_k, rng):
    Q, K = rng.normal(size=(n, d_k)), rng.normal(size=(n, d_k))
    return np.abs(Q @ K.T).std()


@wrong("measure_score_std", "state-between-calls", note="remembers its first answer")
def measure_cached(n, d_k, rng, seen={}):
    if (n, d_k) not in seen:
        seen[n, d_k] = np.std(rng.normal(size=(n, d_k)) @ rng.normal(size=(n, d_k)).T)
    return seen[n, d_k]


@wrong("measure_score_std", "arguments-swapped", note="shape (d_k, n)")
def measure_swapped(n, d_k, rng):
    Q, K = rng.normal(size=(d_k, n)), rng.normal(size=(d_k, n))
    return np.std(Q @ K.T)


@wrong(
    "measure_score_std",
    "rng-reseeded+variance-instead-of-std",
    note="Makes its own default_rng(0) so every call gives one value, and returns the variance.",
)
def measure_8(n, d_k, rng):
    rng = np.random.default_rng(0)
    Q = rng.standard_normal((n, d_k))
    K = rng.standard_normal((n, d_k))
    return np.var(Q @ K.T)


@wrong("measure_score_std", "no-sum", note="Elementwise product Q*K instead of Q @ K.T")
def measure_score_std_63(n, d_k, rng):
    Q = rng.normal(size=(n, d_k))
    K = rng.normal(size=(n, d_k))
    return np.std(Q * K)


@wrong(
    "measure_score_std",
    "fixed-size+variance-instead-of-std",
    note="Returns the variance, not the standard deviation; and draws arrays of the fixed shape (123, 456) of the published experiment instead of (n, d_k).",
)
def measure_score_std_fixed_size(n, d_k, rng):
    Q = rng.standard_normal((123, 456))
    K = rng.standard_normal((123, 456))
    scores = Q @ K.T
    mean = scores.mean()
    total = np.sum((scores - mean) ** 2)
    return total / scores.size


@wrong("measure_score_std", "state-between-calls", "by the generator, which it keeps alive")
def kept_for_each_generator(n, d_k, rng, _seen={}):
    key = (n, d_k, id(rng))
    if key not in _seen:
        Q, K = rng.standard_normal((n, d_k)), rng.standard_normal((n, d_k))
        _seen[key] = (rng, float((Q @ K.T).std()))
    return _seen[key][1]


@right("measure_score_std", "draws from a copy of the generator")
def from_a_copy(n, d_k, rng):
    own = copy.deepcopy(rng)
    return (own.standard_normal((n, d_k)) @ own.standard_normal((n, d_k)).T).std()


@wrong("measure_score_std", "not-normal-draws", note="cut off at -2 and 2")
def measure_clipped_draws(n, d_k, rng):
    Q = np.clip(rng.standard_normal((n, d_k)), -2.0, 2.0)
    K = np.clip(rng.standard_normal((n, d_k)), -2.0, 2.0)
    return (Q @ K.T).std()


@wrong("measure_score_std", "variance-instead-of-std+no-sum")
def measure_variance_of_products(n, d_k, rng):
    Q = rng.standard_normal((n, d_k))
    K = rng.standard_normal((n, d_k))
    return float((Q * K).var())


@wrong("measure_score_std", "returns-function", note="no brackets behind std")
def measured_without_brackets(n, d_k, rng):
    return (rng.standard_normal((n, d_k)) @ rng.standard_normal((n, d_k)).T).std
