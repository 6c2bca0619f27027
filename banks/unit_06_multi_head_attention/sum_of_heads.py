"""Right and wrong answers to `sum_of_heads`, as learners write them."""

import numpy as np
import torch

from banks.registry import right, wrong

# Right answers, each in its own style


@right("sum_of_heads", "a loop over the blocks")
def sum_loop(H, W_o):
    d_head = H.shape[-1]
    output = 0
    for i in range(H.shape[1]):
        output = output + H[:, i] @ W_o[i * d_head : (i + 1) * d_head]
    return output


@right("sum_of_heads", "concatenate, then project")
def sum_concatenate(H, W_o):
    return np.concatenate(list(H.swapaxes(0, 1)), axis=-1) @ W_o


@right("sum_of_heads", "einsum over both")
def sum_einsum(H, W_o):
    _, h, _, d_head = H.shape
    return np.einsum("bhnd,hdm->bnm", H, W_o.reshape(h, d_head, -1))


@right("sum_of_heads", "tensordot over two axes")
def sum_tensordot(H, W_o):
    return np.tensordot(H, W_o.reshape(H.shape[1], H.shape[3], -1), axes=([1, 3], [0, 1]))


@right("sum_of_heads", "batched product, then sum")
def sum_matmul(H, W_o):
    blocks = np.stack(np.vsplit(W_o, H.shape[1]))
    return np.matmul(H, blocks).sum(axis=1)


@right("sum_of_heads", "torch inside, sum of a generator, prints")
def sum_torch(H, W_o):
    heads = torch.tensor(H).unbind(1)
    blocks = torch.tensor(W_o).chunk(len(heads), dim=0)
    output = sum(head @ block for head, block in zip(heads, blocks, strict=True))
    print(output.shape)
    return output.numpy()


@right("sum_of_heads", "loops over every entry")
def sum_loops(H, W_o):
    B, h, n, d_head = H.shape
    output = np.zeros((B, n, W_o.shape[1]))
    for b in range(B):
        for i in range(h):
            for t in range(n):
                for c in range(d_head):
                    output[b, t] += H[b, i, t, c] * W_o[i * d_head + c]
    return output


@right("sum_of_heads", "recursion, a transposed view")
def sum_recursive(H, W_o):
    d_head = H.shape[-1]
    first = (W_o[:d_head].T @ H[:, 0].swapaxes(-1, -2)).swapaxes(-1, -2)
    return first if H.shape[1] == 1 else first + sum_recursive(H[:, 1:], W_o[d_head:])


@right("sum_of_heads", "one einsum over a reshaped W_o")
def sum_of_heads_26(H, W_o):
    return np.einsum("bhnd,hdm->bnm", H, W_o.reshape(H.shape[1], H.shape[3], -1), optimize=True)


@right("sum_of_heads", "batched matmul over heads then sum, tensordot free")
def sum_of_heads_27(H, W_o):
    return (H @ np.stack(np.vsplit(W_o, H.shape[1]))[None]).sum(axis=1)


# Wrong answers, those with one mistake together


@wrong("sum_of_heads", "heads-share-weights", note="the first block for every head")
def sum_first_block(H, W_o):
    d_head = H.shape[-1]
    return sum(H[:, i] @ W_o[:d_head] for i in range(H.shape[1]))


@wrong(
    "sum_of_heads",
    "heads-share-weights",
    note="Adds the heads first and projects the sum with the first block of W_o.",
)
def u1(H, W_o):
    dh = H.shape[-1]
    return H.sum(axis=1) @ W_o[:dh]


@wrong("sum_of_heads", "weight-rows-for-columns", note="blocks of columns: (B, n, d_head) or an error")
def sum_columns(H, W_o):
    d_head = H.shape[-1]
    return sum(H[:, i] @ W_o[:d_head, i * d_head : (i + 1) * d_head] for i in range(H.shape[1]))


@wrong("sum_of_heads", "weight-transposed", note="blocks of columns, transposed to fit")
def sum_columns_transposed(H, W_o):
    d_head = H.shape[-1]
    return sum(H[:, i] @ W_o[:, i * d_head : (i + 1) * d_head].T for i in range(H.shape[1]))


@wrong("sum_of_heads", "weight-transposed")
def sum_w_t(H, W_o):
    d_head = H.shape[-1]
    blocks = W_o.T
    return sum(H[:, i] @ blocks[i * d_head : (i + 1) * d_head] for i in range(H.shape[1]))


