"""How a test finds the right choice of a question without asking the question's own code.

Each gives the places of all choices that are right; a question is sound where that is one place, its own.
"""

import ast

import numpy as np

from helpers import answer_text
from helpers.beside import set_up_first
from helpers.beside.probe import observe_known
from helpers.exercises import find
from helpers.exercises.base import draw_cases
from helpers.learner.checking import verdict_of
from helpers.predictions import RIVALS
from helpers.questions.kinds import what_moves
from helpers.questions.question import Code, Table, looks
from helpers.verdict.wording import clause


def solved(question):
    """The places of all right choices of a question."""
    return ORACLES[question.kind](question)


def _arguments(question):
    """What a question shows of a call, as its arguments by name."""
    args = {one.name: one.array for one in question.given if isinstance(one, Table)}
    for text in (one for one in question.given if isinstance(one, str)):
        for part in text.split("`")[1::2]:
            name, _, value = part.partition(" = ")
            args[name] = ast.literal_eval(value)
    return args


def _made_by(question):
    """Every program of the sentence is run on the arguments that are shown."""
    sentence = question.asks.split("“")[1].split("”")[0]
    return [
        place for place, one in enumerate(question.choices) if looks(one) in _returned_by(question, sentence)
    ]


def _returned_by(question, sentence):
    """What the programs of a sentence return in the call that is shown."""
    record, args = find(question.exercise), _arguments(question)
    args = {name: one for name, one in args.items() if not name.endswith((", if right", ", as returned"))}
    if question.exercise == "attention":
        args = {"Q": args["Q"], "K": args["K"], "V": np.eye(3), "allowed": args["allowed"]}
    made = set()
    for mistake in record.mistakes:
        if clause(mistake.says) == sentence:
            with np.errstate(all="ignore"):
                value = observe_known(record, mistake.answer, args)["value"]
            items = value.get("items") or [value]
            made |= {looks(Table(one["array"])) for one in items if "array" in one}
    return made


def _check_says(question, seed):
    (code,) = [one for one in question.given if isinstance(one, Code)]
    answer = answer_text.defined(question.exercise, code.text, set_up_first.modules())
    return verdict_of(find(question.exercise), answer, seed)


def _what_it_says(question):
    """The check is asked on another draw; of a result, every program of each sentence is run."""
    if any(isinstance(one, Code) for one in question.given):
        said = clause(_check_says(question, 11).lines[1])
        return [place for place, one in enumerate(question.choices) if said == one]
    args = _arguments(question)
    (returned,) = [one for name, one in args.items() if name.endswith(", as returned")]
    made = [_returned_by(question, text) for text in question.choices]
    return [place for place, one in enumerate(made) if looks(Table(returned)) in one]


def _which_line(question):
    """Each line that may be chosen is put right in turn: one of them makes the check pass."""
    (code,) = [one for one in question.given if isinstance(one, Code)]
    right = answer_text.texts()[question.exercise].split("\n")
    found = []
    for place, choice in enumerate(question.choices):
        line = int(choice.split(":")[0].removeprefix("line "))
        lines = code.text.split("\n")
        lines[line - 1] = right[line - 1]
        answer = answer_text.defined(question.exercise, "\n".join(lines), set_up_first.modules())
        if verdict_of(find(question.exercise), answer, 11).passed:
            found.append(place)
    return found


def _missing_line(question):
    """Each line that may be chosen is put into the gap in turn: with one of them the check passes."""
    (code,) = [one for one in question.given if isinstance(one, Code)]
    gap = next(line for line in code.text.split("\n") if line.strip() == "...")
    found = []
    for place, choice in enumerate(question.choices):
        source = code.text.replace(gap, gap.replace("...", choice.strip("`")))
        answer = answer_text.defined(question.exercise, source, set_up_first.modules())
        if verdict_of(find(question.exercise), answer, 11).passed:
            found.append(place)
    return found


def _sums_to_one(question):
    """The program is run on random calls of another draw, and its weights are added up."""
    (code,) = [one for one in question.given if isinstance(one, Code)]
    record = find(question.exercise)
    answer = answer_text.defined(question.exercise, code.text, set_up_first.modules())
    kinds = []
    for case in draw_cases(record, 23):
        if question.exercise != "masked_softmax" and case.args.get("allowed") is not None:
            continue
        right = record.oracle(*case.args.values())
        right = right["results"] if isinstance(right, dict) else right
        right = right[-1] if isinstance(right, tuple) else right
        if np.ndim(right) < 2 or min(right.shape[-2:]) < 2 or not np.allclose(right.sum(-1), 1):
            continue
        if right.ndim > 2 and question.exercise != "MultiHeadAttention":
            continue
        with np.errstate(all="ignore"):
            value = observe_known(record, answer, case.args)["value"]
        value = value["items"]["results"] if value["kind"] == "dict" else value
        weights = (value.get("items") or [value])[-1]["array"]
        sums = {"row": weights.sum(-1), "column": weights.sum(-2), "table": weights.sum((-1, -2))}
        kinds.append({name for name, one in sums.items() if np.allclose(one, 1, atol=1e-4)})
    always = set.intersection(*kinds)
    words = {"each row": "row", "each column": "column", "each whole": "table", "the whole": "table"}
    places = []
    for place, text in enumerate(question.choices):
        name = next((kind for start, kind in words.items() if text.startswith(start)), None)
        if (name in always) if name else not always:
            places.append(place)
    return places


