"""What an answer is told is true: of errors, methods, lines, names, numbers and guesses."""

import numpy as np
import pytest
import torch
from torch import nn

from helpers import CheckFailed, check, hint, reference, reveal, try_it
from helpers.errors import UnknownName
from helpers.units import VARIABLES
from tests.forms import FORMS
from tests.probe_process import answer as in_a_process


def refused(name, answer, **more):
    with pytest.raises(CheckFailed) as caught:
        check(name, answer, **{"seed": 1, **more})
    return str(caught.value)


# Not answered yet


def only_last_axis(x, axis=-1):
    raise NotImplementedError("only the last axis")


def in_whole_numbers(x, axis=-1):
    return torch.softmax(torch.as_tensor(x).long(), axis).numpy()


def without_a_text(x, axis=-1):
    raise NotImplementedError


class OwnKind(NotImplementedError):
    pass


def of_its_own_kind(x, axis=-1):
    raise OwnKind("not answered yet")


@pytest.mark.parametrize("answer", [only_last_axis, in_whole_numbers, without_a_text, of_its_own_kind])
def test_only_the_blank_itself_is_not_answered_yet(answer, capsys):
    assert "softmax is not answered" not in (text := refused("softmax", answer))
    assert "it stopped with " in text
    exec("try_it('softmax', x)", {"softmax": answer, "try_it": try_it, "x": np.ones(3)})
    assert "softmax is not answered" not in (shown := capsys.readouterr().out)
    assert shown.startswith("softmax stopped with ")


@pytest.mark.parametrize("name", ["right_divisor", "faulty_map"])
def test_a_variable_set_to_what_print_gives_back_is_answered_and_told_so(name, capsys):
    text = refused(name, None)
    assert "is not answered" not in text
    assert "it is nothing (None)" in text
    assert "`print(...)` shows a value and gives nothing back" in text
    exec(f"try_it('{name}')", {name: None, "try_it": try_it})
    assert capsys.readouterr().out.startswith(f"{name} is nothing (None)")
    exec(f"try_it('{name}')", {"try_it": try_it})
    assert capsys.readouterr().out.startswith(f"{name} is not answered yet")


def made(method):
    def __init__(self, d_model, *_):
        nn.Module.__init__(self)

    return type("Mine", (nn.Module,), {"__init__": __init__, method: lambda self, *_: None})


@pytest.mark.parametrize("name", ["QKVProjection", "MultiHeadAttention"])
def test_a_forward_that_is_missing_or_misspelt_is_named(name, capsys):
    assert "it has no method `forward`; it has `foward`: is that misspelt?" in refused(name, made("foward"))
    assert "it has no method `forward`." in refused(name, made("other"))
    exec(f"try_it('{name}', 4, 2)", {name: made("foward"), "try_it": try_it})
    assert "is that misspelt?" in capsys.readouterr().out


def test_trying_a_class_shows_what_its_forward_gives(capsys):
    from helpers import reference

    exec("try_it('QKVProjection', 3, 5, 4)", {"QKVProjection": reference.QKVProjection, "try_it": try_it})
    shown = capsys.readouterr().out
    assert "W_q" in shown
    assert (
        "gives an array of shape (1, 2, 5) and an array of shape (1, 2, 5) and an array of shape (1, 2, 4)"
        in shown
    )


# Results of other kinds

UNCALLED = {
    "a method": np.ones(2).sum,
    "a function of NumPy": np.dot,
    "a function for each entry": np.exp,
    "a function of PyTorch": torch.sum,
    "a method of a tensor": torch.ones(2).sum,
    "one's own": lambda: 1,
}


