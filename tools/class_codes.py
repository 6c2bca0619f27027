"""Length and failures of the codes that `share` prints, on random classes: `python -m tools.class_codes`."""

import random
import sys
import time
from collections import Counter
from collections.abc import Sequence

import numpy as np

from helpers.class_codes import code, letters
from helpers.class_codes.code import STATES, Code, packed, unpacked
from helpers.class_codes.letters import ALPHABET, LENGTH, VALUES, is_whole, repaired
from helpers.class_codes.tables import Table, table_of
from helpers.offered import offered

CLASS = 30
WRONG = 6


def drawn(table: Table, draw: random.Random) -> Code:
    """Somebody's state: each exercise in any state, and in most of those that fail a mistake."""
    states = tuple(draw.choice(STATES) for _ in table.exercises)
    failing = [place for place, state in enumerate(states) if state == "tried" and draw.random() < 0.7]
    draw.shuffle(failing)
    mistakes = tuple((place, draw.randrange(len(table.exercises[place].said))) for place in failing)
    return Code("".join(draw.choices(ALPHABET, k=code.TAG)), states, mistakes)


def packing(times: int, draw: random.Random) -> dict[str, int]:
    """Random states packed and unpacked again: what was lost on the way."""
    tables = [table_of(unit) for unit in offered()]
    count = Counter()
    for _ in range(times):
        table = draw.choice(tables)
        state = drawn(table, draw)
        text = packed(state, table)
        values = [VALUES[letter] for letter in text if letter != "-"]
        back = unpacked(values, table)
        same = back is not None and (back.tag, back.states) == (state.tag, state.states)
        count["misread"] += not (same and is_whole(values))
        count["of another length"] += len(values) != LENGTH
        count["mistakes"] += len(state.mistakes)
        count["mistakes that fit"] += len(back.mistakes) if back else 0
    return dict(count)


def shared_tags(times: int, seed: int = 1) -> int:
    """In how many classes two learners have the same tag."""
    numbers, found = np.random.default_rng(seed), 0
    for _ in range(0, times, 10_000):
        tags = np.sort(numbers.integers(len(ALPHABET) ** code.TAG, size=(10_000, CLASS)), axis=1)
        found += int((np.diff(tags, axis=1) == 0).any(axis=1).sum())
    return found


def undetected(times: int, wrong: int, seed: int = 1) -> int:
    """Of codes in which so many letters are wrong, how many look whole.

    The check is linear: whether errors are found depends on the errors alone, so no code is drawn for them.
    """
    numbers = np.random.default_rng([seed, wrong])
    errors = np.zeros((times, LENGTH), dtype=np.uint8)
    places = np.argsort(numbers.random((times, LENGTH)), axis=1)[:, :wrong]
    np.put_along_axis(errors, places, numbers.integers(1, 32, size=(times, wrong), dtype=np.uint8), axis=1)
    # the check of each single letter is a row; those of many are added by xor
    blank = letters.check_of([0] * (LENGTH - letters.CHECK))
    rest = errors[:, -letters.CHECK :].copy()
    for place in range(LENGTH - letters.CHECK):
        rows = [
            letters.check_of([value if at == place else 0 for at in range(LENGTH - letters.CHECK)])
            for value in range(32)
        ]
        rest ^= (np.array(rows, dtype=np.uint8) ^ np.array(blank, dtype=np.uint8))[errors[:, place]]
    return int((~rest.any(axis=1)).sum())


def named(times: int, draw: random.Random) -> dict[str, int]:
    """Codes with one wrong letter, and with two neighbours swapped: how many are found, and named rightly."""
    table, count = table_of(next(iter(offered()))), Counter()
    for _ in range(times):
        right = [VALUES[letter] for letter in packed(drawn(table, draw), table) if letter != "-"]
        place = draw.randrange(LENGTH - 1)
        one = [*right[:place], right[place] ^ draw.randint(1, 31), *right[place + 1 :]]
        two = [*right[:place], right[place + 1], right[place], *right[place + 2 :]]
        for kind, wrong in (("letter", one), ("swap", two)):
            if wrong != right:
                meant = repaired(wrong)
                count[kind] += 1
                count[f"{kind} found"] += not is_whole(wrong)
                count[f"{kind} named"] += meant is not None and meant[0] == right
    return dict(count)


def main(words: Sequence[str]) -> int:
    """Draw so many classes, a million by default, and print what comes out."""
    times = int(words[0]) if words else 1_000_000
    start, draw = time.perf_counter(), random.Random(1)
    print(f"Length of a code: {LENGTH} letters, {LENGTH // letters.GROUP} groups of {letters.GROUP}.")
    one = packing(times, draw)
    print(f"{times:,} random states: {one['of another length']} of another length, {one['misread']} misread;")
    print(f"  {one['mistakes that fit'] / max(one['mistakes'], 1):.1%} of the mistakes fit.")
    tags = shared_tags(times)
    print(f"{times:,} classes of {CLASS}: in {tags:,} ({tags / times:.3%}) two learners have the same tag.")
    for wrong in range(1, WRONG + 1):
        lost = undetected(times, wrong)
        print(f"{times:,} codes with {wrong} wrong letter{'s' * (wrong > 1)}: {lost} not found.")
    both = named(max(times // 100, 1), draw)
    for kind, says in (("letter", "one wrong letter"), ("swap", "two neighbours swapped")):
        right = f"{both[f'{kind} found']:,} found, {both[f'{kind} named']:,} named"
        print(f"{both[kind]:,} codes with {says}: {right}.")
    print(f"{time.perf_counter() - start:.0f} seconds")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
