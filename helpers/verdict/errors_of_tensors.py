"""Errors of PyTorch: tensors among arrays and numbers, gradients, layers, losses."""

from helpers.exercises.compare import NARROWED_TENSORS
from helpers.verdict.known_error import KnownError

OF_TENSORS = (
    KnownError(
        r"transpose\(\) missing",
        "PyTorch's `transpose` takes the two axes that change places: `x.transpose(-2, -1)`.",
    ),
    KnownError(
        r"leaf Variable.*in-place",
        "Something writes into an input: compute a new tensor instead.",
        "input-changed",
    ),
    KnownError(
        r"must have the same dtype|expected scalar type",
        NARROWED_TENSORS,
        "float32",
    ),
    KnownError(
        r"'Linear'( and|$)|not Linear|'Linear' object (is not sub|has no attribute '(T|shape|transpose)')",
        "A layer is called like a function: `self.W_q(x)`.",
        "layer-not-called",
    ),
    KnownError(
        r"'(?:float|int|numpy\S*)' object has no attribute 'backward'",
        "`backward` needs the loss as a tensor, tied to the weights: `.item()` and NumPy cut it off.",
        "gradient-cut",
    ),
    KnownError(
        r"'(?:SGD|Adam|AdamW)' object has no attribute 'backward'",
        "`backward` belongs to the loss, which knows what it came from. An optimizer reads each `.grad`.",
    ),
    KnownError(
        r"backward through the graph a second time",
        "`backward` goes through a computation once. Is it called twice, or on a loss kept from before?",
    ),
    KnownError(
        r"not implemented for 'Long'",
        "Whole numbers came where floats are due. Are there tokens in place of logits, or arguments swapped?",
    ),
    KnownError(
        r"implicitly created only for scalar outputs",
        "`backward` starts from a single number, and here stand several: what makes one loss of them?",
        "not-averaged",
    ),
    KnownError(
        r"does not require grad",
        "No gradient comes this way: NumPy, `detach`, `no_grad`, `.data` or `requires_grad=False` cut it.",
        "gradient-cut",
    ),
    KnownError(
        r"requires grad",
        "NumPy keeps no gradients: they stop where a tensor becomes an array. A module stays with tensors.",
        "gradient-cut",
    ),
    KnownError(
        r"before Module.__init__",
        "The first line of `__init__` is `super().__init__()`.",
        "no-super-init",
    ),
    KnownError(
        r"torch\.nn\.modules\.[\w.]*?(\w+) is not a Module subclass",
        lambda name: f"`nn.{name}` is the class; `nn.{name}()` makes the layer.",
    ),
    KnownError(
        r"is not a Module subclass",
        "A layer is asked for there. `nn.Sequential` takes layers one after the other, and no list of them.",
    ),
    KnownError(
        r"torch\.return_types\.(max|min)\b",
        lambda name: (
            f"With `dim`, `{name}` returns values and places: `a{name}` gives the values alone, "
            f"`arg{name}` the places."
        ),
        "returns-places-too",
    ),
    KnownError(
        r"(cat|stack|vstack|hstack)\(\): argument 'tensors' .* must be tuple of Tensors, not Tensor",
        lambda name: f"`torch.{name}` takes its parts together, as one list or tuple in its brackets.",
    ),
    KnownError(
        r"(\w+)\(\): argument .* must be Tensor, not (?:int|float)",
        lambda name: (
            f"`torch.{name}` takes tensors. For one number take NumPy's, or a power such as `d ** 0.5`."
        ),
    ),
    KnownError(
        r"must be Tensor, not list",
        "`torch.stack(...)` makes one tensor of several, and `torch.tensor(...)` one of numbers.",
    ),
    KnownError(
        r"invalid combination of arguments - got \([^)]*(?:axis=|out=NoneType)",
        "A NumPy function was given a tensor. `reference` works on arrays: write it with PyTorch.",
    ),
    KnownError(
        r"invalid combination of arguments - got \((?:Tensor, )?float\b",
        "A float came where a whole number may be asked for: `/` gives a float, `//` an integer.",
    ),
    KnownError(
        r"np\.ndarray \(got Tensor\)",
        "This is a tensor already: `torch.from_numpy` makes one of a NumPy array.",
    ),
    KnownError(
        r"np\.ndarray \(got list\)",
        "`torch.tensor(...)` makes a tensor of a list.",
    ),
    KnownError(
        r"(?:must be Tensor, not|got|and|of type) '?numpy\.|numpy\S* and '?Tensor|np\.ndarray",
        "NumPy arrays and PyTorch tensors do not mix: convert one.",
    ),
    KnownError(
        r"Given normalized_shape",
        "A LayerNorm works on the last axis. Which axis is the last in what it gets here?",
    ),
    KnownError(
        r"Expected target size",
        "With logits of three axes `F.cross_entropy` takes axis 1 for the words. Flatten batch and positions "
        "into one axis, in logits and targets alike.",
    ),
    KnownError(
        r"target with class probabilities",
        "Targets of the logits' own shape count as probabilities. How many numbers name the right word?",
    ),
    KnownError(
        r"Target -?\d+ is out of bounds",
        "A target must be below the number of logits. Over which axis of the logits do the words lie?",
    ),
    KnownError(
        r"target dtype to be Long|one_hot is only|'indices' to have one of the following scalar types",
        "Whole numbers are asked for there, such as the tokens themselves; `x.long()` makes them of floats.",
    ),
    KnownError(
        r"only supports boolean masks",
        "A mask of True and False is asked for: `x.bool()` or a comparison makes one.",
    ),
    KnownError(
        r"elements? cannot be converted to Scalar|only one element tensors can be converted",
        "`.item()`, `int` and `float` take one number, and here stand several: one for each sequence?",
    ),
    KnownError(
        r"non-empty list|non-empty TensorList",
        "The list is empty: nothing was put in. How often does the loop before it run here?",
    ),
    KnownError(
        r"invalid data type 'str'",
        "A tensor meets a text as its index: was the name of a dict given to something else before?",
    ),
    KnownError(
        r"shape of the mask .* does not match",
        "A mask in square brackets must have the shape of the tensor; `torch.where` broadcasts for you.",
    ),
    KnownError(
        r"view size is not compatible", "After a transpose or a slice use `reshape` instead of `view`."
    ),
    KnownError(
        r"number of dimensions in the tensor input does not match",
        "`permute` is told all axes in their new order; `x.transpose(-2, -1)` swaps two.",
    ),
    KnownError(r"t\(\) expects a tensor with <= 2", "`x.transpose(-2, -1)` swaps the last two of many axes."),
)