def _which_shape(question):
    """The sizes that the question names are enough to make random arrays, whose result has one shape."""
    record = find(question.exercise)
    shapes = {f"`{_shape(one)}`" for one in _results(record, question)}
    return [place for place, one in enumerate(question.choices) if one in shapes]


def _results(record, question):
    for case in draw_cases(record, question.seed):
        told = [f"`{name}` {_shape(one)}" for name, one in case.args.items() if isinstance(one, np.ndarray)]
        named = question.asks.split("is called with ")[1].split(". Which")[0].split(", `")
        if all(
            one.replace("`", "") in " ".join(told).replace("`", "") for one in named if "=" not in one
        ) and all(
            f"{name} = {value}" in question.asks for name, value in case.args.items() if type(value) is int
        ):
            right = record.oracle(*case.args.values())
            right = right["results"] if isinstance(right, dict) else right
            parts = right if isinstance(right, tuple) else (right,)
            for name, one in zip(record.parts or ("",), parts, strict=True):
                if len(parts) == 1 or f"shape of its `{name}`" in question.asks:
                    yield one.shape


def _shape(value):
    shape = getattr(value, "shape", value)
    return f"({', '.join(map(str, shape))}{',' * (len(shape) == 1)})"


def _what_moves(question):
    """What is shown before and after the change is compared anew; of larger calls the words alone tell."""
    if question.exercise in BY_WORDS:
        found = [answer for words, answer in BY_WORDS[question.exercise] if words in question.asks]
        return [place for place, text in enumerate(question.choices) if text in found[:1]]
    before = [one.array for one in question.after if one.name.endswith("before")]
    after = [one.array for one in question.after if one.name.endswith("after")]
    if len(before) == 2:
        rows = ~np.isclose(before[1], after[1], atol=1e-6).all(axis=-1)
        changed = [not np.allclose(*pair, atol=1e-6) for pair in zip(before, after, strict=True)]
        true = {
            "nothing": not any(changed),
            "some outputs, and no weight": changed[0] and not changed[1],
            "the weights of one query only": rows.sum() == 1,
            "the weights of several queries": rows.sum() > 1,
        }
    elif question.exercise == "mix_values":
        rows = int((~np.isclose(before[0], after[0], atol=1e-6)).any(axis=-1).sum())
        names = ("nothing", "the output of one query", "the outputs of both queries")
        true = {name: rows == count for count, name in enumerate(names)}
    elif question.exercise == "masked_softmax":
        rows = int((~np.isclose(before[0], after[0], atol=1e-6)).any(axis=-1).sum())
        grown = int((after[0] > before[0] + 1e-6).sum())
        fallen = int((after[0] < before[0] - 1e-6).sum())
        true = {
            "nothing": rows == 0,
            "one weight grows, and others of its row shrink": rows == grown == 1 and fallen > 0,
            "weights of its row grow, and none shrinks": rows == 1 and grown > 0 and not fallen,
            "weights of several queries": rows > 1,
        }
    elif question.exercise == "rotary":
        longer = np.linalg.norm(after[0], axis=-1) / np.linalg.norm(before[0], axis=-1)
        same = np.allclose(before[0], after[0], atol=1e-6)
        true = {
            "nothing": same,
            "each vector points elsewhere, and is as long as before": np.allclose(longer, 1) and not same,
            "each vector is twice as long, and points where it did": np.allclose(2 * before[0], after[0]),
            "the two vectors change places": np.allclose(before[0][::-1], after[0]),
        }
    elif question.exercise in ("softmax", "softmax_with_temperature"):
        old, new = before[0], after[0]
        top = old.argmax()
        true = {
            "nothing: all weights stay": np.allclose(old, new, atol=1e-6),
            "the largest weight grows, the smallest shrinks": new[top] > old[top] + 1e-6,
            "the largest weight shrinks, the smallest grows": new[top] < old[top] - 1e-6,
            "all weights grow": (new > old + 1e-6).all(),
        }
    else:
        ratios = {"stays": 1, "doubled": 2, "four times": 4, "root of 2": 2**0.5}
        return [
            place
            for place, text in enumerate(question.choices)
            if np.allclose(next(r for word, r in ratios.items() if word in text) * before[0], after[0])
        ]
    return [place for place, text in enumerate(question.choices) if true[text]]


BY_WORDS = {
    "multi_head_attention": [
        ("a causal mask", "the outputs at that token and at all after it"),
        ("hides nothing", "the outputs at all tokens"),
    ],
    "online_attention": [
        ("values are doubled", "every number of the output is doubled"),
        ("queries are doubled", "the outputs become other mixtures"),
        ("", "nothing"),
    ],
    "grouped_query_attention": [
        ("heads query head", "the output of one query head"),
        ("head 0 is", "the outputs of query heads 0 and 1"),
        ("head 1 is", "the outputs of query heads 2 and 3"),
    ],
    "next_token_loss": [
        ("that comes next", "the loss falls"),
        ("", "nothing: the loss stays"),
    ],
}
"""What somebody who knows answers, by words of the question; the first that stand in it count."""


def _rivals(question):
    from helpers.questions.kinds import rivals

    holding = {one[RIVALS[name][0]] for name, one in rivals.kept().items()}
    return [place for place, one in enumerate(question.choices) if one in holding]


ORACLES = {
    "made_by": _made_by,
    "what_it_says": _what_it_says,
    "which_line": _which_line,
    "missing_line": _missing_line,
    "sums_to_one": _sums_to_one,
    "which_shape": _which_shape,
    what_moves.NAME: _what_moves,
    "rivals": _rivals,
}
