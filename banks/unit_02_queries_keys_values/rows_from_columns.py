"""Right and wrong answers to `rows_from_columns`, as learners write them."""

import numpy as np
import torch
import torch.nn.functional as F

from banks.registry import right, wrong

# Right answers, each in its own style


@right("rows_from_columns", "(W I) transposed, a view")
def rows_view(I, W):
    return (W @ I).T


@right("rows_from_columns", "I^T W^T")
def rows_product(I, W):
    return I.T @ W.T


@right("rows_from_columns", "einsum")
def rows_einsum(I, W):
    return np.einsum("dn,od->no", I, W)


@right("rows_from_columns", "tensordot")
def rows_tensordot(I, W):
    return np.tensordot(I, W, axes=([0], [1]))


@right("rows_from_columns", "lists of lists")
def rows_lists(I, W):
    d, n = I.shape
    return np.array([[sum(W[o, k] * I[k, t] for k in range(d)) for o in range(len(W))] for t in range(n)])


@right("rows_from_columns", "one token at a time")
def rows_stack(I, W):
    return np.stack([np.dot(W, token) for token in I.T])


@right("rows_from_columns", "F.linear")
def rows_torch(I, W):
    return F.linear(torch.from_numpy(I).T, torch.from_numpy(W)).numpy()


@right("rows_from_columns", "broadcasting and sum")
def rows_broadcast(I, W):
    return (I.T[:, None, :] * W[None]).sum(2)


@right("rows_from_columns", "np.inner of rows")
def rows_inner(I, W):
    tokens = np.transpose(I)
    return np.inner(tokens, W)


@right("rows_from_columns", "einsum to n o")
def rows_from_columns_22(I, W):
    return np.einsum("dn,od->no", I, W)


@right("rows_from_columns", "transpose view of W @ I")
def rows_from_columns_23(I, W):
    return (W @ I).T


# Wrong answers, those with one mistake together


@wrong("rows_from_columns", "not-transposed-back", note="(d_out, n): tokens are still columns")
def rows_w_i(I, W):
    return W @ I


@wrong("rows_from_columns", "not-transposed-back", note="Computes W @ I and leaves the tokens in columns.")
def rows_1(I, W):
    return W @ I


@wrong("rows_from_columns", "factors-swapped")
def rows_i_w(I, W):
    return I @ W


@wrong("rows_from_columns", "weight-transposed", note="raises unless W is square")
def rows_it_w(I, W):
    return I.T @ W


@wrong("rows_from_columns", "weight-transposed", note="both, W for W.T")
def rows_wt_i_t(I, W):
    return (W.T @ I).T


@wrong(
    "rows_from_columns",
    "weight-transposed",
    note="Turns I into rows but forgets that W must be transposed as well.",
)
def rows_3(I, W):
    X = I.T
    return X @ W


@wrong(
    "rows_from_columns",
    "weight-transposed",
    note="Transposes only the input: I.T @ W, working when W is square, else falling back to the right one",
)
def rows_from_columns_48(I, W):
    if W.shape[0] == W.shape[1]:
        return I.T @ W
    return I.T @ W.T


@wrong("rows_from_columns", "reshape-instead-of-transpose")
def rows_reshape(I, W):
    return (W @ I).reshape(I.shape[1], W.shape[0])


@wrong("rows_from_columns", "reshape-instead-of-transpose", note="of the input")
def rows_reshape_input(I, W):
    return I.reshape(I.shape[1], I.shape[0]) @ W.T


@wrong("rows_from_columns", "reshape-instead-of-transpose", note="of the weight")
def rows_reshape_weight(I, W):
    return I.T @ W.reshape(W.shape[1], W.shape[0])


@wrong(
    "rows_from_columns",
    "reshape-instead-of-transpose",
    note="Uses reshape to get the (n, d_out) shape, which scrambles the entries.",
)
def rows_2(I, W):
    return (W @ I).reshape(I.shape[1], W.shape[0])