@wrong(
    "sum_of_heads",
    "weight-transposed",
    note="Cuts W_o by columns and transposes the block so that the shapes fit.",
)
def u2(H, W_o):
    B, h, n, dh = H.shape
    out = 0
    for i in range(h):
        block = W_o[:, i * dh : (i + 1) * dh]
        out = out + H[:, i] @ block.T
    return out


@wrong("sum_of_heads", "heads-interleaved", note="rows i, i + h, ...")
def sum_strided(H, W_o):
    h = H.shape[1]
    return sum(H[:, i] @ W_o[i::h] for i in range(h))


@wrong("sum_of_heads", "heads-interleaved", note="Takes every h-th row of W_o for head i.")
def u6(H, W_o):
    h = H.shape[1]
    return np.sum([H[:, i] @ W_o[i::h] for i in range(h)], axis=0)


@wrong("sum_of_heads", "heads-interleaved", note="takes every h-th row of W_o for head i (W_o[i::h])")
def sum_of_heads_47(H, W_o):
    h = H.shape[1]
    return sum(H[:, i] @ W_o[i::h] for i in range(h))


@wrong("sum_of_heads", "heads-averaged")
def sum_mean(H, W_o):
    d_head = H.shape[-1]
    parts = [H[:, i] @ W_o[i * d_head : (i + 1) * d_head] for i in range(H.shape[1])]
    return np.mean(parts, axis=0)


@wrong("sum_of_heads", "heads-averaged", note="Averages the projected heads.")
def u7(H, W_o):
    B, h, n, dh = H.shape
    W = W_o.reshape(h, dh, -1)
    return np.mean(np.einsum("bhnd,hde->bhne", H, W), axis=1)


@wrong("sum_of_heads", "heads-merged-without-transpose")
def sum_reshape(H, W_o):
    B, h, n, d_head = H.shape
    return H.reshape(B, n, h * d_head) @ W_o


@wrong(
    "sum_of_heads",
    "heads-merged-without-transpose",
    note="Tries concatenate-then-project, with a reshape that mixes tokens and heads.",
)
def u8(H, W_o):
    B, h, n, dh = H.shape
    return H.reshape(B, n, h * dh) @ W_o


@wrong("sum_of_heads", "no-sum", note="one output per head: (B, h, n, d_model)")
def sum_no_sum(H, W_o):
    _, h, _, d_head = H.shape
    return H @ W_o.reshape(h, d_head, -1)


@wrong("sum_of_heads", "no-sum", note="Stacks the projected heads and forgets to add them.")
def u10(H, W_o):
    B, h, n, dh = H.shape
    return np.stack([H[:, i] @ W_o[i * dh : (i + 1) * dh] for i in range(h)], axis=1)


@wrong("sum_of_heads", "no-output-projection", note="concatenated only")
def sum_concat(H, W_o):
    B, h, n, d_head = H.shape
    return H.transpose(0, 2, 1, 3).reshape(B, n, h * d_head)


@wrong("sum_of_heads", "overwritten-instead-of-summed", note="the last head only")
def sum_overwrites(H, W_o):
    d_head = H.shape[-1]
    for i in range(H.shape[1]):
        out = H[:, i] @ W_o[i * d_head : (i + 1) * d_head]
    return out


@wrong(
    "sum_of_heads",
    "overwritten-instead-of-summed",
    note="out = ... instead of out += ..., so only the last head remains.",
)
def u3(H, W_o):
    B, h, n, dh = H.shape
    out = np.zeros((B, n, W_o.shape[1]))
    for i in range(h):
        out = H[:, i] @ W_o[i * dh : (i + 1) * dh]
    return out


@wrong("sum_of_heads", "last-left-out")
def sum_skips_last(H, W_o):
    d_head = H.shape[-1]
    out = np.zeros((H.shape[0], H.shape[2], W_o.shape[1]))
    for i in range(H.shape[1] - 1):
        out += H[:, i] @ W_o[i * d_head : (i + 1) * d_head]
    return out


@wrong(
    "sum_of_heads",
    "last-left-out",
    note="range(1, h) used together with i - 1, so the last head is never added.",
)
def u5(H, W_o):
    B, h, n, dh = H.shape
    return sum(H[:, i - 1] @ W_o[(i - 1) * dh : i * dh] for i in range(1, h))


@wrong("sum_of_heads", "wrong-head-axis", note="loops over the batch: H[i]")
def sum_batch_axis(H, W_o):
    d_head = H.shape[-1]
    return sum(H[i] @ W_o[i * d_head : (i + 1) * d_head] for i in range(H.shape[1]))


