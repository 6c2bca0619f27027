"""Right and wrong answers to `mix_values`, as learners write them."""

import numpy as np
import torch

from banks.registry import add_right, right, wrong

# Right answers, each in its own style


@right("mix_values", "@")
def mix_at(weights, V):
    return weights @ V


@right("mix_values", "einsum")
def mix_einsum(weights, V):
    return np.einsum("...qk,...kv->...qv", weights, V)


@right("mix_values", "broadcasting and sum")
def mix_broadcast(weights, V):
    return np.sum(weights[..., None] * V[..., None, :, :], axis=-2)


@right("mix_values", "add one weighted value at a time")
def mix_accumulate(weights, V):
    output = np.zeros((*weights.shape[:-1], V.shape[-1]))
    for key in range(V.shape[-2]):
        output += weights[..., :, key, None] * V[..., key, None, :]
    return output


@right("mix_values", "loops over every entry")
def mix_loops_every_entry(weights, V):
    output = np.zeros(weights.shape[:-1] + V.shape[-1:])
    for lead in np.ndindex(weights.shape[:-2]):
        for q in range(weights.shape[-2]):
            for k in range(V.shape[-2]):
                for c in range(V.shape[-1]):
                    output[lead][q, c] += weights[lead][q, k] * V[lead][k, c]
    return output


@right("mix_values", "a transposed view")
def mix_transposed_view(weights, V):
    return (V.swapaxes(-2, -1) @ weights.swapaxes(-2, -1)).swapaxes(-2, -1)


@right("mix_values", "torch inside")
def mix_torch(weights, V):
    with torch.no_grad():
        return (torch.tensor(weights) @ torch.tensor(V)).numpy()


@right("mix_values", "inner with rows of V transposed, recursion")
def mix_recursive(weights, V):
    if V.ndim == 2:
        return np.inner(weights, V.T)
    return np.array([mix_recursive(w, v) for w, v in zip(weights, V, strict=True)])


add_right("mix_values", "the name np.matmul itself", np.matmul)


@right("mix_values", "loop accumulation of outer products over keys")
def mix_values_21(weights, V):
    return sum(weights[..., :, j, None] * V[..., None, j, :] for j in range(V.shape[-2]))


# Wrong answers, those with one mistake together


@wrong("mix_values", "renormalised", note="right when rows sum to 1")
def mix_renormalised(weights, V):
    return weights / weights.sum(axis=-1, keepdims=True) @ V


@wrong("mix_values", "renormalised", note="np.average divides by the sum")
def mix_average(weights, V):
    total = weights.sum(axis=-1, keepdims=True)
    return np.divide(weights @ V, total, out=np.zeros((*total.shape[:-1], V.shape[-1])), where=total != 0)


@wrong("mix_values", "renormalised", note="Divides by the row sum, though rows need not sum to 1.")
def mix_2(weights, V):
    total = weights.sum(axis=-1, keepdims=True)
    total = np.where(total == 0, 1, total)
    return (weights / total) @ V


@wrong("mix_values", "softmax-again")
def mix_softmax(weights, V):
    e = np.exp(weights)
    return e / e.sum(axis=-1, keepdims=True) @ V


@wrong("mix_values", "softmax-again", note="Applies softmax to weights that are weights already.")
def mix_5(weights, V):
    w = torch.softmax(torch.as_tensor(weights), dim=-1)
    return torch.matmul(w, torch.as_tensor(V)).numpy()


@wrong("mix_values", "weights-transposed", note="columns of the weights: right for symmetric ones")
def mix_transposed(weights, V):
    return np.swapaxes(weights, -1, -2) @ V


@wrong(
    "mix_values",
    "weights-transposed",
    note="einsum sums over the query axis, so the weights are used transposed.",
)
def mix_4(weights, V):
    return np.einsum("...kq,...kd->...qd", weights, V)


@wrong("mix_values", "weights-transposed", note="Uses weights transposed when square (weights over queries)")
def mix_values_45(weights, V):
    if weights.shape[-1] == weights.shape[-2]:
        return np.swapaxes(weights, -1, -2) @ V
    return weights @ V


@wrong("mix_values", "factors-swapped")
def mix_v_first(weights, V):
    return V @ weights


@wrong("mix_values", "mean-instead-of-sum")
def mix_mean(weights, V):
    return weights @ V / V.shape[-2]