def gives(name, result):
    """An answer that comes to this."""
    right = getattr(reference, name)
    if not isinstance(right, type):
        return lambda *_, **__: result
    method = "append" if name == "KVCache" else "forward"
    return type(name, (right,), {method: lambda self, *_, **__: result})


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in FORMS if name not in VARIABLES])
def test_a_function_that_is_not_called_is_told_so_whatever_was_due(name):
    for kind, function in UNCALLED.items():
        text = refused(name, gives(name, function))
        assert "; it is a function: call it, with `()`." in text, kind
        assert "only with brackets behind it" in text


def test_an_array_of_text_is_no_array_of_numbers():
    text = refused("to_blocked", lambda allowed: np.where(allowed, "False", "True"))
    assert "the result should hold True and False; it holds text." in text
    assert "it is an array of text." in refused("attention", gives("attention", np.array(["a"])))
    assert "it holds Python objects." in refused("double", lambda x: np.array([None, 1, 2]))


# Lines and errors


CELL = "def measure_score_std(n, d_k, rng):\n    q = rng.standard_normal(n, d_k)\n    return q.std()"


def test_a_line_number_is_one_of_the_learners_cell():
    seen = in_a_process(
        {
            "exercise": "measure_score_std",
            "source": CELL,
            "cases": [{"n": 5, "d_k": 3, "seed": 1, "repeats": 2}],
        }
    )
    assert seen[0]["error"]["where"] == "line 2: `q = rng.standard_normal(n, d_k)`"


def test_an_error_without_a_text_is_named_alone():
    def answer(X, num_heads):
        if X.shape[-1] % num_heads:
            raise AssertionError
        return X.reshape(*X.shape[:2], num_heads, -1).swapaxes(1, 2)

    assert "it raised AssertionError." in refused("split_heads", answer)


