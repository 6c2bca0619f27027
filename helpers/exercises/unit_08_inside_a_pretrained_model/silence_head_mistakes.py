"""What people get wrong in `silence_head`: other rows, columns, the way of the mean, what is written into."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from helpers.exercises.wrong.rows import mistakes, paired, rows

Tensor = torch.Tensor
Weights = dict[str, Tensor]


def _copied(given: Weights) -> Weights:
    return {key: one.clone() for key, one in given.items()}


def rows_of(head: int, d_head: int, _h: int) -> slice:
    """The rows of a head."""
    return slice(head * d_head, (head + 1) * d_head)


def _rows_off(new: Weights, rows: Any, mean: Tensor | None) -> None:
    new["W_o"][rows] = 0


def _through_rows(given: Weights, rows: Any, mean: Tensor) -> Tensor:
    return mean @ given["W_o"][rows]


def variant(
    *,
    start: Callable[[Weights], Weights] = _copied,
    width: Callable[[int, int], int] = lambda d_model, h: d_model // h,
    which: Callable[[int, int, int], Any] = rows_of,
    off: Callable[[Weights, Any, Tensor | None], None] = _rows_off,
    through: Callable[[Weights, Any, Tensor], Tensor | None] = _through_rows,
    bias: Callable[[Tensor, Tensor], Tensor] = lambda b_o, adds: b_o + adds,
    after: Callable[[Weights, Tensor | None], Weights] = lambda new, mean: new,
) -> Callable[..., Any]:
    """The function with one or more of its steps replaced by a wrong one.

    Args:
        start: makes the dict that is written into.
        width: the width of a head.
        which: the rows of a head.
        off: writes what silences the head.
        through: what the mean adds to the output, or `None` for nothing.
        bias: b_o with that.
        after: the dict that is returned.
    """

    def answer(weights: Mapping[str, Tensor], head: int, num_heads: int, mean: Tensor | None = None) -> Any:
        given = _copied(dict(weights))
        new = start(weights)
        rows = which(head, width(len(given["W_o"]), num_heads), num_heads)
        adds = None if mean is None else through(given, rows, mean)
        off(new, rows, mean)
        if adds is not None:
            new["b_o"] = bias(new["b_o"], adds)
        return after(new, mean)

    return answer


def cut(which: Callable[[int, int, int], Any], *, pairs: bool = False) -> tuple[dict[str, Any], ...]:
    """Other rows: for all that is done; where a mean makes no difference; for what is set to 0 alone."""

    def off(new: Weights, rows: slice, mean: Tensor | None) -> None:
        wide = rows.stop - rows.start
        new["W_o"][which(rows.start // wide, wide, len(new["W_o"]) // wide)] = 0

    whole = paired(which=which) if pairs else {"which": which}
    return whole, {"which": which, "through": _nothing}, {"off": off}


def zeroed(*names: str, also: Callable[[Weights, Any, Tensor | None], None] | None = None) -> dict[str, Any]:
    """The columns of these weights, or entries of these biases, set to 0."""

    def off(new: Weights, rows: Any, mean: Tensor | None) -> None:
        for name in names:
            new[name][..., rows] = 0
        if also:
            also(new, rows, mean)

    return {"off": off}


def _nothing(*_: Any) -> None:
    return None


def _no_sum(b_o: Tensor, adds: Tensor) -> Tensor:
    return adds


def _value_bias(at_first: str, *, added: bool = False) -> Callable[[Weights, Any, Tensor | None], None]:
    """The mean, or 0, for the head's part of b_v, once columns of W_v, rows of W_o or nothing is 0."""

    def off(new: Weights, rows: Any, mean: Tensor | None) -> None:
        if at_first.startswith("values"):
            new["W_v"][:, rows] = 0
        if at_first == "rows without a mean" and mean is None:
            new["W_o"][rows] = 0
        elif mean is not None:
            new["b_v"][rows] = new["b_v"][rows] + mean if added else mean
        elif at_first != "values, where there is a mean":
            new["b_v"][rows] = 0

    return off


def elsewhere(*names: str) -> tuple[dict[str, Any], ...]:
    """Queries or keys set to 0; the mean in b_o, in b_v or nowhere."""

    def bias_too(new: Weights, rows: Any, mean: Tensor | None) -> None:
        if mean is not None:
            new["b_v"][rows] = mean

    off = zeroed(*names)
    return off, {**off, "through": _nothing}, {**zeroed(*names, also=bias_too), "through": _nothing}