@wrong(
    "mix_values",
    "mean-instead-of-sum",
    note="Averages the weighted values over the keys instead of adding them.",
)
def mix_7(weights, V):
    return np.mean(weights[..., :, :, None] * V[..., None, :, :], axis=-2)


@wrong("mix_values", "mean-instead-of-sum", note="Divides by the number of keys (average of weighted values)")
def mix_values_43(weights, V):
    return weights @ V / V.shape[-2]


@wrong("mix_values", "hard-lookup", note="right for one-hot rows")
def mix_argmax(weights, V):
    index = np.argmax(weights, axis=-1)
    return np.take_along_axis(V, index[..., None], axis=-2)


@wrong("mix_values", "hard-lookup", note="Fetches only the value with the largest weight instead of mixing.")
def mix_3(weights, V):
    best = np.argmax(weights, axis=-1)
    return np.take_along_axis(V, best[..., None], axis=-2)


@wrong("mix_values", "hard-lookup", note="Hard lookup: takes the value with the largest weight only")
def mix_values_44(weights, V):
    i = np.argmax(weights, axis=-1)
    return np.take_along_axis(V, i[..., None], axis=-2)


@wrong("mix_values", "weights-ignored", note="plain mean of the values")
def mix_uniform(weights, V):
    mean = V.mean(axis=-2, keepdims=True)
    return np.repeat(mean, weights.shape[-2], axis=-2)


@wrong("mix_values", "returns-input", note="raises or lies: returns V")
def mix_returns_v(weights, V):
    return V


@wrong("mix_values", "np-dot-crosses-batches", note="right for 2-D")
def mix_np_dot(weights, V):
    return np.dot(weights, V)


@wrong("mix_values", "fixed-number-of-axes", note="2-D only")
def mix_loops(weights, V):
    out = np.zeros((weights.shape[0], V.shape[1]))
    for i in range(weights.shape[0]):
        for j in range(weights.shape[1]):
            out[i] += weights[i, j] * V[j]
    return out


@wrong("mix_values", "fixed-number-of-axes", note="3-D only")
def mix_einsum_3d(weights, V):
    return np.einsum("bqk,bkd->bqd", weights, V)


@wrong("mix_values", "square-only", note="result allocated like V: n_q == n_k only")
def mix_zeros_like(weights, V):
    out = np.zeros_like(V)
    out[...] = weights @ V
    return out


@wrong("mix_values", "square-only", note="sums the first n_q keys only")
def mix_range_nq(weights, V):
    n = weights.shape[-2]
    return weights[..., :n] @ V[..., :n, :]


@wrong(
    "mix_values", "square-only", note="The result starts as zeros_like(V), which has n_k rows and not n_q."
)
def mix_8(weights, V):
    out = np.zeros_like(V)
    for i in range(V.shape[-2]):
        for j in range(V.shape[-2]):
            out[..., i, :] += weights[..., i, j, None] * V[..., j, :]
    return out


@wrong("mix_values", "lost-sign", note="negative weights cut off")
def mix_clip(weights, V):
    return np.maximum(weights, 0) @ V


@wrong("mix_values", "small-weights-dropped")
def mix_threshold(weights, V):
    return np.where(weights > 0.05, weights, 0.0) @ V


@wrong(
    "mix_values",
    "small-weights-dropped",
    note="Skips weights not above 0.05 as unimportant, so small and negative weights disappear.",
)
def mix_6(weights, V):
    kept = np.where(weights > 0.05, weights, 0.0)
    return kept @ V


@wrong("mix_values", "not-transposed-back", note="(d_v, n_q)")
def mix_columns(weights, V):
    return np.swapaxes(weights @ V, -1, -2)


@wrong("mix_values", "first-batch-only")
def mix_first_batch(weights, V):
    return weights @ V.reshape(-1, *V.shape[-2:])[0]


@wrong("mix_values", "float32")
def mix_float32(weights, V):
    return (torch.Tensor(weights) @ torch.Tensor(V)).numpy()


@wrong("mix_values", "input-changed+renormalised", note="right on rows that sum to 1")
def mix_in_place(weights, V):
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ V


@wrong("mix_values", "no-sum", note="(n_q, n_k, d_v)")
def mix_no_sum(weights, V):
    return weights[..., None] * V[..., None, :, :]


