"""Right and wrong answers to `split_heads`, as learners write them."""

import numpy as np
import torch

from banks.registry import right, wrong

# Right answers, each in its own style


@right("split_heads", "reshape and transpose, a view")
def split_reshape(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads != 0:
        raise ValueError(f"d_model ({d_model}) must be divisible by num_heads ({num_heads})")
    return X.reshape(B, n, num_heads, d_model // num_heads).transpose(0, 2, 1, 3)


@right("split_heads", "slices stacked")
def split_slices(X, num_heads):
    d_head, rest = divmod(X.shape[-1], num_heads)
    if rest:
        raise ValueError("cannot cut %d columns into %d equal heads" % (X.shape[-1], num_heads))
    return np.stack([X[:, :, i * d_head : (i + 1) * d_head] for i in range(num_heads)], axis=1)


@right("split_heads", "np.split, its error raised again with the numbers")
def split_np_split(X, num_heads):
    try:
        parts = np.split(X, num_heads, axis=-1)
    except ValueError as error:
        raise ValueError(f"{num_heads} heads do not divide {X.shape[-1]}") from error
    return np.array(parts).swapaxes(0, 1)


class HeadsDoNotFit(ValueError):
    def __init__(self, d_model, num_heads):
        super().__init__(f"d_model={d_model}, num_heads={num_heads}: {d_model % num_heads} columns left over")


@right("split_heads", "torch inside, a subclass of ValueError")
def split_torch(X, num_heads):
    x = torch.tensor(X)
    if x.size(2) % num_heads:
        raise HeadsDoNotFit(x.size(2), num_heads)
    return x.view(x.size(0), x.size(1), num_heads, -1).transpose(1, 2).numpy()


@right("split_heads", "loops over every entry")
def split_loops(X, num_heads):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    if d_head * num_heads != d_model:
        raise ValueError("d_model % num_heads != 0", d_model, num_heads)
    heads = np.zeros((B, num_heads, n, d_head))
    for b in range(B):
        for t in range(n):
            for column in range(d_model):
                heads[b, column // d_head, t, column % d_head] = X[b, t, column]
    return heads


@right("split_heads", "einsum, prints")
def split_einsum(X, num_heads):
    if X.shape[2] % num_heads:
        raise ValueError(f"num_heads {num_heads} must divide d_model {X.shape[2]}.")
    print(X.shape, "->", num_heads, "heads")
    return np.einsum("bnhd->bhnd", X.reshape(*X.shape[:2], num_heads, -1))


@right("split_heads", "a table of columns, moveaxis")
def split_columns(X, num_heads):
    d_model = X.shape[-1]
    if d_model % num_heads:
        raise ValueError(f"The width {d_model} is not a multiple of {num_heads}")
    columns = np.arange(d_model).reshape(num_heads, -1)
    return np.moveaxis(X[..., columns], 2, 1)


@right("split_heads", "loop over heads with fancy slices, Fortran-ordered (non-contiguous) result")
def split_heads_20(X, num_heads):
    B, n, d = X.shape
    dh, rest = divmod(d, num_heads)
    if rest:
        raise ValueError("cannot split d_model=%d into %d heads" % (d, num_heads))
    out = np.empty((B, num_heads, n, dh), dtype=X.dtype, order="F")
    for i in range(num_heads):
        out[:, i] = X[..., i * dh : (i + 1) * dh]
    return out


@right("split_heads", "stride tricks view")
def split_heads_21(X, num_heads):
    B, n, d = X.shape
    if d % num_heads != 0:
        raise ValueError(f"num_heads {num_heads} must divide d_model {d}")
    dh = d // num_heads
    b, t, f = X.strides
    return np.lib.stride_tricks.as_strided(X, (B, num_heads, n, dh), (b, f * dh, t, f), writeable=False)


# Wrong answers, those with one mistake together


@wrong("split_heads", "heads-split-by-reshape")
def split_by_reshape(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError(f"{d_model} is not divisible by {num_heads}")
    return X.reshape(B, num_heads, n, d_model // num_heads)


@wrong("split_heads", "heads-split-by-reshape", note="torch .view")
def split_by_view(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError(f"d_model={d_model}, num_heads={num_heads}")
    return torch.tensor(X).view(B, num_heads, n, -1).numpy()


@wrong(
    "split_heads",
    "heads-split-by-reshape",
    note="Reshapes straight to (B, h, n, d_head): right shape, tokens and heads mixed.",
)
def sp1(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError(f"d_model={d_model} cannot be cut into {num_heads} heads")
    return np.reshape(X, (B, num_heads, n, d_model // num_heads))


@wrong("split_heads", "heads-interleaved", note="head i gets features i, i + h, ...")
def split_interleaved(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError(f"d_model={d_model}, num_heads={num_heads}")
    return X.reshape(B, n, d_model // num_heads, num_heads).transpose(0, 3, 1, 2)


@wrong(
    "split_heads",
    "heads-interleaved",
    note="reshape(..., d_head, h): head i takes channels i, i+h, i+2h instead of a block.",
)
def sp3(X, num_heads):
    B, n, d = X.shape
    if d % num_heads:
        raise ValueError(f"d_model {d}, num_heads {num_heads}")
    return X.reshape(B, n, d // num_heads, num_heads).transpose(0, 3, 1, 2)


@wrong("split_heads", "no-transpose", note="(B, n, h, d_head): right for n == h, in shape")
def split_no_transpose(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError(f"d_model={d_model}, num_heads={num_heads}")
    return X.reshape(B, n, num_heads, d_model // num_heads)


@wrong("split_heads", "no-transpose", note="Cuts the channels but leaves the axes as (B, n, h, d_head).")
def sp2(X, num_heads):
    if X.shape[-1] % num_heads != 0:
        raise ValueError(f"{X.shape[-1]} is not divisible by {num_heads}")
    return X.reshape(X.shape[0], X.shape[1], num_heads, -1)


@wrong("split_heads", "wrong-head-axis", note="(h, B, n, d_head)")
def split_heads_first(X, num_heads):
    if X.shape[-1] % num_heads:
        raise ValueError(f"d_model={X.shape[-1]}, num_heads={num_heads}")
    return np.stack(np.split(X, num_heads, axis=-1))


@wrong("split_heads", "wrong-head-axis", note="(B, h, d_head, n)")
def split_last_axes_swapped(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError(f"d_model={d_model}, num_heads={num_heads}")
    return X.reshape(B, n, num_heads, d_model // num_heads).transpose(0, 2, 3, 1)


@wrong(
    "split_heads", "wrong-head-axis", note="np.stack without an axis puts the heads first: (h, B, n, d_head)."
)
def sp4(X, num_heads):
    d = X.shape[-1]
    if d % num_heads:
        raise ValueError(f"d_model={d} is not a multiple of num_heads={num_heads}")
    return np.stack(np.split(X, num_heads, axis=-1))


@wrong(
    "split_heads",
    "wrong-head-axis",
    note="transposes all the way to (B, h, d_head, n), the tokens end up last.",
)
def sp8(X, num_heads):
    B, n, d = X.shape
    if d % num_heads:
        raise ValueError(f"{d} % {num_heads} != 0")
    return X.reshape(B, n, num_heads, d // num_heads).transpose(0, 2, 3, 1)


@wrong(
    "split_heads",
    "wrong-head-axis",
    note="splits the token axis into heads; each head gets a part of the sequence at full width.",
)
def sp9(X, num_heads):
    B, n, d = X.shape
    if n % num_heads:
        raise ValueError(f"cannot split {n} into {num_heads}")
    return X.reshape(B, num_heads, n // num_heads, d)


@wrong(
    "split_heads",
    "wrong-head-axis",
    note="TWO: puts the head axis before the batch axis and guards with assert (AssertionError)",
)
def split_heads_35(X, num_heads):
    B, n, d = X.shape
    assert d % num_heads == 0, f"{d} is not divisible by {num_heads}"
    return X.reshape(B, n, num_heads, d // num_heads).transpose(2, 0, 1, 3)


@wrong("split_heads", "reversed-all-axes", note=".T: (d_head, h, n, B)")
def split_t(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError(f"d_model={d_model}, num_heads={num_heads}")
    return X.reshape(B, n, num_heads, d_model // num_heads).T


@wrong("split_heads", "batch-folded-into-heads", note="(B * h, n, d_head)")
def split_folded(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError(f"d_model={d_model}, num_heads={num_heads}")
    return X.reshape(B, n, num_heads, -1).transpose(0, 2, 1, 3).reshape(B * num_heads, n, -1)


@wrong("split_heads", "heads-out-of-order")
def split_reversed(X, num_heads):
    if X.shape[-1] % num_heads:
        raise ValueError(f"d_model={X.shape[-1]}, num_heads={num_heads}")
    return np.stack(np.split(X, num_heads, axis=-1)[::-1], axis=1)


@wrong("split_heads", "arguments-swapped", note="num_heads taken for the width: right when h == d_head")
def split_width(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError(f"d_model={d_model}, num_heads={num_heads}")
    return X.reshape(B, n, d_model // num_heads, num_heads).transpose(0, 2, 1, 3)


@wrong("split_heads", "arguments-swapped", note="takes num_heads for the width of a head")
def split_heads_31(X, num_heads):
    B, n, d = X.shape
    if d % num_heads:
        raise ValueError(f"{d} is not divisible by {num_heads}")
    return X.reshape(B, n, d // num_heads, num_heads).transpose(0, 2, 1, 3)


@wrong("split_heads", "no-value-error", note="the leftover features are dropped")
def split_drops_rest(X, num_heads):
    B, n, d_model = X.shape
    d_head = d_model // num_heads
    return X[..., : num_heads * d_head].reshape(B, n, num_heads, d_head).transpose(0, 2, 1, 3)


@wrong("split_heads", "no-value-error", note="assert instead")
def split_assert(X, num_heads):
    B, n, d_model = X.shape
    assert d_model % num_heads == 0, f"{d_model} is not divisible by {num_heads}"
    return X.reshape(B, n, num_heads, d_model // num_heads).transpose(0, 2, 1, 3)


@wrong("split_heads", "no-value-error", note="returns None")
def split_returns_none(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads == 0:
        return X.reshape(B, n, num_heads, d_model // num_heads).transpose(0, 2, 1, 3)


@wrong("split_heads", "no-value-error", note="pads with zeros")
def split_pads(X, num_heads):
    B, n, d_model = X.shape
    X = np.pad(X, ((0, 0), (0, 0), (0, -d_model % num_heads)))
    return X.reshape(B, n, num_heads, -1).transpose(0, 2, 1, 3)


@wrong("split_heads", "no-value-error", note="returns the error instead of raising it")
def split_returns_error(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads:
        return ValueError(f"{d_model} is not divisible by {num_heads}")
    return X.reshape(B, n, num_heads, d_model // num_heads).transpose(0, 2, 1, 3)


@wrong(
    "split_heads",
    "no-value-error",
    note="Floor division and slices: silently drops the leftover channels instead of raising.",
)
def sp5(X, num_heads):
    dh = X.shape[-1] // num_heads
    return np.stack([X[:, :, i * dh : (i + 1) * dh] for i in range(num_heads)], axis=1)


@wrong(
    "split_heads", "no-value-error", note="Uses assert, so an AssertionError comes instead of a ValueError."
)
def sp7(X, num_heads):
    B, n, d = X.shape
    assert d % num_heads == 0, f"d_model ({d}) must be divisible by num_heads ({num_heads})"
    return np.einsum("bnhd->bhnd", X.reshape(B, n, num_heads, d // num_heads))


@wrong(
    "split_heads",
    "no-value-error",
    note="drops the left-over features silently when the width does not divide",
)
def split_heads_34(X, num_heads):
    B, n, d = X.shape
    dh = d // num_heads
    return np.stack([X[:, :, i * dh : (i + 1) * dh] for i in range(num_heads)], axis=1)


@wrong("split_heads", "error-without-numbers", note="neither number")
def split_reshape_error(X, num_heads):
    B, n, _ = X.shape
    if X.shape[-1] % num_heads:
        raise ValueError("the width cannot be divided by the number of heads")
    return X.reshape(B, n, num_heads, -1).transpose(0, 2, 1, 3)


@wrong("split_heads", "error-without-numbers", note="names d_model only")
def split_one_number(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError(f"d_model = {d_model} is not divisible by num_heads")
    return X.reshape(B, n, num_heads, d_model // num_heads).transpose(0, 2, 1, 3)


@wrong("split_heads", "error-without-numbers", note="f forgotten: the braces are printed")
def split_f_forgotten(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError("{d_model} is not divisible by {num_heads}")
    return X.reshape(B, n, num_heads, d_model // num_heads).transpose(0, 2, 1, 3)


@wrong(
    "split_heads",
    "error-without-numbers",
    note="Raises ValueError, but the message does not name the two numbers.",
)
def sp6(X, num_heads):
    B, n, d = X.shape
    if d % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    return X.reshape(B, n, num_heads, d // num_heads).transpose(0, 2, 1, 3)


@wrong(
    "split_heads",
    "error-without-numbers",
    note="right split, but lets NumPy raise its own message, which names neither number",
)
def split_heads_32(X, num_heads):
    return np.stack(np.split(X, num_heads, axis=-1), axis=1)


@wrong("split_heads", "error-without-numbers", note="raises nothing; `reshape` does")
def split_without_a_check(X, num_heads):
    B, n, d_model = X.shape
    return X.reshape(B, n, num_heads, d_model // num_heads).transpose(0, 2, 1, 3)


@wrong("split_heads", "value-error-where-it-fits", note="the wrong way round: num_heads % d_model")
def split_modulo_swapped(X, num_heads):
    B, n, d_model = X.shape
    if num_heads % d_model:
        raise ValueError(f"{d_model} is not divisible by {num_heads}")
    return X.reshape(B, n, num_heads, d_model // num_heads).transpose(0, 2, 1, 3)


@wrong(
    "split_heads",
    "value-error-where-it-fits",
    note="checks the number of tokens for divisibility instead of the width",
)
def split_heads_33(X, num_heads):
    B, n, d = X.shape
    if n % num_heads != 0:
        raise ValueError(f"{n} tokens cannot be divided among {num_heads} heads")
    return X.reshape(B, n, num_heads, -1).transpose(0, 2, 1, 3)


@wrong("split_heads", "float32")
def split_float32(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError(f"{d_model} is not divisible by {num_heads}")
    return torch.Tensor(X).view(B, n, num_heads, -1).transpose(1, 2).numpy()


@wrong("split_heads", "input-changed", note="X.shape = ...")
def split_in_place(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError(f"{d_model} is not divisible by {num_heads}")
    X.shape = (B, n, num_heads, d_model // num_heads)
    return X.transpose(0, 2, 1, 3)


@wrong("split_heads", "heads-share-weights", note="every head gets the first slice")
def split_first_slice(X, num_heads):
    if X.shape[-1] % num_heads:
        raise ValueError(f"d_model={X.shape[-1]}, num_heads={num_heads}")
    d_head = X.shape[-1] // num_heads
    return np.stack([X[..., :d_head]] * num_heads, axis=1)


@wrong("split_heads", "returns-list+wrong-head-axis", note="a list of heads")
def split_list(X, num_heads):
    if X.shape[-1] % num_heads:
        raise ValueError(f"d_model={X.shape[-1]}, num_heads={num_heads}")
    return np.split(X, num_heads, axis=-1)


@wrong(
    "split_heads",
    "heads-split-by-reshape+error-without-numbers",
    note="One reshape instead of a transpose, and only NumPy's kind of generic error.",
)
def sp10(X, num_heads):
    if X.shape[-1] % num_heads > 0:
        raise ValueError("bad number of heads")
    return torch.as_tensor(X).reshape(X.shape[0], num_heads, X.shape[1], X.shape[2] // num_heads).numpy()


@wrong(
    "split_heads",
    "no-value-error+heads-interleaved",
    note="Strided slices X[..., i::h] with no check of divisibility.",
)
def sp11(X, num_heads):
    dh = X.shape[-1] // num_heads
    H = np.zeros((X.shape[0], num_heads, X.shape[1], dh), dtype=X.dtype)
    for i in range(num_heads):
        H[:, i] = X[..., i::num_heads][..., :dh]
    return H


@wrong(
    "split_heads",
    "float-as-size",
    note="d_head = d_model / num_heads is a float, and reshape refuses it with a TypeError.",
)
def split_heads_float_as_size(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads != 0:
        raise ValueError(f"d_model {d_model} is not divisible by num_heads {num_heads}")
    d_head = d_model / num_heads
    return X.reshape(B, n, num_heads, d_head).swapaxes(1, 2)


@wrong(
    "split_heads",
    "arguments-swapped",
    note="The slices are num_heads wide instead of d_head wide (right only when both are equal); and on an indivisible width the problem is printed and None returned instead of raising ValueError.",
)
def split_heads_arguments_swapped(X, num_heads):
    d_model = X.shape[2]
    if d_model % num_heads != 0:
        print("ValueError:", num_heads, "does not divide", d_model)
        return
    heads = []
    for i in range(num_heads):
        heads.append(X[:, :, i * num_heads : (i + 1) * num_heads])
    return np.stack(heads, axis=1)


@wrong(
    "split_heads",
    "fixed-number-of-heads",
    note="Always two heads with the slices 0:2 and 2:4 of the notebook, whatever num_heads and the width are; and an assert instead of the ValueError (AssertionError, no numbers).",
)
def split_heads_fixed_number_of_heads(X, num_heads):
    assert X.shape[-1] % num_heads == 0
    heads = [slice(0, 2), slice(2, 4)]
    return np.stack([X[:, :, heads[0]], X[:, :, heads[1]]], axis=1)


@wrong("split_heads", "off-by-one", note="overlapping slices")
def split_heads_overlapping(X, num_heads):
    d_model = X.shape[-1]
    if d_model % num_heads:
        raise ValueError(f"d_model {d_model} not divisible by {num_heads}")
    dh = d_model // num_heads
    heads = [X[:, :, i : i + dh] for i in range(num_heads)]
    return np.stack(heads, axis=1)