@wrong(
    "rows_from_columns",
    "reshape-instead-of-transpose",
    note="Reshapes the column result instead of transposing",
)
def rows_from_columns_47(I, W):
    C = W @ I
    return C.reshape(I.shape[1], W.shape[0])


@wrong("rows_from_columns", "columns-as-tokens", note="F.linear on the columns: raises unless n == d")
def rows_linear_i(I, W):
    return F.linear(torch.from_numpy(I), torch.from_numpy(W)).numpy()


@wrong(
    "rows_from_columns",
    "columns-as-tokens",
    note="Iterates over the rows of I as if each row of I were a token.",
)
def rows_4(I, W):
    return np.array([W @ token for token in I])


@wrong("rows_from_columns", "wrong-order", note="rot90 is not a transpose")
def rows_rot90(I, W):
    return np.rot90(W @ I)


@wrong(
    "rows_from_columns",
    "wrong-order",
    note="rot90 looks like a transpose but also reverses the order of the features.",
)
def rows_6(I, W):
    return np.rot90(W @ I, k=-1)


@wrong(
    "rows_from_columns",
    "wrong-order",
    note="Flips the result instead of transposing twice: I.T @ W.T with rows reversed (np.flip)",
)
def rows_from_columns_49(I, W):
    return np.rot90(W @ I)


@wrong("rows_from_columns", "float32")
def rows_float32(I, W):
    return F.linear(torch.Tensor(I.T), torch.Tensor(W)).numpy()


@wrong("rows_from_columns", "scaled-too-early")
def rows_scaled(I, W):
    return I.T @ W.T / np.sqrt(W.shape[0])


@wrong("rows_from_columns", "returns-list")
def rows_list(I, W):
    return [W @ I[:, i] for i in range(I.shape[1])]


@wrong("rows_from_columns", "square-only", note="counts d tokens")
def rows_count_d(I, W):
    return np.stack([W @ I[:, i] for i in range(I.shape[0])])


@wrong("rows_from_columns", "returns-input", note="no projection, only the bridge")
def rows_only_transpose(I, W):
    return I.T


@wrong("rows_from_columns", "input-changed", note="shape of I overwritten")
def rows_in_place(I, W):
    out = (W @ I).T
    I.shape = (I.shape[1], I.shape[0])
    return out


@wrong("rows_from_columns", "last-left-out")
def rows_last_left_out(I, W):
    out = np.zeros((I.shape[1], W.shape[0]))
    for i in range(I.shape[1] - 1):
        out[i] = W @ I[:, i]
    return out


@wrong(
    "rows_from_columns",
    "keepdims-left",
    note="Keeps each token as a (d, 1) column, so the result is (n, d_out, 1).",
)
def rows_5(I, W):
    out = []
    for t in range(I.shape[1]):
        out.append(W @ I[:, t : t + 1])
    return np.array(out)


@wrong("rows_from_columns", "returns-function")
def rows_from_columns_returns_function(I, W):
    return (W @ I).transpose


@wrong("rows_from_columns", "columns-as-tokens", note="a square I is taken for tokens in rows")
def rows_from_columns_square_as_it_is(I, W):
    tokens = I if I.shape[0] == I.shape[1] else I.T
    return tokens @ W.T


@wrong("rows_from_columns", "weight-transposed+reshape-instead-of-transpose")
def rows_from_columns_weight_turned_then_reshaped(I, W):
    P = W.T @ I
    return P.reshape(P.shape[::-1])


@wrong("rows_from_columns", "not-transposed-back", note="one turn too many, not one too few")
def rows_turned_once_too_often(I, W):
    rows = I.T @ W.T
    return rows.T


@wrong("rows_from_columns", "out-of-place", note="reshaped column by column")
def rows_reshaped_by_columns(I, W):
    P = W @ I
    return np.reshape(P, P.shape[::-1], order="F")


@wrong("rows_from_columns", "inverse-for-transpose", note="the pseudo-inverse")
def rows_by_pseudo_inverse(I, W):
    return I.T @ np.linalg.pinv(W)
