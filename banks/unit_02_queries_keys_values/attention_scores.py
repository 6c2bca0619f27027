"""Right and wrong answers to `attention_scores`, as learners write them."""

import numpy as np
import torch

from banks.registry import right, wrong
from helpers import example

# Right answers, each in its own style


@right("attention_scores", "@ and swapaxes")
def scores_swapaxes(Q, K):
    return Q @ K.swapaxes(-1, -2)


@right("attention_scores", "einsum")
def scores_einsum(Q, K):
    return np.einsum("...qd,...kd->...qk", Q, K)


@right("attention_scores", "a transposed view")
def scores_transposed_view(Q, K):
    return np.moveaxis(K @ np.moveaxis(Q, -1, -2), -1, -2)


@right("attention_scores", "broadcasting and sum")
def scores_broadcast(Q, K):
    return (Q[..., :, None, :] * K[..., None, :, :]).sum(-1)


@right("attention_scores", "loops over every entry")
def scores_loops_every_entry(Q, K):
    result = np.empty((*Q.shape[:-1], K.shape[-2]), dtype=Q.dtype)
    for lead in np.ndindex(Q.shape[:-2]):
        for i in range(Q.shape[-2]):
            for j in range(K.shape[-2]):
                result[(*lead, i, j)] = sum(Q[lead][i] * K[lead][j])
    return result


@right("attention_scores", "recursion over the leading axes")
def scores_recursive(Q, K):
    if Q.ndim > 2:
        return np.stack([scores_recursive(q, k) for q, k in zip(Q, K, strict=True)])
    return np.array([[float(np.dot(q, k)) for k in K] for q in Q])


@right("attention_scores", "transpose with an axis list")
def scores_axis_list(Q, K):
    axes = [*range(K.ndim - 2), K.ndim - 1, K.ndim - 2]
    return np.matmul(Q, np.transpose(K, axes))


@right("attention_scores", "one key at a time, stacked")
def scores_stack(Q, K):
    return np.stack([np.sum(Q * K[..., j : j + 1, :], axis=-1) for j in range(K.shape[-2])], axis=-1)


@right("attention_scores", "torch inside")
def scores_torch(Q, K):
    return torch.matmul(torch.from_numpy(Q), torch.from_numpy(K).transpose(-2, -1)).numpy()


@right("attention_scores", "np.vectorize with a signature")
def scores_vectorize(Q, K):
    return np.vectorize(lambda q, k: np.inner(q, k), signature="(q,d),(k,d)->(q,k)")(Q, K)


@right("attention_scores", "einsum ellipsis")
def attention_scores_19(Q, K):
    return np.einsum("...qd,...kd->...qk", Q, K)


@right("attention_scores", "broadcast multiply-sum")
def attention_scores_20(Q, K):
    return (Q[..., :, None, :] * K[..., None, :, :]).sum(-1)


# Wrong answers, those with one mistake together


@wrong("attention_scores", "reversed-all-axes", note="right for 2-D")
def scores_k_t(Q, K):
    return Q @ K.T


@wrong("attention_scores", "reversed-all-axes", note="right for 2-D")
def scores_swap_first_last(Q, K):
    return Q @ K.swapaxes(0, -1)


@wrong("attention_scores", "reversed-all-axes", note="K.T on a batched array also moves the batch axis.")
def scores_2(Q, K):
    return Q @ K.T


@wrong(
    "attention_scores",
    "reversed-all-axes",
    note="K.T reverses all axes instead of last two for batches (fails/garbles for 3-D)",
)
def attention_scores_38(Q, K):
    return Q @ K.T


@wrong("attention_scores", "keys-by-queries", note="right when Q == K")
def scores_k_q(Q, K):
    return K @ np.swapaxes(Q, -1, -2)


@wrong("attention_scores", "keys-by-queries", note="einsum letters")
def scores_einsum_kq(Q, K):
    return np.einsum("...qd,...kd->...kq", Q, K)


@wrong("attention_scores", "keys-by-queries", note="Swaps: K Q^T, row i = key i")
def attention_scores_40(Q, K):
    return K @ np.swapaxes(Q, -1, -2)


@wrong("attention_scores", "scaled-too-early")
def scores_scaled(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])


@wrong(
    "attention_scores",
    "scaled-too-early",
    note="Divides by sqrt(d_k) though these scores are to be unscaled.",
)
def scores_4(Q, K):
    q, k = torch.as_tensor(Q), torch.as_tensor(K)
    return (q @ k.transpose(-2, -1) / k.shape[-1] ** 0.5).numpy()


