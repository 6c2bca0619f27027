"""Right and wrong answers to `project`, as learners write them."""

import numpy as np
import torch
import torch.nn.functional as F

from banks.registry import add_right, right, wrong

# Right answers, each in its own style


@right("project", "@")
def project_at(X, W):
    return X @ W


@right("project", "einsum")
def project_einsum(X, W):
    return np.einsum("...nd,de->...ne", X, W)


@right("project", "tensordot")
def project_tensordot(X, W):
    return np.tensordot(X, W, axes=1)


@right("project", "loops over every entry")
def project_loops_every_entry(X, W):
    result = np.zeros((*X.shape[:-1], W.shape[1]))
    for index in np.ndindex(X.shape[:-1]):
        for column in range(W.shape[1]):
            for row in range(W.shape[0]):
                result[(*index, column)] += X[(*index, row)] * W[row, column]
    return result


@right("project", "recursion over the leading axes, lists then np.array")
def project_recursive(X, W):
    if X.ndim == 1:
        return [sum(x * w for x, w in zip(X, column, strict=True)) for column in W.T]
    return np.array([project_recursive(part, W) for part in X])


@right("project", "broadcasting and sum")
def project_broadcast(X, W):
    return (X[..., :, None] * W).sum(axis=-2)


@right("project", "flattened to two axes")
def project_flattened(X, W):
    return np.matmul(X.reshape(-1, X.shape[-1]), W).reshape(*X.shape[:-1], -1)


@right("project", "a transposed view")
def project_transposed(X, W):
    return np.swapaxes(W.T @ np.swapaxes(X, -1, -2), -1, -2)


@right("project", "apply_along_axis")
def project_apply_along_axis(X, W):
    return np.apply_along_axis(lambda token: token @ W, -1, X)


@right("project", "torch F.linear")
def project_torch(X, W):
    return F.linear(torch.from_numpy(X), torch.from_numpy(W).T).numpy()


add_right("project", "the name np.matmul itself", np.matmul)


@right("project", "tensordot")
def project_14(X, W):
    return np.tensordot(X, W, axes=([-1], [0]))


@right("project", "transposed result of W.T @ X^T, non-contiguous")
def project_15(X, W):
    return np.swapaxes(W.T @ np.swapaxes(X, -1, -2), -1, -2)


@right("project", "ndindex loop")
def project_16(X, W):
    out = np.empty(X.shape[:-1] + (W.shape[1],), dtype=np.result_type(X, W))
    for i in np.ndindex(X.shape[:-1]):
        out[i] = X[i] @ W
    return out


# Wrong answers, those with one mistake together


@wrong("project", "weight-transposed", note="right for a symmetric W")
def project_w_t(X, W):
    return X @ W.T


@wrong("project", "weight-transposed", note="F.linear wants (out, in)")
def project_f_linear(X, W):
    return F.linear(torch.tensor(X), torch.tensor(W)).numpy()


@wrong(
    "project",
    "weight-transposed",
    note="Multiplies by W.T as nn.Linear does, but here W is already (d, d_out).",
)
def project_1(X, W):
    return F.linear(torch.as_tensor(X), torch.as_tensor(W)).numpy()


@wrong("project", "weight-transposed", note="Entry j uses row W[j] instead of column W[:, j].")
def project_6(X, W):
    columns = [X @ W[j] for j in range(W.shape[1])]
    return np.stack(columns, axis=-1)


@wrong(
    "project",
    "weight-transposed",
    note="Uses np.dot fine for 2-D, but squares: W.T unless shape mismatch (W.T when W is square)",
)
def project_29(X, W):
    if W.shape[0] == W.shape[1]:
        return X @ W.T
    return X @ W


@wrong("project", "factors-swapped")
def project_w_x(X, W):
    return W @ X


@wrong("project", "columns-as-tokens")
def project_x_t(X, W):
    return X.swapaxes(-1, -2) @ W


@wrong("project", "reshape-instead-of-transpose")
def project_reshape(X, W):
    return X @ W.reshape(W.shape[1], W.shape[0]).T


@wrong("project", "fixed-number-of-axes", note="2-D only")
def project_einsum_2d(X, W):
    return np.einsum("nd,de->ne", X, W)


@wrong("project", "fixed-number-of-axes", note="3-D only")
def project_einsum_3d(X, W):
    return np.einsum("bnd,de->bne", X, W)


@wrong("project", "fixed-number-of-axes", note="2-D only, loops")
def project_loops(X, W):
    n, d = X.shape
    out = np.zeros((n, W.shape[1]))
    for i in range(n):
        for j in range(W.shape[1]):
            for k in range(d):
                out[i, j] += X[i, k] * W[k, j]
    return out


@wrong("project", "fixed-number-of-axes", note="The einsum letters allow one sequence only; batches fail.")
def project_2(X, W):
    return np.einsum("nd,do->no", X, W)


@wrong("project", "shape-flattened", note="batch axes not restored")
def project_flat(X, W):
    return X.reshape(-1, X.shape[-1]) @ W


@wrong(
    "project",
    "shape-flattened",
    note="Flattens the batch into one long list of tokens and never restores the shape.",
)
def project_3(X, W):
    d = X.shape[-1]
    return X.reshape(-1, d) @ W