@wrong("sum_of_heads", "axis-counted-from-front", note="block width n: right when n == d_head")
def sum_block_n(H, W_o):
    width = H.shape[2]
    return sum(H[:, i] @ W_o[i * width : (i + 1) * width] for i in range(H.shape[1]))


@wrong("sum_of_heads", "heads-out-of-order")
def sum_reversed(H, W_o):
    d_head = H.shape[-1]
    blocks = [W_o[i : i + d_head] for i in range(0, len(W_o), d_head)]
    return sum(H[:, i] @ W for i, W in enumerate(reversed(blocks)))


@wrong("sum_of_heads", "off-by-one", note="blocks shifted by one row")
def sum_shifted(H, W_o):
    d_head = H.shape[-1]
    W = np.roll(W_o, -1, axis=0)
    return sum(H[:, i] @ W[i * d_head : (i + 1) * d_head] for i in range(H.shape[1]))


@wrong("sum_of_heads", "off-by-one", note="blocks begin at i * h")
def sum_from_i_times_h(H, W_o):
    out = 0
    for i in range(H.shape[1]):
        out = out + H[:, i] @ W_o[i * H.shape[1] : i * H.shape[1] + H.shape[3]]
    return out


@wrong("sum_of_heads", "off-by-one", note="uses i as the row offset, not i*d_head: the blocks overlap.")
def u9(H, W_o):
    B, h, n, dh = H.shape
    out = np.zeros((B, n, W_o.shape[1]))
    for i in range(h):
        out += H[:, i] @ W_o[i : i + dh]
    return out


@wrong("sum_of_heads", "off-by-one", note="blocks start at i * h instead of i * d_head")
def sum_of_heads_49(H, W_o):
    B, h, n, d = H.shape
    out = np.zeros((B, n, W_o.shape[1]))
    for i in range(h):
        out += H[:, i] @ W_o[i * h : i * h + d]
    return out


@wrong("sum_of_heads", "sum-before-projection", note="heads and blocks summed first")
def sum_of_sums(H, W_o):
    _, h, _, d_head = H.shape
    return H.sum(axis=1) @ W_o.reshape(h, d_head, -1).sum(axis=0)


@wrong("sum_of_heads", "float32")
def sum_float32(H, W_o):
    B, h, n, d_head = H.shape
    out = np.zeros((B, n, h * d_head), dtype=np.float32)
    for i in range(h):
        out += (H[:, i] @ W_o[i * d_head : (i + 1) * d_head]).astype(np.float32)
    return out


@wrong("sum_of_heads", "input-changed", note="W_o is emptied afterwards")
def sum_in_place(H, W_o):
    d_head = H.shape[-1]
    out = sum(H[:, i] @ W_o[i * d_head : (i + 1) * d_head] for i in range(H.shape[1]))
    W_o *= 0
    return out


@wrong("sum_of_heads", "state-between-calls", note="goes on adding to the last call's result")
def sum_accumulates(H, W_o, total=[0.0]):
    d_head = H.shape[-1]
    for i in range(H.shape[1]):
        total[0] = total[0] + H[:, i] @ W_o[i * d_head : (i + 1) * d_head]
    return total[0]


@wrong(
    "sum_of_heads",
    "first-head-only",
    note="The return is indented one level too far: only the first head contributes.",
)
def u4(H, W_o):
    dh = H.shape[-1]
    total = np.zeros((H.shape[0], H.shape[2], W_o.shape[-1]))
    for i in range(H.shape[1]):
        total += np.einsum("bnd,de->bne", H[:, i], W_o[i * dh : i * dh + dh])
        return total


@wrong("sum_of_heads", "first-head-only", note="return indented into the loop: only the first head counts")
def sum_of_heads_48(H, W_o):
    B, h, n, d = H.shape
    out = np.zeros((B, n, W_o.shape[1]))
    for i in range(h):
        out += H[:, i] @ W_o[i * d : (i + 1) * d]
        return out


@wrong(
    "sum_of_heads",
    "weight-transposed+heads-out-of-order",
    note="Uses W_o.T, and walks the blocks from the bottom.",
)
def u11(H, W_o):
    B, h, n, dh = H.shape
    W = W_o.T.reshape(h, dh, -1)[::-1]
    return np.einsum("bhnd,hde->bne", H, W)


