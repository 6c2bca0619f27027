"""Write the figures of `tests/teeth.json` into the README and `docs/how_good_are_the_checks.md`."""

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
    blocks = {
        "teeth-summary": summary(figures),
        "teeth": teeth.table(figures["ours"]),
    }
    found = [path for path in (root / README, root / PAGE) if path.exists()]
    return {path: filled(path.read_text("utf-8"), blocks) for path in found}


def filled(text: str, blocks: Mapping[str, str]) -> str:
    """A text with each block between its own markers, `<!-- teeth -->` and `<!-- /teeth -->`."""
    for name, block in blocks.items():
        between = f"<!-- {name} -->\n{block}\n<!-- /{name} -->"
        text = re.sub(f"<!-- {name} -->.*?<!-- /{name} -->", lambda _, b=between: b, text, flags=re.DOTALL)
    return text


def summary(figures: Mapping[str, Any]) -> str:
    """The totals as a short table."""
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
            "mutants of the reference answers",
            f"{mutated}",
            f"{noticed} rejected; the other {mutated - noticed} are right answers too",
        ),
    ]
    return teeth.markdown(("what", "tried", "outcome"), rows)
