"""Errors about truth values and about sizes that do not fit, of NumPy and of PyTorch."""

from helpers.verdict.known_error import KnownError

OF_TRUTH = (
    KnownError(
        r"truth value of an array",
        "An array stands where one True or False is due: behind `if`, `and`, `not`, in Python's `max`, or as "
        "an argument. Ask one number, `.all()`, `.any()` or `is not None`; entry by entry: `&`, `|`, `~`.",
        "array-truth-value",
    ),
    KnownError(
        r"Boolean value of Tensor",
        "A tensor stands where one True or False is due: behind `if` or `not`, in `a <= x < b`, or as an "
        "argument. Ask `x is None` or `x.any()`; entry by entry: `(a <= x) & (x < b)`.",
        "array-truth-value",
    ),
)

OF_SHAPES = (
    KnownError(
        r"does not have enough dimensions",
        "One side of the product is no array: a single number, None, or a function without its `()`.",
    ),
    KnownError(
        r"matmul: .*(size 0 |from 0\))",
        "One side of the `@` has size 0: a slice is empty. Where does it begin, and where does it end?",
    ),
    KnownError(
        r"matmul: |shapes? .*not aligned|shapes cannot be multiplied|size mismatch, got|inconsistent tensor",
        "In `A @ B` the inner sizes must agree. Print both shapes.",
    ),
    KnownError(
        r"inhomogeneous shape",
        "The rows of an array are equally long, and these are not: what fills up a short one?",
    ),
    KnownError(
        r"array element with a sequence",
        "One entry takes one number, and here stand several. Should they be added up?",
    ),
    KnownError(
        r"^MaskError",
        "A masked array does not broadcast its mask; `np.where` does.",
        "mask-not-broadcast",
    ),
    KnownError(
        r"zero-size array|empty sequence",
        "There is nothing to compare there: a slice is empty, such as `[:0]`.",
    ),
    KnownError(
        r"[Nn]egative dimensions? (?:-\d|are not)",
        "A size comes out below 0: which argument is it? In `np.eye(n, m)` the second is the number of "
        "columns, and `k=` moves the diagonal.",
    ),
    KnownError(
        r"concatenation axis must match",
        "`np.vstack` wants equal numbers of columns, `np.hstack` of rows. Is one part from another cell?",
    ),
    KnownError(
        r"must have same number of dimensions|must have at least one dimension|[Zz]ero-dimensional",
        "Parts that are joined have equally many axes: `x[None]` makes a row of a vector.",
    ),
    KnownError(
        r"all input arrays must have the same shape",
        "`np.stack` makes a new axis; `np.vstack` puts matrices below each other. Print the shapes.",
    ),
    KnownError(
        r"stack expects each tensor to be equal size",
        "`torch.stack` makes a new axis; `torch.cat` joins along one that is there. Print the shapes.",
    ),
    KnownError(
        r"Sizes of tensors must match except",
        "Parts that are joined agree in all sizes but the one along which they are joined. Print the shapes.",
    ),
    KnownError(
        r"einstein sum|einsum\(\)",
        "In `einsum` every letter is an axis, and has one size wherever it stands. Compare with the shapes.",
    ),
    KnownError(
        r"could not be broadcast|must match the size of tensor",
        "The shapes do not line up. Which shapes meet in that line?",
    ),
    KnownError(
        r"expanded size of the tensor|shape mismatch: value",
        "One size has to become another there: only an axis of length 1 can be stretched. Print both shapes.",
    ),
    KnownError(
        r"values to unpack",
        "There are more or fewer values than names on the left. Of a shape, `x.shape[-1]` takes one size.",
    ),
    KnownError(
        r"one unknown dimension|one dimension can be inferred",
        "Only one of the new sizes may be -1: it is computed from the others.",
    ),
    KnownError(
        r"cannot reshape|invalid for input of size",
        "The new shape must hold as many numbers as the old one. Multiply its sizes.",
    ),
    KnownError(
        r"Cannot interpret '-|Type must be a sub-type of ndarray|view\(\) takes",
        "`view` is PyTorch's word; in NumPy `x.reshape(...)` cuts an array anew.",
    ),
    KnownError(
        r"Cannot interpret",
        "Sizes go in as one tuple, such as `(n, d)`.",
    ),
    KnownError(
        r"'tuple' object cannot be interpreted|scalar arguments expected instead of a tuple",
        "A tuple stands where a whole number is asked for: `x.shape[0]` is one size of a shape, and `np.eye` "
        "takes its sizes one by one.",
    ),
    KnownError(
        r"equal division",
        "`np.split` cuts an axis into equal parts: does their number divide its size?",
    ),
    KnownError(
        r"axes don't match",
        "NumPy's `transpose` wants all axes; `np.swapaxes(x, -2, -1)` swaps two.",
    ),
    KnownError(
        r"axis -?\d+ is out of bounds for array|Dimension out of range",
        "The array has no axis of that number: they count from 0, or backwards from -1, which is the last.",
    ),
    KnownError(
        r"out of bounds for (?:axis|dimension)",
        "An index goes past the end. Take how far it goes from the array: `len(x)` or `x.shape`.",
    ),
    KnownError(
        r"tuple index out of range",
        "If it is a shape: it has one number for each axis, and `x.shape[-1]` counts from the end.",
    ),
    KnownError(
        r"too many indices",
        "The array has fewer axes than you index. `...` stands for those in front.",
    ),
    KnownError(
        r"boolean index did not match",
        "A boolean index must have the shape of the array; `np.where` broadcasts for you.",
        "mask-not-broadcast",
    ),
    KnownError(
        r"only (0-dimensional|length-1) arrays|array of size 1",
        "`math.exp`, `int` and `float` take one number; `np.exp` takes a whole array.",
    ),
)
