"""Write the figures of `tests/teeth.json` and `first_contact.json` into README and the page on the checks."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tools import teeth

README = "README.md"
PAGE = "docs/how_good_are_the_checks.md"


def pages(root: Path) -> dict[Path, str]:
    """The pages that show figures, with what they should hold."""
    kept = root / "tests" / "teeth.json"
    if not kept.exists():
        return {}
    figures = json.loads(kept.read_text("utf-8"))
    first = first_contact(root)
    blocks = {
        "teeth-summary": summary(figures, first),
        "teeth": teeth.table(figures["ours"]),
        "first-contact": first_table(first),
    }
    found = [path for path in (root / README, root / PAGE) if path.exists()]
    return {path: filled(path.read_text("utf-8"), blocks) for path in found}


def filled(text: str, blocks: Mapping[str, str]) -> str:
    """A text with each block between its own markers, `<!-- teeth -->` and `<!-- /teeth -->`."""
    for name, block in blocks.items():
        between = f"<!-- {name} -->\n{block}\n<!-- /{name} -->"
        text = re.sub(f"<!-- {name} -->.*?<!-- /{name} -->", lambda _, b=between: b, text, flags=re.DOTALL)
    return text


def first_contact(root: Path) -> dict[str, Any]:
    """What was said of programs whose authors had seen no check, judged once, and kept."""
    return json.loads((root / "tests" / "first_contact.json").read_text("utf-8"))


def in_all(first: Mapping[str, Any]) -> dict[str, int]:
    """The counts of all authors together."""
    rows = first["authors"].values()
    return {key: sum(row[key] for row in rows) for key in next(iter(rows))}


def first_table(first: Mapping[str, Any]) -> str:
    """Each author and each unit: shares of the wrong programs, and what passed or was refused."""
    parts = first["authors"] | {"**all**": in_all(first)} | first["units"]
    rows = [
        [
            name,
            f"{one['wrong']}",
            *(f"{one[key] / one['wrong']:.1%}" for key in ("told", "pointed", "no_help", "false")),
            f"{one['passed']}",
            f"{one['refused']} of {one['right']}",
        ]
        for name, one in parts.items()
    ]
    told = "told the mistake", "pointed the right way", "no help", "something false"
    return teeth.markdown(("", "wrong programs", *told, "passed", "right ones refused"), rows)


def summary(figures: Mapping[str, Any], first: Mapping[str, Any]) -> str:
    """The totals as a short table."""
    met = in_all(first)
    share = {key: count / met["wrong"] for key, count in met.items()}
    ours, mutants = (figures[key].values() for key in ("ours", "mutants"))
    wrong, rejected, named, right, accepted = (sum(one[key] for one in ours) for key in teeth.COUNTS)
    mutated, noticed = (sum(one[key] for one in mutants) for key in ("total", "rejected"))
    rows = [
        (
            "wrong programs, written by hand",
            f"{wrong}",
            f"{rejected} rejected, {named} named rightly ({named / wrong:.1%})",
        ),
        (
            "right answers in different styles",
            f"{right}",
            f"{accepted} accepted on each of {len(teeth.SEEDS)} seeds",
        ),
        (
            "wrong programs whose authors had seen no check, at first contact",
            f"{met['wrong']}",
            f"{share['told']:.1%} told the mistake, {share['pointed']:.1%} pointed the right way, "
            f"{share['false']:.1%} told something false, {met['passed']} passed",
        ),
        (
            "mutants of the reference answers",
            f"{mutated}",
            f"{noticed} rejected; the other {mutated - noticed} are right answers too",
        ),
    ]
    return teeth.markdown(("what", "tried", "outcome"), rows)
