"""Errors in plain Python: a name that is not there, a value of another kind, a place that is not there."""

from helpers.verdict.known_error import KnownError
from helpers.verdict.missing_names import (
    of_array,
    of_list,
    of_module,
    of_number,
    of_own_class,
    of_tensor,
    of_variable,
)

_UNCALLED = "builtin_function_or_method|method|function|numpy\\.ufunc|numpy\\._ArrayFunctionDispatcher"
_NUMBER = r"int|float|bool|numpy\.float64|numpy\.float32|numpy\.int64|numpy\.bool"
_OTHERS = (
    rf"Tensor|Parameter|numpy\.ndarray|list|tuple|str|dict|set|range|map|zip|generator|type|Linear|{_NUMBER}"
)
_TUPLE = (
    "A tuple stands there: does a function give several results, as attention does? `[0]` takes the first."
)
_LISTS = (
    "Lists do not calculate entry by entry: `np.array(...)` makes an array of one, and of tensors "
    "`torch.stack(...)` one tensor."
)
_TEXT = "A text stands where a number is asked for: are there quotes too many?"

OF_PLACEHOLDERS = (
    KnownError(
        r"'ellipsis'|of type ellipsis|not ellipsis|ellipsis object",
        "Which line still says `...`? It only holds a place: write what belongs there.",
        "placeholder-left",
    ),
)

OF_NAMES = (
    KnownError(
        r"^UnboundLocalError: .*variable '(\w+)'",
        lambda name: (
            f"`{name}` is read before your function gives it a value: set it first, or choose another name."
        ),
    ),
    KnownError(r"^NameError: name '(\w+)' is not defined(?:\. Did you mean: '(\w+)')?", of_variable),
    KnownError(
        rf"'(?!(?:{_OTHERS}|NoneType)')[\w.]+' object has no attribute "
        r"'(num_heads|h|heads|d_head|head_dim|d_model|d_k|d_v)'",
        lambda name: f"No `self.{name}` was set: write `self.{name} = ...` in `__init__`.",
    ),
    KnownError(rf"'(?:{_NUMBER})' object has no attribute '(\w+)'", of_number),
    KnownError(r"'numpy\.ndarray' object has no attribute '(\w+)'", of_array),
    KnownError(r"'(?:Tensor|Parameter)' object has no attribute '(\w+)'", of_tensor),
    KnownError(r"'list' object has no attribute '(\w+)'", of_list),
    KnownError(r"module '([\w.]+)' has no attribute '(\w+)'", of_module),
    KnownError(r"'dict' object has no attribute", "A dict is asked with square brackets: `x['key']`."),
    KnownError(r"'str' object has no attribute", "This is a text: are there quotes too many?"),
    KnownError(
        r"'\w*Generator' object has no attribute|'numpy\.random\.\S*Generator' object has no attribute",
        "A generator's methods are `standard_normal`, `normal` and `random`, among others.",
    ),
)

OF_OWN_CLASSES = (KnownError(r"AttributeError: '([\w.]+)' object has no attribute '(\w+)'", of_own_class),)

OF_VALUES = (
    KnownError(
        r"unary ~: 'NoneType'",
        "`allowed` may be None: ask `is not None` before you use it.",
        "mask-required",
    ),
    KnownError(
        r"'NoneType'|not NoneType|\(NoneType|of type NoneType",
        "Something is None here: does a function lack its `return`, or was an argument left out?",
    ),
    KnownError(
        r"'float' object cannot be interpreted as an integer|tuple of ints, ?but got float",
        "A whole number is due there, as for a size or an axis: `/` gives a float, `//` an integer.",
        "float-as-size",
    ),
    KnownError(
        r"for \^: |ufunc 'bitwise_xor' not supported",
        "Powers are written `**`; `^` is another operator, which joins bits.",
        "xor-for-power",
    ),
    KnownError(
        r"numpy boolean subtract|[Ss]ubtraction, the `-` operator",
        "True and False are not subtracted: `~` turns them round, and `&` holds where both are True.",
    ),
    KnownError(
        r"ufunc '(?:invert|bitwise_and|bitwise_or)' not supported",
        "`~`, `&` and `|` work on True and False: a comparison makes them of numbers, such as `x == 0`.",
    ),
    KnownError(
        r"'(?:Tensor|numpy\.ndarray)' and 'tuple'|'tuple' and '|concatenate tuple|(?<!slices, )not tuple$",
        _TUPLE,
    ),
    KnownError(
        r"'tuple' object has no attribute",
        "This is a tuple: does a function return several results? `a, b = ...` takes them apart.",
    ),
    KnownError(
        rf"'(?:{_UNCALLED})'(?! object is not subscriptable)|of type (?:{_UNCALLED}) which",
        "A function stands there, and not its result: `()` calls it, as in `x.std()`.",
    ),
    KnownError(r"'list' and '|and 'list'|can only concatenate list|non-int of type 'list'", _LISTS),
    KnownError(
        r"can't multiply sequence by non-int",
        "A list, a tuple or a text meets what is no whole number: `np.array(...)` makes an array of a list.",
    ),
    KnownError(
        r"dtype\('<U|'str' and '|and 'str'|concatenate str|(?<!slices, )not str$|type for \S+ 'str'",
        _TEXT,
    ),
    KnownError(
        r"ufunc '\w+' not supported for the input types",
        "Is a text in quotes among the numbers?",
    ),
    KnownError(
        r"loop of ufunc does not support argument",
        "This array holds Python objects: what else than numbers has come into it?",
    ),
    KnownError(
        r"'(?:generator|map|zip|filter|range)' (?:object|and)|and '(?:generator|map|zip|filter|range)'",
        "This is no array: `np.array(list(...))` makes one of it, and `np.arange(n)` counts as one.",
    ),
    KnownError(r"division by zero", "A divisor is 0 here: which one, and what should come out then?"),
    KnownError(r"math range error|too large to convert to float", "A number gets too large for a float."),
    KnownError(r"math domain error", "A root of a number below 0, or a logarithm of 0: which number is it?"),
)

