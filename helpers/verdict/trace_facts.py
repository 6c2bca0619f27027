"""What is told of a recording in words: facts that can be seen in it, and nothing of what should be."""

from collections.abc import Iterator, Mapping
from typing import Any

MOST = 5
"""So many facts at most."""


def facts(data: Mapping[str, Any]) -> list[str]:
    """Sentences on a recording with its stages, the most telling first."""
    found = [*_stage_facts(data), *_number_facts(data), *_written_inputs(data)]
    return list(dict.fromkeys(found))[:MOST]


def _stage_facts(data: Mapping[str, Any]) -> Iterator[str]:
    """The last line whose value is a stage, and what the next line that makes something makes."""
    steps = data["steps"]
    held = [(i, what) for i, step in enumerate(steps) for _, what in values(step) if "stage" in what]
    unsure = any("unsure" in what for step in steps for _, what in values(step))
    if not held:
        if data["stages"] and not unsure:
            yield "No line makes one of the stages."
        return
    last, what = held[-1]
    stage = f"{data['stages'][what['stage']]}{', transposed' if what.get('turned') else ''}"
    line = place(data, steps[last])
    if unsure:  # another line may make one, too: this call cannot tell
        yield f"{line.capitalize()} makes a stage: {stage}."
        return
    yield f"The last line that makes a stage is {line}: {stage}."
    for step in steps[last + 1 :]:
        for name, made in values(step):
            if "shape" in made:
                does = f"makes {name}," if name else "returns"
                sums = f", whose {_sums(made)} sum to 1" if made.get("sums") else ""
                yield f"After it, {place(data, step)} {does} {in_words(made)}{sums}."
                return


def _number_facts(data: Mapping[str, Any]) -> Iterator[str]:
    """Where a NaN comes first, and where numbers get narrower."""
    for step in data["steps"]:
        for name, what in values(step):
            if "nan" in what.get("odd", ""):
                yield f"The first NaN stands in {name or 'what is returned'}, {place(data, step)}."
                return


def _written_inputs(data: Mapping[str, Any]) -> Iterator[str]:
    """Lines of the answer itself that change an array that came in."""
    for step in data["steps"]:
        given = {one["name"] for one in data["given"].get(str(step["of"]), ())}
        for made in step["makes"]:
            if made["how"] == "changed" and made["name"] in given:
                yield f"{place(data, step).capitalize()} writes into {made['name']}."
                return


def values(step: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """What a step makes, by name, and what it returns, by `""`; of tuples each item."""
    for made in step["makes"]:
        yield made["name"], made["what"]
        yield from ((made["name"], one) for one in made["what"].get("items", ()))
    if "returns" in step:
        yield "", step["returns"]
        yield from (("", one) for one in step["returns"].get("items", ()))


def place(data: Mapping[str, Any], step: Mapping[str, Any]) -> str:
    """Which line a step is, such as "line 4" or "line 2 of softmax"."""
    of = f" of {data['functions'][step['of']]['name']}" if step["of"] else ""
    turn = f", turn {step['turn']}" if step["turns"] > 1 else ""
    return f"line {step['line']}{of}{turn}"


def in_words(what: Mapping[str, Any]) -> str:
    """An array in words: its shape and kind of number."""
    shape = ", ".join(map(str, what["shape"]))
    return f"({shape}{',' * (len(what['shape']) == 1)}) {what['type']}"


def _sums(what: Mapping[str, Any]) -> str:
    if len(what["shape"]) == 1:
        return "entries"
    return {"both": "rows and columns"}.get(what["sums"], what["sums"])
