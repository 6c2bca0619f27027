"""Right and wrong answers to `merge_heads`, as learners write them."""

import numpy as np
import torch

from banks.registry import right, wrong

# Right answers, each in its own style


@right("merge_heads", "transpose and reshape")
def merge_reshape(H):
    B, h, n, d_head = H.shape
    return H.transpose(0, 2, 1, 3).reshape(B, n, h * d_head)


@right("merge_heads", "concatenate")
def merge_concatenate(H):
    return np.concatenate([H[:, i] for i in range(H.shape[1])], axis=-1)


@right("merge_heads", "hstack sentence by sentence")
def merge_hstack(H):
    return np.array([np.hstack(list(heads)) for heads in H])


@right("merge_heads", "torch inside")
def merge_torch(H):
    return torch.from_numpy(H).permute(0, 2, 1, 3).contiguous().flatten(2).numpy()


@right("merge_heads", "written head by head")
def merge_slices(H):
    B, h, n, d_head = H.shape
    X = np.empty((B, n, h * d_head), dtype=H.dtype)
    for i in range(h):
        X[:, :, i * d_head : (i + 1) * d_head] = H[:, i]
    return X


@right("merge_heads", "loops over every entry, Fortran order, prints")
def merge_loops(H):
    B, h, n, d_head = H.shape
    X = np.zeros((B, n, h * d_head), order="F")
    for (b, i, t, c), value in np.ndenumerate(H):
        X[b, t, i * d_head + c] = value
    print("merged", h, "heads")
    return X


@right("merge_heads", "einsum with block identities")
def merge_einsum(H):
    _, h, _, d_head = H.shape
    place = np.eye(h * d_head, dtype=H.dtype).reshape(h, d_head, h * d_head)
    return np.einsum("bhnd,hde->bne", H, place)


@right("merge_heads", "moveaxis, a transposed view")
def merge_moveaxis(H):
    columns = np.moveaxis(H, 2, -1)  # (B, h, d_head, n)
    return columns.reshape(H.shape[0], -1, H.shape[2]).swapaxes(1, 2)


@right("merge_heads", "np.concatenate of the heads as a list")
def merge_heads_22(H):
    return np.concatenate(list(np.moveaxis(H, 1, 0)), axis=-1)