OF_PLACES = (
    KnownError(
        r"only integer (?:scalar arrays|tensors of a single element) can be converted",
        "A whole number is asked for, and an array came: `range` wants `len(a)`, and a second argument, as "
        "in `np.std(Q, K)`, is an axis.",
    ),
    KnownError(
        r"used as indices must be",
        "An index is a whole number, or a mask of True and False. `for x in a` goes through entries, "
        "`range(len(a))` through places.",
    ),
    KnownError(
        r"slice indices must be integers",
        "A slice goes from one whole number to another: `/` gives a float, `//` an integer.",
    ),
    KnownError(
        r"only integers, slices",
        "An index is a whole number. `for x in a` goes through entries, `range(len(a))` through places.",
        "entry-as-index",
    ),
    KnownError(
        r"list indices must be integers or slices, not tuple",
        "A list is asked axis by axis, `x[i][j]`; `x[i, j]` is for arrays.",
    ),
    KnownError(
        r"list indices must be integers or slices",
        "A list is asked by whole numbers: `range(len(x))` counts them, and a dict is asked by names.",
    ),
    KnownError(
        r"list index out of range",
        "An index goes past the end of a list: how many entries does it have there?",
    ),
    KnownError(
        r"^KeyError",
        "There is no such key: `print(list(x))` shows those of a dict.",
    ),
    KnownError(r"'int' object is not iterable", "`for i in range(n)` counts from 0 to n - 1."),
    KnownError(
        rf"'(?:{_NUMBER})' object is not (?:iterable|subscriptable)|over a 0-d|invalid index to scalar",
        "This is a single number, which has no entries: should an array stand there?",
    ),
    KnownError(
        r"unpack non-iterable",
        "One value comes, and several names stand on the left. Does the function return a tuple?",
    ),
    KnownError(
        r"has no len\(\)|len\(\) of a 0-d", "This is a single number: only arrays and lists have a length."
    ),
    KnownError(
        r"'set' object is not subscriptable",
        "Braces make a set here, which has no places: square brackets make a list.",
    ),
    KnownError(
        r"'(?:tuple|torch\.Size)' object is not callable",
        "Round brackets call a function, and here stands a tuple. A shape takes square ones: `x.shape[0]`.",
    ),
    KnownError(
        rf"'(?:{_NUMBER})' object is not callable",
        "Round brackets call a function, and here stands a number. If `sum` or `max` was given a value, "
        "`del sum` brings it back; for a size write `x.shape[-1]`.",
    ),
    KnownError(
        r"'(numpy\.ndarray|Tensor)' object is not callable",
        "Round brackets call a function, and here stands an array: `x.T` takes none, an entry is `x[i]`.",
    ),
    KnownError(
        r"'(list|str|dict)' object is not callable",
        lambda kind: (
            f"Round brackets call a function, and here stands a {kind}: an entry is `x[i]`. Was a function's "
            "name given a value?"
        ),
    ),
    KnownError(
        r"'module' object is not callable",
        "A module holds functions: which of them is meant, such as `np.array`?",
    ),
    KnownError(
        r"(Dispatcher|ufunc|method|function|type)' object is not subscriptable",
        "A function is called with round brackets.",
    ),
)
