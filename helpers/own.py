"""An instructor's own exercises: `own/unit_05_softmax/log_softmax.py`, beside `helpers/`."""

from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "own"
__path__ = [
    str(FOLDER)
]  # so that it is imported as `helpers.own.unit_05_softmax.log_softmax`, wherever it lies
FILES = tuple(
    path
    for path in sorted(FOLDER.glob("unit_*/*.py"))
    if not path.stem.startswith("_") and not path.stem.endswith("_mistakes")
)
"""The records, one file an exercise."""

NAMED = "named_mistakes.toml"
"""What the instructor says to mistakes that the course does not name: see `helpers.named_mistakes`."""


def modules(unit: str) -> list[str]:
    """The exercises of a unit that have a record there, by the names of the files."""
    return [path.stem for path in FILES if path.parent.name == f"unit_{unit}"]