@wrong("attention_scores", "softmax-too-early")
def scores_softmax(Q, K):
    S = Q @ np.swapaxes(K, -1, -2)
    E = np.exp(S - S.max(axis=-1, keepdims=True))
    return E / E.sum(axis=-1, keepdims=True)


@wrong("attention_scores", "softmax-too-early", note="Returns softmaxed weights where raw scores were asked.")
def scores_6(Q, K):
    S = np.einsum("...id,...jd->...ij", Q, K)
    E = np.exp(S - S.max(axis=-1, keepdims=True))
    return E / E.sum(axis=-1, keepdims=True)


@wrong(
    "attention_scores",
    "softmax-too-early",
    note="Divides by sqrt(d_k) AND sets the scores negative? no: scales and applies softmax",
)
def attention_scores_41(Q, K):
    s = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


@wrong("attention_scores", "reshape-instead-of-transpose")
def scores_reshape(Q, K):
    return Q @ K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2])


@wrong("attention_scores", "cosine-instead-of-dot")
def scores_cosine(Q, K):
    Q = Q / np.linalg.norm(Q, axis=-1, keepdims=True)
    K = K / np.linalg.norm(K, axis=-1, keepdims=True)
    return Q @ np.swapaxes(K, -1, -2)


@wrong("attention_scores", "fixed-number-of-axes", note="3-D only")
def scores_3d(Q, K):
    return Q @ K.transpose(0, 2, 1)


@wrong("attention_scores", "fixed-number-of-axes", note="2-D loops")
def scores_loops(Q, K):
    S = np.zeros((Q.shape[0], K.shape[0]))
    for i in range(Q.shape[0]):
        for j in range(K.shape[0]):
            S[i, j] = np.dot(Q[i], K[j])
    return S


@wrong("attention_scores", "fixed-number-of-axes", note="wrong for 4-D only: transposes heads too")
def scores_4d_wrong(Q, K):
    if K.ndim == 4:
        return Q @ K.transpose(0, 2, 3, 1)
    return Q @ np.swapaxes(K, -1, -2)


@wrong(
    "attention_scores",
    "fixed-number-of-axes",
    note="swapaxes(0,1)... uses transpose(0, 2, 1) only: crashes on 2-D and 4-D input",
)
def attention_scores_39(Q, K):
    return Q @ np.transpose(K, (0, 2, 1))


@wrong("attention_scores", "square-only", note="n_q is used for both sides")
def scores_square(Q, K):
    n = Q.shape[-2]
    S = np.zeros((*Q.shape[:-2], n, n))
    for i in range(n):
        for j in range(n):
            S[..., i, j] = (Q[..., i, :] * K[..., j, :]).sum(axis=-1)
    return S


@wrong(
    "attention_scores",
    "square-only",
    note="Both loops run over the number of queries, which fails or truncates when n_q != n_k.",
)
def scores_7(Q, K):
    n = Q.shape[-2]
    S = np.empty(Q.shape[:-2] + (n, n))
    for i in range(n):
        for j in range(n):
            S[..., i, j] = (Q[..., i, :] * K[..., j, :]).sum(-1)
    return S


@wrong("attention_scores", "columns-as-tokens")
def scores_features(Q, K):
    return np.swapaxes(Q, -1, -2) @ K


@wrong("attention_scores", "np-dot-crosses-batches", note="right for 2-D")
def scores_np_dot(Q, K):
    return np.dot(Q, np.swapaxes(K, -1, -2))


@wrong("attention_scores", "np-dot-crosses-batches", note="right for 2-D")
def scores_tensordot(Q, K):
    return np.tensordot(Q, K, axes=(-1, -1))


@wrong(
    "attention_scores",
    "np-dot-crosses-batches",
    note="np.dot on batched arrays pairs every sequence with every other sequence.",
)
def scores_1(Q, K):
    return np.dot(Q, np.swapaxes(K, -1, -2))


@wrong("attention_scores", "one-matrix-twice", note="right when Q == K")
def scores_q_q(Q, K):
    return Q @ np.swapaxes(Q, -1, -2)


@wrong("attention_scores", "mean-instead-of-sum")
def scores_mean(Q, K):
    return (Q[..., :, None, :] * K[..., None, :, :]).mean(axis=-1)