@wrong(
    "mix_values",
    "overwritten-instead-of-summed",
    note="Each key overwrites the row, so only the last key contributes.",
)
def mix_1(weights, V):
    out = np.zeros(weights.shape[:-1] + (V.shape[-1],))
    for i in range(weights.shape[-2]):
        for j in range(weights.shape[-1]):
            out[..., i, :] = weights[..., i, j][..., None] * V[..., j, :]
    return out


@wrong("mix_values", "renormalised+lost-sign", note="Clips negative weights to zero AND renormalises")
def mix_values_46(weights, V):
    w_ = np.clip(weights, 0, None)
    s = w_.sum(-1, keepdims=True)
    w_ = w_ / np.where(s == 0, 1, s)
    return w_ @ V


@wrong(
    "mix_values",
    "total-not-reset",
    note="The running sum b is set to zero once, before the loop over the queries, so each output row also contains all the rows before it. (Batches go through recursion.)",
)
def mix_values_total_not_reset(weights, V):
    if weights.ndim > 2:
        return np.array([mix_values_total_not_reset(w, v) for w, v in zip(weights, V)])
    output = []
    b = np.zeros(V.shape[1])
    for i in range(weights.shape[0]):
        for j in range(weights.shape[1]):
            b = b + weights[i, j] * V[j]
        output.append(b)
    return np.array(output)


@wrong(
    "mix_values",
    "fixed-number-of-axes",
    note="n_q, n_k = weights.shape: loops for one sentence only, a batch crashes.",
)
def mix_values_fixed_number_of_axes(weights, V):
    n_q, n_k = weights.shape
    output = np.zeros((n_q, V.shape[1]))
    for i in range(n_q):
        for j in range(n_k):
            output[i] += weights[i, j] * V[j]
    return output


@wrong(
    "mix_values",
    "fixed-size",
    note="The weights of token 0 alone are used, as in the notebook's loop, so one vector comes back instead of one for each query; and the fixed size 4 of that loop: other numbers of keys and other widths fail.",
)
def mix_values_fixed_size(weights, V):
    relevance = weights[0]
    b = np.zeros(4)
    for j in range(4):
        b = b + relevance[j] * V[j]
    return b


@wrong("mix_values", "fixed-size")
def mix_values_fixed_size_2(weights, V):
    b = np.zeros((4, 4))
    for i in range(4):
        for j in range(4):
            b[i] += weights[i, j] * V[j]
    return b


@wrong("mix_values", "returned-inside-loop")
def mix_values_returned_inside_loop(weights, V):
    b = np.zeros((weights.shape[0], V.shape[1]))
    for i in range(len(weights)):
        for j in range(len(V)):
            b[i] += weights[i, j] * V[j]
        return b


@wrong("mix_values", "rows-paired", note="an einsum with the query's letter on V")
def mix_values_einsum_rows(weights, V):
    return np.einsum("...ij,...id->...id", weights, V)


@wrong("mix_values", "square-only")
def mix_values_out_like_the_values(weights, V):
    out = np.empty_like(V)
    np.matmul(weights, V, out=out)
    return out


@wrong("mix_values", "only-first-token")
def mix_values_of_query_0(weights, V):
    b = 0
    for j in range(V.shape[-2]):
        b = b + weights[..., 0, j, None] * V[..., j, :]
    return b


@wrong("mix_values", "batch-mixed", note="V has no axis for the queries")
def mix_values_without_an_axis_for_queries(weights, V):
    return (weights[..., None] * V).sum(axis=-2)


@wrong("mix_values", "renormalised+returned-inside-loop", note="by the sums of the columns")
def mix_values_of_shares_of_key_0(weights, V):
    w = weights / weights.sum(axis=-2, keepdims=True)
    out = 0
    for j in range(V.shape[-2]):
        out = out + w[..., :, j, None] * V[..., None, j, :]
        return out


@wrong("mix_values", "softmax-again+weights-transposed")
def mix_values_softmax_then_turned(weights, V):
    powers = np.exp(weights)
    return np.swapaxes(powers / powers.sum(-1, keepdims=True), -2, -1) @ V


@wrong("mix_values", "weights-ignored", note="the weights of an example, typed in")
def mix_typed_in(weights, V):
    return 0.6 * V[0] + 0.4 * V[1]
