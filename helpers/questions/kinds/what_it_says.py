"""What will the check say: of an answer with a wrong line, or of what an answer returned?"""

from helpers.exercises import find
from helpers.questions.draw import in_turn, rng_of, shuffled
from helpers.questions.kinds.made_by import beside, given, lineup, rounded
from helpers.questions.question import Code, Question, Table
from helpers.questions.scenes import CLEAR, SCENES
from helpers.questions.what_is_said import said
from helpers.questions.wrong_lines import WrongLine, asked
from helpers.verdict.wording import clause

NAME = "what_it_says"
FEWEST = 3
"""So many different sentences are needed."""


def exercises() -> tuple[str, ...]:
    """Those with questions of this kind."""
    return tuple(dict.fromkeys([*SCENES, *(name for name, lines in asked().items() if len(lines) >= FEWEST)]))


def question(exercise: str, seed: int) -> Question | None:
    """One question, of a result where there are numbers to look at; `None` where too few sentences differ."""
    return _of_a_result(exercise, seed) if exercise in SCENES else _of_a_line(exercise, seed)


def _of_a_result(exercise: str, seed: int) -> Question | None:
    rng = rng_of(NAME, exercise, seed)
    found = lineup(exercise, rng)
    if found is None:
        return None
    args, right, chosen = found
    choices, place = shuffled(rng, [clause(mistake.says) for mistake, _ in chosen], 0)
    returned = Table(chosen[0][1].array, f"{right.name or 'the result'}, as returned", right.axes)
    asks = f"Somebody's `{exercise}` returned this{rounded(right)}. What does the check say of it?"
    shown = (*given(find(exercise), args), returned)  # the right one is to be remembered
    why = chosen[0][0].says
    return Question(NAME, exercise, seed, asks, tuple(choices), place, why, shown, (beside(right),))


def _of_a_line(exercise: str, seed: int) -> Question | None:
    rng = rng_of(NAME, exercise, seed)
    lines = asked()[exercise]
    meant = in_turn(lines, seed)
    order = [meant, *(lines[i] for i in rng.permutation(len(lines)) if lines[i] is not meant)]
    others = _others(order)
    if len(others) < FEWEST - 1:
        return None
    choices, place = shuffled(rng, [clause(says) for says in [said(order[0])[1], *others]], 0)
    why = f"{said(order[0])[1]} Line {order[0].line} should read `{order[0].right.strip()}`."
    asks = f"One line of this `{exercise}` is wrong. What does the check say of it?"
    return Question(NAME, exercise, seed, asks, tuple(choices), place, why, (Code(order[0].source),))


def _others(order: list[WrongLine]) -> list[str]:
    """Up to three sentences on other mistakes than the first line's: of other lines, then clear ones."""
    name = order[0].exercise
    near = sorted(order[1:], key=lambda one: one.line != order[0].line)  # what fits the same line tempts most
    known = [said(one) for one in near]
    known += [(one.id, one.says) for one in find(name).mistakes if one.id in CLEAR.get(name, ())]
    ids, texts, found = {said(order[0])[0]}, {clause(said(order[0])[1])}, []
    for id, says in known:
        if id not in ids and clause(says) not in texts and len(found) < FEWEST:
            ids.add(id)
            texts.add(clause(says))
            found.append(says)
    return found