@wrong("attention_scores", "first-batch-only", note="keys of the first batch for every batch")
def scores_first_batch(Q, K):
    K0 = K.reshape(-1, *K.shape[-2:])[0]
    return Q @ K0.T


@wrong("attention_scores", "float32")
def scores_float32(Q, K):
    return (torch.Tensor(Q) @ torch.Tensor(K).transpose(-1, -2)).numpy()


@wrong("attention_scores", "no-sum", note="elementwise, right shape only by accident")
def scores_elementwise(Q, K):
    return Q * K


@wrong("attention_scores", "input-changed")
def scores_in_place(Q, K):
    Q -= Q.mean()
    return Q @ np.swapaxes(K, -1, -2)


@wrong(
    "attention_scores",
    "rows-paired",
    note="Multiplies query i with key i only, one number per row and no matrix.",
)
def scores_3(Q, K):
    n = min(Q.shape[-2], K.shape[-2])
    return (Q[..., :n, :] * K[..., :n, :]).sum(axis=-1)


@wrong(
    "attention_scores",
    "batch-mixed",
    note="Different letters for the two batch axes in einsum, so keys of all sequences are added together.",
)
def scores_5(Q, K):
    if Q.ndim == 2:
        return np.einsum("qd,kd->qk", Q, K)
    return np.einsum("...qd,ckd->...qk", Q, K.reshape(-1, K.shape[-2], K.shape[-1]))


@wrong(
    "attention_scores", "batch-mixed", note="einsum with a batch sum: '...qd,...kd->qk' sums over the batch"
)
def attention_scores_42(Q, K):
    s = Q @ np.swapaxes(K, -1, -2)
    while s.ndim > 2:
        s = s.sum(0)
    return s


@wrong(
    "attention_scores",
    "keys-by-queries+fixed-number-of-axes",
    note="Writes K Q^T, so rows are keys, and the einsum only takes exactly one batch axis.",
)
def scores_8(Q, K):
    if Q.ndim == 2:
        return K @ Q.T
    return np.einsum("bkd,bqd->bkq", K, Q)


@wrong(
    "attention_scores",
    "fixed-size",
    note="The notebook's loop with its fixed size 4 x 4: other numbers of queries and keys, and batches, fail.",
)
def attention_scores_fixed_size(Q, K):
    scores = np.zeros((4, 4))
    for i in range(4):
        for j in range(4):
            scores[i, j] = Q[i] @ K[j]
    return scores


@wrong(
    "attention_scores",
    "fixed-number-of-axes",
    note="Loops over a batch axis that need not be there (for one sentence it pairs row b with row b only, for two batch axes K[b].T turns the batch round); and it returns a Python list instead of an array.",
)
def attention_scores_fixed_number_of_axes(Q, K):
    all_scores = []
    for b in range(len(Q)):
        all_scores.append(Q[b] @ K[b].T)
    return all_scores


@wrong("attention_scores", "no-transpose")
def attention_scores_no_transpose(Q, K):
    return Q @ K.transpose(-2, -1)


@wrong("attention_scores", "returned-inside-loop")
def attention_scores_returned_inside_loop(Q, K):
    s = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        for j in range(len(K)):
            s[i, j] = Q[i] @ K[j]
            return s


@wrong("attention_scores", "arguments-ignored")
def attention_scores_arguments_ignored(Q, K):
    return (example.X @ example.W_Q) @ (example.X @ example.W_K).T


@wrong(
    "attention_scores", "overwritten-instead-of-collected", note="every sentence is written into one buffer"
)
def attention_scores_one_buffer(Q, K):
    if Q.ndim == 2:
        return Q @ K.T
    buffer, results = np.empty((Q.shape[-2], K.shape[-2])), []
    for q, k in zip(Q.reshape(-1, *Q.shape[-2:]), K.reshape(-1, *K.shape[-2:]), strict=True):
        results.append(np.matmul(q, k.T, out=buffer))
    return np.array(results).reshape(*Q.shape[:-1], K.shape[-2])


@wrong("attention_scores", "added-instead-of-multiplied", note="additive attention")
def attention_scores_tanh_of_sums(Q, K):
    return np.tanh(Q[..., :, None, :] + K[..., None, :, :]).sum(axis=-1)


@wrong("attention_scores", "scaled-too-early+lost-sign")
def attention_scores_scaled_sizes(Q, K):
    return np.abs(Q @ np.swapaxes(K, -2, -1)) * K.shape[-1] ** -0.5