@wrong(
    "sum_of_heads",
    "weight-transposed+heads-averaged",
    note="TWO: takes blocks of columns (transposed) and averages over the heads",
)
def sum_of_heads_50(H, W_o):
    B, h, n, d = H.shape
    return sum(H[:, i] @ W_o[:, i * d : (i + 1) * d].T for i in range(h)) / h


@wrong(
    "sum_of_heads",
    "weight-rows-for-columns",
    note="Takes blocks of columns of W_o instead of blocks of rows: crashes, because d_head does not meet d_model (only one head works).",
)
def sum_of_heads_weight_rows_for_columns(H, W_o):
    d_head = H.shape[-1]
    total = 0
    for i in range(H.shape[1]):
        total = total + H[:, i] @ W_o[:, i * d_head : (i + 1) * d_head]
    return total


@wrong(
    "sum_of_heads",
    "fixed-number-of-heads",
    note="The two fixed blocks 0:2 and 2:4 of the notebook: other numbers or widths of heads fail.",
)
def sum_of_heads_fixed_number_of_heads(H, W_o):
    return H[:, 0] @ W_o[0:2] + H[:, 1] @ W_o[2:4]


@wrong(
    "sum_of_heads",
    "wrong-head-axis",
    note="H[i] is sentence i, not head i: runs over the wrong axis (the batch) and crashes or gives wrong numbers.",
)
def sum_of_heads_wrong_head_axis(H, W_o):
    d_head = H.shape[-1]
    total = 0
    for i in range(len(H)):
        total = total + H[i] @ W_o[i * d_head : (i + 1) * d_head]
    return total


@wrong(
    "sum_of_heads",
    "axis-counted-from-front+last-left-out",
    note="d_head is read from axis 1, which is the number of heads, so the blocks have the wrong height (crash unless both are equal); and range(1, h) leaves out head 0.",
)
def sum_of_heads_axis_counted_from_front(H, W_o):
    d_head = H.shape[1]
    h = W_o.shape[0] // d_head
    total = 0
    for i in range(1, h):
        total = total + H[:, i] @ W_o[i * d_head : (i + 1) * d_head]
    return total


@wrong("sum_of_heads", "weight-rows-for-columns")
def sum_of_heads_weight_rows_for_columns_2(H, W_o):
    return H.sum(axis=1) @ W_o


@wrong("sum_of_heads", "reshape-instead-of-transpose")
def sum_of_heads_reshaped(H, W_o):
    B, h, n, d = H.shape
    W = W_o.reshape(h, h * d, d)
    return np.einsum("bhnd,hed->bne", H, W)


@wrong("sum_of_heads", "heads-interleaved+batch-mixed")
def sum_of_every_hth_row_and_all_sequences(H, W_o):
    B, h, n, _ = H.shape
    out = np.zeros((n, W_o.shape[1]))
    for b in range(B):
        for i in range(h):
            out += H[b, i] @ W_o[i::h]
    return out


@wrong("sum_of_heads", "off-by-one", note="the block of head 0 is empty")
def sum_of_heads_counted_from_one(H, W_o):
    _, h, _, d = H.shape
    return sum(H[:, i] @ W_o[(i - 1) * d : i * d] for i in range(h))


@wrong("sum_of_heads", "total-too-narrow", note="written in place: NumPy refuses a wider sum")
def sum_of_heads_total_as_wide_as_a_head(H, W_o):
    B, h, n, d_head = H.shape
    total = np.zeros((B, n, d_head))
    for i in range(h):
        total += H[:, i] @ W_o[i * d_head : (i + 1) * d_head]
    return total


@wrong("sum_of_heads", "total-too-narrow", note="not in place: heads of width 1 are broadcast, and right")
def sum_of_heads_total_like_a_head(H, W_o):
    d_head = H.shape[-1]
    total = np.zeros_like(H[:, 0])
    for i in range(H.shape[1]):
        total = total + H[:, i] @ W_o[i * d_head : (i + 1) * d_head]
    return total


@wrong("sum_of_heads", "batch-mixed", "the stack has the heads in front, and the sum runs over the next axis")
def sum_over_the_wrong_axis_of_a_stack(H, W_o):
    B, h, n, d = H.shape
    parts = np.stack([H[:, i] @ W_o[i * d : (i + 1) * d] for i in range(h)])
    return parts.sum(axis=1)


@wrong("sum_of_heads", "wrong-head-axis", "zip runs over the batch")
def zipped_with_the_batch(H, W_o):
    h, d_head = H.shape[1], H.shape[-1]
    blocks = W_o.reshape(h, d_head, -1)
    return sum(head @ block for head, block in zip(H, blocks, strict=False))