@right("merge_heads", "write into a non-contiguous view by hand")
def merge_heads_23(H):
    B, h, n, d = H.shape
    out = np.empty((B, h * d, n), dtype=H.dtype).swapaxes(1, 2)
    for j in range(h * d):
        out[:, :, j] = H[:, j // d, :, j % d]
    return out


# Wrong answers, those with one mistake together


@wrong("merge_heads", "heads-merged-without-transpose")
def merge_by_reshape(H):
    B, h, n, d_head = H.shape
    return H.reshape(B, n, h * d_head)


@wrong("merge_heads", "heads-merged-without-transpose", note="torch .view")
def merge_by_view(H):
    B, h, n, d_head = H.shape
    return torch.tensor(H).contiguous().view(B, n, h * d_head).numpy()


@wrong(
    "merge_heads",
    "heads-merged-without-transpose",
    note="Reshapes (B, h, n, d_head) straight to (B, n, d_model): tokens are mixed.",
)
def mg1(H):
    B, h, n, dh = H.shape
    return H.reshape(B, n, h * dh)


@wrong("merge_heads", "heads-interleaved")
def merge_interleaved(H):
    B, h, n, d_head = H.shape
    return H.transpose(0, 2, 3, 1).reshape(B, n, h * d_head)


@wrong("merge_heads", "heads-interleaved", note="np.stack on the last axis")
def merge_stack(H):
    B, h, n, d_head = H.shape
    return np.stack([H[:, i] for i in range(h)], axis=-1).reshape(B, n, h * d_head)


@wrong(
    "merge_heads",
    "heads-interleaved",
    note="Moves h behind d_head before flattening, so channels of the heads alternate.",
)
def mg2(H):
    B, h, n, dh = H.shape
    return torch.as_tensor(H).permute(0, 2, 3, 1).reshape(B, n, dh * h).numpy()


@wrong("merge_heads", "heads-interleaved", note="reshapes in Fortran order")
def merge_heads_38(H):
    B, h, n, d = H.shape
    return H.transpose(0, 2, 1, 3).reshape(B, n, h * d, order="F")


@wrong("merge_heads", "heads-interleaved", note="merges with the head index running fastest (interleaved)")
def merge_heads_39(H):
    B, h, n, d = H.shape
    return H.transpose(0, 2, 3, 1).reshape(B, n, d * h)


@wrong("merge_heads", "heads-averaged")
def merge_mean(H):
    return np.tile(H.mean(axis=1), H.shape[1])


@wrong("merge_heads", "heads-averaged", note="Averages the heads and repeats the mean to fill d_model.")
def mg5(H):
    h = H.shape[1]
    return np.tile(H.mean(axis=1), (1, 1, h))


@wrong("merge_heads", "heads-summed", note="(B, n, d_head)")
def merge_sum(H):
    return H.sum(axis=1)


@wrong("merge_heads", "heads-summed", note="Sums over the head axis, losing d_model.")
def mg10(H):
    return np.einsum("bhnd->bnd", H)


@wrong("merge_heads", "wrong-head-axis", note="concatenated along the tokens")
def merge_tokens(H):
    return np.concatenate([H[:, i] for i in range(H.shape[1])], axis=1)


@wrong("merge_heads", "wrong-head-axis", note="loops over the batch: right when B == h, in shape")
def merge_loops_batch(H):
    return np.concatenate(list(H), axis=-1)


@wrong("merge_heads", "wrong-head-axis", note="swaps the last two axes")
def merge_swap_last(H):
    B, h, n, d_head = H.shape
    return H.transpose(0, 1, 3, 2).reshape(B, n, h * d_head)


@wrong(
    "merge_heads", "wrong-head-axis", note="concatenates the heads one after another along the token axis."
)
def mg4(H):
    return np.concatenate([H[:, i] for i in range(H.shape[1])], axis=1)


@wrong(
    "merge_heads",
    "wrong-head-axis",
    note="np.concatenate over a 4-D array joins batch elements, not heads: (h, n, B*d_head) comes back.",
)
def mg8(H):
    return np.concatenate(H, axis=-1)


@wrong(
    "merge_heads",
    "wrong-head-axis",
    note="np.concatenate(H, axis=-1) walks over the batch, not over the heads",
)
def merge_heads_36(H):
    return np.concatenate(H, axis=-1)


@wrong("merge_heads", "reversed-all-axes")
def merge_t(H):
    B, h, n, d_head = H.shape
    return H.T.reshape(B, n, h * d_head)


@wrong("merge_heads", "not-merged", note="(B, n, h, d_head)")
def merge_not_merged(H):
    return H.transpose(0, 2, 1, 3)


@wrong(
    "merge_heads",
    "not-merged",
    note="Only transposes back to (B, n, h, d_head), never joins the last two axes.",
)
def mg3(H):
    return np.swapaxes(H, 1, 2)


@wrong("merge_heads", "heads-out-of-order")
def merge_reversed(H):
    return np.concatenate([H[:, i] for i in reversed(range(H.shape[1]))], axis=-1)


@wrong(
    "merge_heads", "heads-out-of-order", note="Prepends each head in the loop, so the last head comes first."
)
def mg7(H):
    out = H[:, 0]
    for i in range(1, H.shape[1]):
        out = np.concatenate([H[:, i], out], axis=-1)
    return out


@wrong("merge_heads", "first-head-only", note="repeated")
def merge_first(H):
    return np.tile(H[:, 0], H.shape[1])


@wrong("merge_heads", "batch-mixed", note="batch and tokens mixed: right for a batch of one")
def merge_batch_mixed(H):
    B, h, n, d_head = H.shape
    return H.transpose(2, 0, 1, 3).reshape(B, n, h * d_head)


@wrong("merge_heads", "last-left-out", note="the last head is 0")
def merge_last_head(H):
    B, h, n, d_head = H.shape
    out = np.zeros((B, n, h * d_head))
    for i in range(h - 1):
        out[..., i * d_head : (i + 1) * d_head] = H[:, i]
    return out


@wrong("merge_heads", "float32")
def merge_float32(H):
    B, h, n, d_head = H.shape
    out = np.zeros((B, n, h * d_head), dtype=np.float32)
    for i in range(h):
        out[..., i * d_head : (i + 1) * d_head] = H[:, i]
    return out


@wrong("merge_heads", "fixed-number-of-heads", note="two heads")
def merge_two_heads(H):
    return np.concatenate([H[:, 0], H[:, 1]], axis=-1)


@wrong("merge_heads", "fixed-number-of-heads", note="Writes out exactly two heads by hand.")
def mg6(H):
    return np.concatenate((H[:, 0], H[:, 1]), axis=-1)


@wrong("merge_heads", "input-changed", note="resized in place")
def merge_in_place(H):
    B, h, n, d_head = H.shape
    out = H.transpose(0, 2, 1, 3).reshape(B, n, h * d_head)
    H.shape = (B, n, h * d_head)
    return out


@wrong(
    "merge_heads",
    "first-batch-only",
    note="Merges only the first batch element and broadcasts it over the batch.",
)
def mg9(H):
    B, h, n, dh = H.shape
    one = H[0].transpose(1, 0, 2).reshape(n, h * dh)
    return np.broadcast_to(one, (B, n, h * dh)).copy()


@wrong(
    "merge_heads",
    "batch-axis-for-tokens+fixed-number-of-heads",
    note="Assumes two heads, and swaps batch with tokens before reshaping.",
)
def mg11(H):
    B, h, n, dh = H.shape
    return H.transpose(2, 0, 1, 3).reshape(B, n, 2 * dh)


def _merge(H):
    B, h, n, d = H.shape
    return H.transpose(0, 2, 1, 3).reshape(B, n, h * d)


@wrong(
    "merge_heads",
    "shape-flattened",
    note="ends with squeeze(), so a batch of one (or one token) loses its axis",
)
def merge_heads_37(H):
    return _merge(H).squeeze()


@wrong(
    "merge_heads",
    "heads-out-of-order+heads-averaged",
    note="TWO: prepends each head (reversed order) and divides by the number of heads",
)
def merge_heads_40(H):
    out = H[:, 0]
    for i in range(1, H.shape[1]):
        out = np.concatenate([H[:, i], out], axis=-1)
    return out / H.shape[1]


@wrong(
    "merge_heads",
    "off-by-one",
    note="The result is a table of whole numbers (dtype=int), so fractions are cut off; and the slice of head i starts at i instead of i * d_head, so the heads overwrite each other.",
)
def merge_heads_off_by_one(H):
    B, h, n, d_head = H.shape
    merged = np.zeros((B, n, h * d_head), dtype=int)
    for i in range(h):
        merged[:, :, i : i + d_head] = H[:, i]
    return merged


@wrong("merge_heads", "wrong-head-axis")
def merge_heads_wrong_head_axis(H):
    return np.hstack([H[0], H[1]])


@wrong("merge_heads", "fixed-number-of-heads")
def merge_heads_fixed_number_of_heads(H):
    return np.hstack([H[:, 0], H[:, 1]])


@wrong("merge_heads", "first-batch-only")
def merge_heads_of_the_first_sequence(H):
    return np.hstack(list(H[0]))


@wrong("merge_heads", "heads-merged-without-transpose", note="swaps after the reshape")
def merge_heads_swapped_afterwards(H):
    B, h, n, d_head = H.shape
    return H.reshape(B, n, h * d_head).swapaxes(1, 2)


@wrong("merge_heads", "wrong-head-axis", note="takes the number of heads for that of tokens")
def merge_heads_tokens_for_heads(H):
    B, n, h, d = H.shape
    return H.swapaxes(1, 2).reshape(B, n, h * d)


@wrong("merge_heads", "reversed-all-axes", note="of the right shape: tokens, heads and channels mix")
def merge_heads_all_axes_reversed(H):
    B, h, n, d = H.shape
    return H.T.reshape(n, h * d, B).transpose(2, 0, 1)


@wrong("merge_heads", "heads-out-of-order+heads-interleaved")
def merge_heads_reversed_and_interleaved(H):
    B, h, n, d = H.shape
    return H[:, ::-1].transpose(0, 2, 3, 1).reshape(B, n, -1)


@wrong("merge_heads", "first-head-only", note="returns on the first round")
def merge_first_round_only(H):
    B, h, n, d_head = H.shape
    out = np.zeros((B, n, h * d_head))
    for i in range(h):
        out[:, :, i * d_head : (i + 1) * d_head] = H[:, i]
        return out


@wrong("merge_heads", "wrong-head-axis", "hstack goes through the batch")
def hstack_of_the_batch(H):
    return np.hstack(H)