def test_an_error_on_ordinary_input_is_not_taken_for_the_one_that_is_asked_for():
    def answer(X, num_heads):
        n, d_model = X.shape
        return X.reshape(n, num_heads, d_model // num_heads).swapaxes(0, 1)

    said = refused("split_heads", answer)
    assert "it stopped with ValueError: too many values to unpack" in said
    assert "On one sequence of two tokens" in said
    assert "17" not in said


PLACES = np.eye(5)


def parts_of_two_widths(num_words, n, steps):
    return np.vstack([np.zeros((num_words, n)), np.roll(PLACES, steps, axis=0)])


def looks_twice_as_far(num_words, n, steps):
    shift = np.eye(n, k=-steps)
    return np.vstack([np.zeros((num_words, n)), shift @ shift])


def first_rows_only(num_words, n, steps):
    W_q = np.zeros((num_words + n, n))
    for i in range(steps):
        W_q[num_words + i, i - steps] = 1
    return W_q


def words_outvote_places(num_words, n, steps):
    return np.vstack([3 * np.random.default_rng(0).normal(size=(num_words, n)), np.eye(n, k=-steps)])


def a_quarter_turn_off(num_words, n, steps):
    i, j = np.indices((n, n))
    return np.vstack([np.zeros((num_words, n)), np.sin(2 * np.pi * (i - j - steps) / n)])


def sharp(num_words, n, codes):
    return np.vstack([20 * codes, np.zeros((n, codes.shape[1]))])


def turned_arguments(n, num_words):
    W = sharp(num_words, n, np.eye(num_words))
    return W, W


def factor_in_one_matrix(num_words, n):
    W = np.eye(num_words + n, num_words)
    return 10 * W, W


def keys_in_reverse(num_words, n):
    W = sharp(num_words, n, np.eye(num_words))
    return W, W[:, ::-1]


def codes_of_all_lengths(num_words, n):
    W = sharp(num_words, n, np.random.default_rng(0).normal(size=(num_words, 2)))
    return W, W


def word_numbers(num_words, n):
    W = sharp(num_words, n, np.arange(num_words)[:, None])
    return W, W


def no_code_for_the_last(num_words, n):
    W = sharp(num_words, n, np.eye(num_words, num_words - 1 or 1) * (num_words > 1))
    return W, W


def codes_within_codes(num_words, n):
    W = sharp(num_words, n, np.triu(np.ones((num_words, num_words))))
    return W, W


def nine_rows(num_words, n):
    return np.ones((9, 4)), np.ones((9, 4))


@pytest.mark.parametrize(
    ("name", "answer", "part"),
    [
        ("look_back", parts_of_two_widths, "along axis 1 array 0 has size 4 and array 1 size 5"),
        ("look_back", looks_twice_as_far, "twice as far back"),
        ("look_back", first_rows_only, "From place `steps` on, each"),
        ("look_back", words_outvote_places, "outweigh those for the places, which are right"),
        ("look_back", lambda *_: [1, 2, 3], "this is one row"),
        ("look_back", lambda num_words, n, steps: (np.eye(num_words + n, n),) * 2, "Only W_q is asked for"),
        ("same_word_head", turned_arguments, "takes (n, num_words)"),
        ("same_word_head", factor_in_one_matrix, " on other words; expected about 0"),
        ("same_word_head", factor_in_one_matrix, "A larger factor"),
        ("same_word_head", keys_in_reverse, "Some word scores higher with another word"),
        ("same_word_head", codes_of_all_lengths, "equally long?"),
        ("same_word_head", word_numbers, "Words either score all words alike"),
        ("same_word_head", no_code_for_the_last, "a row that is not zeros?"),
        ("same_word_head", codes_within_codes, "Their rows differ"),
        ("same_word_head", lambda w, n: (np.ones((w + n) * 4),) * 2, "`np.append` without an axis"),
        ("same_word_head", lambda w, n: (np.ones(w + n),) * 2, "`W[:, None]` makes one column"),
    ],
)
def test_chosen_matrices_are_told_what_is_true_of_them(name, answer, part):
    assert part in refused(name, answer)


def test_chosen_matrices_are_not_told_what_is_true_of_others():
    assert "one step" not in refused("look_back", a_quarter_turn_off)
    assert "turned round" not in refused("same_word_head", nine_rows)


# Global settings

SETTINGS = {
    "no gradients": (lambda: torch.set_grad_enabled(False), lambda: torch.set_grad_enabled(True)),
    "float64": (
        lambda: torch.set_default_dtype(torch.float64),
        lambda: torch.set_default_dtype(torch.float32),
    ),
    "device": (lambda: torch.set_default_device("meta"), lambda: torch.set_default_device(None)),
    "deterministic": (
        lambda: torch.use_deterministic_algorithms(True),
        lambda: torch.use_deterministic_algorithms(False),
    ),
    "NumPy's errors": (
        lambda: np.seterr(all="raise"),
        lambda: np.seterr(divide="warn", over="warn", under="ignore", invalid="warn"),
    ),
    "NumPy's printing": (
        lambda: np.set_printoptions(precision=1, sign="+"),
        lambda: np.set_printoptions(precision=8, sign="-"),
    ),
}


def settings():
    return (
        torch.is_grad_enabled(),
        torch.get_default_dtype(),
        str(torch.get_default_device()),
        torch.are_deterministic_algorithms_enabled(),
        np.geterr(),
        np.get_printoptions(),
    )


@pytest.mark.parametrize("kind", SETTINGS)
@pytest.mark.parametrize("name", ["softmax_backward", "MultiHeadAttention", "softmax"])
def test_a_right_answer_is_right_whatever_is_set(kind, name):
    from helpers import reference

    alter, back = SETTINGS[kind]
    alter()
    try:
        before = settings()
        check(name, getattr(reference, name), seed=1)
        assert settings() == before
    finally:
        back()


def test_a_right_answer_is_right_in_inference_mode():
    from helpers import reference

    with torch.inference_mode():
        check("QKVProjection", reference.QKVProjection, seed=1)
        assert torch.is_inference_mode_enabled()


def test_what_an_answer_sets_does_not_outlive_it():
    def answer(x):
        torch.set_default_dtype(torch.float64)
        torch.set_grad_enabled(False)
        np.set_printoptions(precision=1)
        return 2 * x

    before = settings()
    check("double", answer)
    assert settings() == before


# Guesses


@pytest.mark.parametrize("guess", ["3", " 3.0", 3, np.float32(3)])
def test_a_number_in_quotes_is_a_number(guess, capsys):
    reveal(guess, 3.0)
    assert capsys.readouterr().out.startswith("Right. ")


@pytest.mark.parametrize(
    ("guess", "actual", "said"),
    [
        ("1/3", 1 / 3, "Right. You predicted 1/3; it is 0.3333."),
        (" 1 / 3 ", 1 / 3, "Right. "),
        ("-2.5/10", -0.25, "Right. "),
        ("0/3", 0.0, "Right. "),
        ("1/2", 1 / 3, "Not this time. You predicted 1/2; it is 0.3333."),
        ("1/0", 0.5, "Not this time. "),
        ("1/3/4", 1 / 12, "Not this time. "),
        ("1/3", (1, 3), "Not this time. "),
        ("1/3", "yes", "Not this time. "),
    ],
)
def test_a_fraction_in_quotes_is_a_number(guess, actual, said, capsys):
    reveal(guess, actual)
    assert capsys.readouterr().out.startswith(said)


def test_a_tuple_in_quotes_is_a_tuple(capsys):
    reveal("(1,2)", (1, 2))
    assert capsys.readouterr().out.startswith("Right. ")


class Mute:
    def __repr__(self):
        raise ValueError


GUESSES = [
    {1},
    {"a": 1},
    print,
    Mute(),
    (Mute(),),
    object,
    [[1], [1, 2]],
    b"3",
    3j,
    torch.ones(2),
    [None],
    range(2),
    "__import__('os')",
    "(" * 500,
]


@pytest.mark.parametrize("guess", GUESSES, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize(
    "actual", [3.0, (1, 2), "yes", np.arange(3)], ids=["number", "tuple", "word", "array"]
)
def test_any_guess_gets_a_sentence(guess, actual, capsys):
    reveal(guess, actual)
    assert capsys.readouterr().out.startswith("Not this time. You predicted ")


# Names and forms


@pytest.mark.parametrize("ask", [check, hint])
def test_an_unknown_name_is_answered_with_the_nearest(ask):
    with pytest.raises(
        UnknownName, match=r"There is no exercise 'dott'\. The exercises are: .* Do you mean dot\?$"
    ):
        ask("dott")
    with pytest.raises(UnknownName, match=r"Do you mean MultiHeadAttention\?"):
        ask("multiheadattention")


def test_trying_an_unknown_name_says_so():
    with pytest.raises(UnknownName, match=r"There is no exercise 'dott'\. .* Do you mean dot\?$"):
        try_it("dott", 1)


def test_a_million_entries_have_a_wrong_shape():
    text = refused("double", lambda x: np.ones((1000, 1000)))
    assert "wrong shape: expected shape (3,), got shape (1000, 1000)" in text


def test_a_number_from_torch_needs_item():
    assert "`.item()`" in refused("dot", lambda a, b: torch.from_numpy(a) @ torch.from_numpy(b))
    spread = refused("measure_score_std", lambda n, d_k, rng: torch.tensor(1.0))
    assert "`.item()`" in spread
    assert ".numpy()" not in spread


@pytest.mark.parametrize(
    ("name", "answer", "said"),
    [
        ("causal_mask", lambda n: torch.ones(n, n, dtype=bool).tril().numpy(), "It calls torch.tril,"),
        (
            "cosine_similarity",
            lambda a, b: torch.cosine_similarity(torch.from_numpy(a), torch.from_numpy(b), dim=0).item(),
            "It calls torch.cosine_similarity,",
        ),
    ],
)
def test_one_call_is_named_once(name, answer, said, capsys):
    check(name, answer)
    assert said in capsys.readouterr().out