def _written(where: str, *, times: bool = False) -> Callable[[Weights, Any, Tensor | None], None]:
    """The mean written into a weight, or the weight multiplied by it; without a mean the rows are 0."""

    def off(new: Weights, rows: Any, mean: Tensor | None) -> None:
        if mean is None:
            new["W_o"][rows] = 0
        elif where == "rows":
            new["W_o"][rows] = mean[:, None] * (new["W_o"][rows] if times else 1)
        elif where == "columns":
            new["W_o"][:, rows] = mean * (new["W_o"][:, rows] if times else 1)
        else:
            new["W_v"][:, rows] = mean * (new["W_v"][:, rows] if times else 1)

    return off


def _only_without_a_mean(new: Weights, rows: Any, mean: Tensor | None) -> None:
    if mean is None:
        new["W_o"][rows] = 0


def _only_with_a_mean(new: Weights, rows: Any, mean: Tensor | None) -> None:
    if mean is not None:
        new["W_o"][rows] = 0


def _all_but(new: Weights, rows: Any, mean: Tensor | None) -> None:
    kept = new["W_o"][rows].clone()
    new["W_o"][:] = 0
    new["W_o"][rows] = kept


def _filled(number: float) -> Callable[[Weights, Any, Tensor | None], None]:
    def off(new: Weights, rows: Any, mean: Tensor | None) -> None:
        new["W_o"][rows] = number

    return off


def _infinite(name: str) -> Callable[[Weights, Any, Tensor | None], None]:
    def off(new: Weights, rows: Any, mean: Tensor | None) -> None:
        new[name][..., rows] = -torch.inf

    return off


def _set(*changes: Callable[[Weights, Any], Any]) -> dict[str, Any]:
    """Each change sets the numbers of a view of the new weights to 0."""

    def off(new: Weights, rows: Any, mean: Tensor | None) -> None:
        for view in changes:
            view(new, rows).zero_()

    return {"off": off}


def _own_rows(new: Weights, rows: Any) -> Tensor:
    return new["W_o"][rows]


def _columns(name: str) -> Callable[[Weights, Any], Tensor]:
    return lambda new, rows: new[name][..., rows]


def _in_its_place(given: Weights, rows: Any, mean: Tensor) -> Tensor:
    """The mean at the head's own places among d_model numbers."""
    adds = torch.zeros_like(given["b_o"])
    adds[rows] = mean
    return adds


def _bias_as_mean(new: Weights, rows: Any, mean: Tensor | None) -> None:
    new["W_o"][rows] = 0
    if mean is not None:
        new["b_o"][rows] = mean