@wrong(
    "project",
    "shape-flattened",
    note="Flattens the batch: X.reshape(-1, d) @ W without restoring the batch axes",
)
def project_30(X, W):
    return X.reshape(-1, X.shape[-1]) @ W


@wrong("project", "square-only", note="result allocated like X")
def project_zeros_like(X, W):
    out = np.zeros_like(X)
    out[...] = X @ W
    return out


@wrong("project", "first-batch-only")
def project_first_batch(X, W):
    if X.ndim == 2:
        return X @ W
    return np.broadcast_to(X[0] @ W, (*X.shape[:-1], W.shape[1]))


@wrong("project", "scaled-too-early")
def project_scaled(X, W):
    return X @ W / np.sqrt(W.shape[0])


@wrong("project", "extra-nonlinearity")
def project_relu(X, W):
    return np.maximum(X @ W, 0)


@wrong("project", "extra-nonlinearity", note="Adds a ReLU after the projection, as in a feed-forward layer.")
def project_4(X, W):
    out = X @ W
    out[out < 0] = 0
    return out


@wrong("project", "extra-nonlinearity", note="Adds a ReLU after the projection as in an MLP layer")
def project_32(X, W):
    return np.maximum(X @ W, 0)


@wrong("project", "extra-residual", note="raises unless d == d_out")
def project_residual(X, W):
    return X + X @ W


@wrong("project", "float32")
def project_float32(X, W):
    return (torch.Tensor(X) @ torch.Tensor(W)).numpy()


@wrong(
    "project",
    "float32",
    note="Converts to float32 for torch and never goes back, losing the float64 precision.",
)
def project_5(X, W):
    x = torch.FloatTensor(X)
    w = torch.FloatTensor(W)
    return torch.matmul(x, w).numpy()


@wrong("project", "mean-instead-of-sum")
def project_mean(X, W):
    return (X[..., :, None] * W).mean(axis=-2)


@wrong("project", "input-changed", note="only when d == d_out")
def project_in_place(X, W):
    Y = X @ W
    if Y.shape == X.shape:
        X[...] = Y
    return Y


@wrong("project", "returns-list")
def project_list(X, W):
    return (X @ W).tolist()


@wrong("project", "overwritten-instead-of-summed", note="last product instead of their sum")
def project_overwrites(X, W):
    out = np.zeros((*X.shape[:-1], W.shape[1]))
    for k in range(W.shape[0]):
        out = X[..., k : k + 1] * W[k]
    return out


@wrong(
    "project",
    "fixed-number-of-axes",
    note="Goes through the column convention with .T, which reverses all axes of a batch.",
)
def project_7(X, W):
    return (W.T @ X.T).T


@wrong(
    "project",
    "centred-first+input-changed",
    note="Subtracts the mean token before projecting, and does it with -= inside the caller's X.",
)
def project_8(X, W):
    X -= X.mean(axis=-2, keepdims=True)
    return X @ W


@wrong("project", "normalised-first", note="Normalises the rows of X (unit length) before projecting")
def project_31(X, W):
    return (X / np.linalg.norm(X, axis=-1, keepdims=True)) @ W


@wrong("project", "fixed-size")
def project_fixed_size(X, W):
    result = np.zeros((4, 4))
    for i in range(4):
        for c in range(4):
            for k in range(4):
                result[i, c] += X[i, k] * W[k, c]
    return result


@wrong("project", "fixed-size")
def project_fixed_size_2(X, W):
    query = np.zeros(4)
    for column in range(4):
        for feature in range(4):
            query[column] += X[1, feature] * W[feature, column]
    return query


@wrong("project", "returned-inside-loop")
def project_returned_inside_loop(X, W):
    result = np.zeros((X.shape[0], W.shape[1]))
    for i in range(X.shape[0]):
        result[i] = X[i] @ W
        return result


@wrong("project", "fixed-number-of-axes", note="each round gets a whole sentence of a batch")
def project_first_axis_loop(X, W):
    return np.array([W.T @ token for token in X])


@wrong("project", "square-only")
def project_into_the_shape_of_x(X, W):
    return (X.reshape(-1, X.shape[-1]) @ W).reshape(X.shape)


@wrong("project", "square-only")
def project_row_by_row_into_the_shape_of_x(X, W):
    out = np.zeros(X.shape)
    for i in range(len(X)):
        out[i] = X[i] @ W
    return out


@wrong("project", "axis-summed", note="the letter of the features is missing behind the arrow")
def project_einsum_without_the_features(X, W):
    return np.einsum("...nd,de->...n", X, W)


@wrong("project", "fixed-number-of-axes", note="an einsum with letters for two axes")
def project_einsum_of_two_axes(X, W):
    return np.einsum("nd,de->ne", X, W)


@wrong("project", "columns-as-tokens", note="W is applied down the first axis")
def project_along_the_first_axis(X, W):
    return np.apply_along_axis(lambda column: column @ W, 0, X)


@wrong("project", "out-of-place", note="a batch put back column by column")
def project_put_back_by_columns(X, W):
    flat = X.reshape(-1, X.shape[-1]) @ W
    return flat if X.ndim == 2 else flat.reshape(*X.shape[:-1], W.shape[1], order="F")
