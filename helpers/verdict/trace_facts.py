"""What is told of a recording in words: facts that can be seen in it, and nothing of what should be."""

from collections.abc import Iterator, Mapping
from typing import Any

from helpers.beside.traced_call import OUTSIDE, REFUSED

MOST = 5
"""So many facts at most."""

_BYTES = {"float16": 2, "float32": 4, "float64": 8}


def facts(data: Mapping[str, Any]) -> list[str]:
    """Sentences on a recording with its stages, the most telling first."""
    found = [*_stages(data), *_end(data), *_narrower(data), *_written_inputs(data)]
    return list(dict.fromkeys(found))[:MOST]


def _stages(data: Mapping[str, Any]) -> Iterator[str]:
    """The last ✓ of a stage that has none before, and the next array without one."""
    if not data["stages"]:
        return
    seen, last = set(), None
    for at, step in enumerate(data["steps"]):
        for _, what in values(step):
            if "stage" in what and what["stage"] not in seen:
                seen.add(what["stage"])
                last = at, step, what
    if last is None and any(one.startswith((REFUSED, OUTSIDE)) for one in data["left_out"]):
        return
    if last is None:
        yield "No line has a ✓: nothing that has a name, or is returned, was recognised as a stage."
        return
    at, step, what = last
    stage = data["stages"][what["stage"]] + (f" ({what['form']})" if "form" in what else "")
    yield f"The last new ✓ is {stage}, in {place(data, step)}."
    for later in data["steps"][at:]:
        for name, made in values(later):
            if "shape" in made and "stage" not in made and later is not step:
                does = f"makes {name}," if name else "returns"
                alone = "" if made is later.get("returns") or name else " in a tuple"
                sums = f", whose {_sums(made)} sum to 1" if made.get("sums") else ""
                yield f"After it, {place(data, later)} {does} {in_words(made)}{alone}{sums}."
                return


def _end(data: Mapping[str, Any]) -> Iterator[str]:
    """What is returned, where it is nothing, or of another kind than all that came in, or holds NaN."""
    returned = [step for step in data["steps"] if step["depth"] == 0 and "returns" in step]
    if not returned:
        return
    step = returned[-1]
    what, name = step["returns"], data["functions"][step["of"]]["name"]
    if what["kind"] == "nothing":
        yield f"{_sentence(place(data, step))} is the last, and {name} returns nothing (None)."
    ends = [one for one in (what, *what.get("items", ())) if "shape" in one]
    given = [one["what"] for one in data["given"].get(str(step["of"]), ()) if "shape" in one["what"]]
    kinds = {one["kind"] for one in given}
    if len(kinds) == 1 and any(one["kind"] not in kinds for one in ends):
        words = {"array": "NumPy arrays", "tensor": "tensors"}
        (came,) = kinds
        (other,) = set(words) - kinds
        yield f"{_sentence(words[came])} come in, and {words[other]} are returned."
    if any("nan" in one.get("odd", "") for one in ends):
        for step in data["steps"]:
            for name, one in values(step):
                if "nan" in one.get("odd", ""):
                    yield f"The first NaN stands in {name or 'what is returned'}, {place(data, step)}."
                    return


def _narrower(data: Mapping[str, Any]) -> Iterator[str]:
    """The first line that makes narrower floats than all that came in, where such ones are returned."""
    given = [one["what"] for one in data["given"].get("0", ()) if one["what"].get("type") in _BYTES]
    least = min((_BYTES[one["type"]] for one in given if "shape" in one), default=0)
    steps = [one for one in data["steps"] if one["depth"] == 0]
    ends = [what for step in steps for name, what in values(step) if not name]
    if not any("shape" in one and _BYTES.get(one["type"], 8) < least for one in ends):
        return
    for step in steps:
        for name, what in values(step):
            if "shape" in what and _BYTES.get(what["type"], 8) < least:
                does = f"makes {name} in" if name else "returns"
                yield f"{_sentence(place(data, step))} {does} {what['type']}, and wider numbers came in."
                return


def _written_inputs(data: Mapping[str, Any]) -> Iterator[str]:
    """A line of the answer that changes what came in, before that name is bound to something else."""
    rebound = set()
    for step in data["steps"]:
        given = {one["name"] for one in data["given"].get(str(step["of"]), ())}
        for made in step["makes"]:
            if made["how"] == "changed" and made["name"] in given - rebound and step["depth"] == 0:
                yield f"{_sentence(place(data, step))} changes {made['name']}, an argument."
                return
        rebound |= {made["name"] for made in step["makes"] if made["how"] == "new"}


def values(step: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """What a step makes, by name, and what it returns, by `""`; of tuples each item."""
    for made in step["makes"]:
        yield made["name"], made["what"]
        yield from ((made["name"], one) for one in made["what"].get("items", ()))
    if "returns" in step:
        yield "", step["returns"]
        yield from (("", one) for one in step["returns"].get("items", ()))


def place(data: Mapping[str, Any], step: Mapping[str, Any]) -> str:
    """Which line a step is, such as "line 4" or "line 2 of softmax, in call 2"."""
    of = f" of {data['functions'][step['of']]['name']}" if step["of"] else ""
    call = f", in call {step['call']}" if data["functions"][step["of"]]["calls"] > 1 else ""
    turn = f", the {_nth(step['turn'])} time" if step["turns"] > 1 else ""
    return f"line {step['line']}{of}{call}{turn}"


def in_words(what: Mapping[str, Any]) -> str:
    """An array in words: its shape and kind of number."""
    shape = ", ".join(map(str, what["shape"]))
    kind = "a tensor " if what["kind"] == "tensor" else ""
    return f"{kind}({shape}{',' * (len(what['shape']) == 1)}) {what['type']}"


def _nth(number: int) -> str:
    ends = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ends.get(number % 10, 'th')}"


def _sentence(text: str) -> str:
    """With a capital letter in front; names keep theirs."""
    return text[:1].upper() + text[1:]


def _sums(what: Mapping[str, Any]) -> str:
    if len(what["shape"]) == 1:
        return "entries"
    return {"both": "rows and columns"}.get(what["sums"], what["sums"])