def _repeated(given: Weights, _rows: Any, mean: Tensor) -> Tensor:
    """The mean once for each head."""
    return mean.repeat(len(given["W_o"]) // len(mean))


def _turned_back(new: Weights, mean: Tensor | None) -> Weights:
    return {**new, "W_o": new["W_o"].T}


def _in_place(given: Weights) -> Weights:
    return given


def _bias_in_place(given: Weights) -> Weights:
    return {key: one if key == "b_o" else one.clone() for key, one in given.items()}


def _added_in_place(b_o: Tensor, adds: Tensor) -> Tensor:
    b_o += adds
    return b_o


_ROWS = "A head's output is d_head numbers: which rows of W_o do they meet? Print the slice for each head."
_COLUMNS = "In `merged @ W_o`, which axis of W_o meets what the heads give?"
_MEAN = "A head that always gives `mean` adds the same to every token: `mean` times which numbers?"
_QUERIES = "Follow what this head gives through `bert_attention`: where does it enter the output?"
_VALUES = "What does a head give when all x @ W_v are 0, but b_v is not?"
_COPY = "Which of your lines writes with `=`, `+=` or `[...] =` into something that belongs to the caller?"

MISTAKES = mistakes(
    variant,
    *rows(
        "weight-rows-for-columns: You cut W_o into blocks of columns; a head meets a block of rows.",
        _COLUMNS,
        zeroed("W_o"),
        paired(**zeroed("W_o"), through=lambda given, rows, mean: given["W_o"][:, rows] @ mean),
        {**zeroed("W_o"), "through": _nothing},
        "weight-rows-for-columns: You silence features of the output, for all heads; a head meets a block of rows of W_o.",
        zeroed("W_o", "b_o"),
        {**zeroed("W_o", "b_o"), "through": _nothing},
        "weight-rows-for-columns: Besides the head's rows of W_o you set columns to 0, through which other heads speak.",
        _set(_own_rows, _columns("W_o")),
        "weight-rows-for-columns: You set a block of W_o to 0, where the head's rows meet as many columns; each of its rows is d_model long.",
        _set(lambda new, rows: new["W_o"][rows, rows]),
        "weight-rows-for-columns: Your mean passes through a block of columns of W_o; a head meets a block of rows.",
        paired(through=lambda given, rows, mean: given["W_o"][:, rows] @ mean),
        "weight-rows-for-columns: You set rows of W_v to 0: they meet features of the tokens. This head's values are columns.",
        "In `x @ W_v`, which axis of W_v becomes the values of the heads?",
        _set(lambda new, rows: new["W_v"][rows]),
        _set(lambda new, rows: new["W_v"][rows], _columns("b_v")),
        "counted-from-one: You silence the head before the one that is asked for; heads are counted from 0.",
        _ROWS,
        *cut(lambda head, d, h: slice((head - 1) * d, head * d), pairs=True),
        *cut(lambda head, d, h: rows_of((head - 1) % h, d, h)),
        *cut(lambda head, d, h: rows_of(max(head - 1, 0), d, h)),
        "off-by-one: You silence the head after the one that is asked for; heads are counted from 0.",
        *cut(lambda head, d, h: rows_of(head + 1, d, h), pairs=True),
        *cut(lambda head, d, h: rows_of((head + 1) % h, d, h)),
        *cut(lambda head, d, h: rows_of(min(head + 1, h - 1), d, h)),
        "counted-from-the-end: You count the heads from the end.",
        *cut(lambda head, d, h: rows_of(h - 1 - head, d, h)),
        "first-head-only: You silence head 0 whichever is asked for.",
        *cut(lambda head, d, h: slice(0, d)),
        "wrong-offset: Your rows begin at row `head`; each head before has d_head rows.",
        *cut(lambda head, d, h: slice(head, head + d), pairs=True),
        "heads-interleaved: You take every num_heads-th row; a head takes consecutive rows.",
        *cut(lambda head, d, h: slice(head, None, h), pairs=True),
        "heads-interleaved: You take every d_head-th row; a head takes consecutive rows.",
        *cut(lambda head, d, h: slice(head, None, d)),
        "last-left-out: The last row of the head is left out.",
        *cut(lambda head, d, h: slice(head * d, (head + 1) * d - 1)),
        "first-left-out: The first row of the head is left out.",
        *cut(lambda head, d, h: slice(head * d + 1, (head + 1) * d)),
        "off-by-one: You take one row too many, the first of the next head.",
        *cut(lambda head, d, h: slice(head * d, (head + 1) * d + 1)),
        "one-row-only: You silence one row of W_o, row `head`; a head has d_head rows.",
        *cut(lambda head, d, h: head),
        *cut(lambda head, d, h: slice(head, head + 1)),
        "one-row-only: You silence only the first of the head's rows; it has d_head of them.",
        *cut(lambda head, d, h: head * d),
        *cut(lambda head, d, h: slice(head * d, head * d + 1)),
        "wrong-cut: You silence this head and all heads after it.",
        *cut(lambda head, d, h: slice(head * d, None)),
        "wrong-cut: You silence this head and all heads before it.",
        *cut(lambda head, d, h: slice((head + 1) * d)),
        "wrong-cut: Your slice ends at row d_head: for head 0 that is right, for others it is empty.",
        *cut(lambda head, d, h: slice(head * d, d)),
        "wrong-cut: Your slice ends at row head + d_head; behind its first row come d_head - 1 more.",
        *cut(lambda head, d, h: slice(head * d, head + d)),
        "wrong-cut: You cut W_o into blocks of num_heads rows; a head has d_model // num_heads.",
        *cut(lambda head, d, h: rows_of(head, h, h)),
        "head-too-wide: You take too many rows for a head; it has d_model // num_heads.",
        "How many rows has one of num_heads heads? The sizes say it, no fixed number.",
        {"width": lambda d_model, h: d_model},
        *cut(lambda head, d, h: rows_of(head, d * h, h)),
        *(part for wide in (32, 64) for part in cut(lambda head, d, h, wide=wide: rows_of(head, wide, h))),
        "fixed-number-of-heads: You cut W_o into 12 heads whatever num_heads says.",
        "Where does num_heads come in?",
        *cut(lambda head, d, h: rows_of(head, d * h // 12, h)),
        "all-heads-silenced: You silence every head, not only the one that is asked for.",
        _ROWS,
        _set(lambda new, rows: new["W_o"]),
        {**_set(lambda new, rows: new["W_o"]), "through": _nothing},
        "result-inverted: You silence all heads but the one that is asked for.",
        {"off": _all_but},
        {"off": _all_but, "through": _nothing},
        "nothing-changed: With your weights the head gives what it gave before, and the mean makes no difference.",
        "Print `(new['W_o'] != weights['W_o']).sum()`. Does what you computed stand in the dict that you return?",
        {"off": _nothing, "through": _nothing},
        "nothing-changed: Your weights silence nothing: the head gives what it gave, and a mean is only added to it.",
        {"off": _nothing},
        "added-instead-of-replaced: Your mean is added to what the head gives; it should take its place.",
        "Which lines of your code run when there is a mean?",
        paired(off=_only_without_a_mean),
        {"off": _value_bias("rows without a mean", added=True), "through": _nothing},
        "added-instead-of-replaced: With a mean, the head's values are still made from the tokens; the mean takes the place of b_v only.",
        "What does a head give when b_v is `mean` and x @ W_v is not 0?",
        {"off": _value_bias("rows without a mean"), "through": _nothing},
        "added-instead-of-replaced: Your mean is added to this head's part of b_v; it should take its place.",
        "Which numbers does a head give where x @ W_v is 0?",
        {"off": _value_bias("values", added=True), "through": _nothing},
        "nothing-changed: Without a mean your weights silence nothing.",
        "Which lines of your code run when there is no mean?",
        {"off": _only_with_a_mean},
        "value-bias-left: The head's values no longer come from the tokens, but their bias is left, and it still speaks.",
        _VALUES,
        zeroed("W_v"),
        {**zeroed("W_v"), "through": _nothing},
        {"off": _value_bias("values, where there is a mean", added=True), "through": _nothing},
        "value-weight-left: You change the head's part of b_v, and its values still come from the tokens as well.",
        "What does a head give when b_v is 0 and x @ W_v is not?",
        zeroed("b_v"),
        {**zeroed("b_v"), "through": _nothing},
        {"off": _value_bias("nothing"), "through": _nothing},
        "blocked-row-without-mean: Where a query may look at no key, your head gives 0 in place of the mean: no value reaches the output there.",
        "What does `bert_attention` make of the values where all weights of a row are 0?",
        {"off": _value_bias("values"), "through": _nothing},
        "head-looks-elsewhere: This head now looks at all allowed keys alike, and what it finds still reaches the output.",
        _QUERIES,
        *elsewhere("W_q", "b_q"),
        *elsewhere("W_k"),
        "head-looks-elsewhere: You changed where this head looks; what it finds still reaches the output.",
        *elsewhere("W_q"),
        *elsewhere("b_q"),
        *(
            {**_set(lambda new, rows, one=one: new[f"W_{one}"][rows], *more), "through": through}
            for one in "qk"
            for more in ((), (_columns(f"b_{one}"),))
            for through in (_through_rows, _nothing)
        ),
        "head-looks-elsewhere: The output is right, but this head now looks at all allowed keys alike; where it looks should stay.",
        "Which of your changes is enough by itself?",
        _set(_own_rows, _columns("W_q"), _columns("b_q")),
        _set(_own_rows, _columns("W_k")),
        "head-looks-elsewhere: The output is right, but you changed where this head looks; that should stay.",
        _set(_own_rows, _columns("W_q")),
        "head-looks-elsewhere: This head now looks at all allowed keys alike; and the mean makes no difference.",
        {**_set(_own_rows, _columns("W_q"), _columns("b_q")), "through": _nothing},
        {**_set(_own_rows, _columns("W_k")), "through": _nothing},
        "bias-zeroed: You set b_o to 0 as well; it belongs to no head.",
        "What does b_o add to the output, and which head does it come from?",
        {"off": lambda new, rows, mean: (_rows_off(new, rows, mean), new["b_o"].zero_())},
        "bias-zeroed: You set a part of b_o to 0 as well; it belongs to no head.",
        _set(_own_rows, _columns("b_o")),
        {**_set(_own_rows, _columns("b_o")), "through": _nothing},
        "bias-zeroed: You set b_o to 0, and the mean makes no difference.",
        {**_set(_own_rows, lambda new, rows: new["b_o"]), "through": _nothing},
        "mean-twice: The mean comes into the output twice, such as by b_v and by b_o.",
        "Which of your lines is enough by itself?",
        {"off": _value_bias("values")},
        {"bias": lambda b_o, adds: b_o + 2 * adds},
        "infinity-for-zero: Queries, keys or values of this head are infinite or NaN, and so is what comes of them.",
        "Minus infinity hides a score from a softmax. What is infinity minus infinity, or 0 times infinity?",
        *(
            {"off": _infinite(name), "through": through}
            for name in ("b_q", "W_q", "b_k", "W_k", "b_v", "W_v")
            for through in (_through_rows, _nothing)
        ),
        "infinity-for-zero: You put minus infinity into W_o; what should add nothing is 0.",
        "Minus infinity hides a score from a softmax. Is there one behind W_o?",
        {"off": _filled(-torch.inf)},
        "one-for-zero: You put 1 into the rows of W_o; what should add nothing is 0.",
        "What is a number times 1, and what times 0?",
        {"off": _filled(1.0)},
        "weight-transposed: Your W_o comes back turned round: in this dict weights are (in, out).",
        "Look for `.T`: is W_o turned and not turned back?",
        paired(after=_turned_back),
        {"start": lambda given: {**_copied(given), "W_o": given["W_o"].T.clone()}},
        {
            "start": lambda given: {**_copied(given), "W_o": given["W_o"].T.clone()},
            "through": lambda given, rows, mean: mean @ given["W_o"].T[rows],
        },
        "mean-ignored: The mean makes no difference: it is not used, or it meets numbers that are 0 by then.",
        "Where does `mean` enter the weights that you return, and before or after the rows are 0?",
        paired(through=_nothing),
        "overwritten-instead-of-summed: What the mean gives takes the place of b_o; the two add up.",
        "Is b_o in your new b_o?",
        paired(bias=_no_sum),
        "sign-flipped: You take away from b_o what the mean gives; it is added.",
        "Where does a minus sign come in?",
        paired(bias=lambda b_o, adds: b_o - adds),
        "no-output-projection: You put the mean into b_o as it is; what a head gives passes through its rows of W_o.",
        _MEAN,
        paired(through=_in_its_place),
        {"through": _nothing, "off": _bias_as_mean},
        {"through": lambda given, rows, mean: mean},
        {"through": lambda given, rows, mean: mean, "bias": _no_sum},
        {"through": _repeated},
        "mean-for-every-head: Your mean passes through the rows of all heads; only this head gives it.",
        _MEAN,
        {"through": lambda given, rows, mean: _repeated(given, rows, mean) @ given["W_o"]},
        {
            "through": lambda given, rows, mean: (
                mean.repeat_interleave(len(given["W_o"]) // len(mean)) @ given["W_o"]
            )
        },
        "mean-for-every-head: Your mean has d_head numbers, and meets all of W_o; only this head gives it.",
        {"through": lambda given, rows, mean: mean @ given["W_o"]},
        "weight-transposed: Your mean meets the columns of W_o; it has one number for each row of this head.",
        _MEAN,
        {"through": lambda given, rows, mean: given["W_o"] @ mean},
        {"through": lambda given, rows, mean: given["W_o"][rows] @ mean},
        "first-head-only: Your mean passes through the rows of head 0, whichever head is asked for.",
        _MEAN,
        {"through": lambda given, rows, mean: mean @ given["W_o"][: len(mean)]},
        "reduced-to-one-value: You make one number of `mean`; it has d_head of them, one for each row.",
        _MEAN,
        *(
            {"through": lambda given, rows, mean, one=one, then=then: then(given["W_o"][rows], one(mean))}
            for one in (torch.mean, torch.sum)
            for then in (
                lambda own, number: number,
                lambda own, number: number * own.sum(0),
                lambda own, number: number * own.mean(0),
            )
        ),
        "mean-as-weight: You write the mean into W_o or W_v; there it multiplies what comes from the tokens.",
        "Which entries of the dict are added to every token alike, whatever it is?",
        *(
            {"off": _written(where, times=times), "through": _nothing}
            for where in ("rows", "columns", "values")
            for times in (False, True)
        ),
        "input-changed: You wrote into the dict that you were given, or into its tensors, which a copy of the dict shares.",
        _COPY,
        paired(start=_in_place),
        paired(start=_in_place, bias=_added_in_place),
        paired(start=lambda given: {**given, "b_o": given["b_o"].clone()}),
        paired(start=_bias_in_place, bias=_added_in_place),
        {
            "start": lambda given: {
                key: one if key in ("W_v", "b_v") else one.clone() for key, one in given.items()
            },
            "off": _value_bias("values"),
            "through": _nothing,
        },
        {
            "start": lambda given: {
                key: one if key in ("W_v", "b_v") else one.clone() for key, one in given.items()
            },
            **zeroed("W_v", "b_v"),
        },
    ),
)
